import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { ReportThread, ThreadText } from '../protocol/messages.ts';
import type { RunView } from '../protocol/runView.ts';
import { Button, Foreign, Icon } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { ReportView } from './reportView.tsx';

const nothing = (): void => undefined;

/** A report, or an answer beneath it. */
function Written({ text, onSettled }: { readonly text: ThreadText; readonly onSettled?: () => void }) {
  const { run, report, sources } = text;
  return <ReportView {...{ run, report, sources }} writing={false} onSettled={onSettled ?? nothing} />;
}

export function Answers({ answers }: Pick<ReportThread, 'answers'>) {
  const { texts } = usePanel();
  if (answers.length === 0) return null;
  return (
    <section class="thread" aria-label={texts.of('followUp.answers')} data-testid="answers">
      {answers.map((text) => (
        <Written key={text.run} text={text} />
      ))}
    </section>
  );
}

/** The report that the shown run is about, and what was answered before it. The question is brought into sight. */
export function Above({ thread, isRead }: { readonly thread: ReportThread; readonly isRead: boolean }) {
  const end = useRef<HTMLDivElement>(null);
  const { host } = usePanel();
  // Where the reader was before a reload comes first.
  const isWanted = useRef(host.ui.scroll?.run !== thread.run);
  const show = useCallback(() => {
    if (isWanted.current) end.current?.scrollIntoView({ block: 'start' });
    isWanted.current = false;
  }, []);
  useEffect(() => {
    if (isRead || !thread.report) show();
  }, []);
  return (
    <>
      {!isRead && thread.report && <Written text={thread.report} onSettled={show} />}
      <Answers answers={thread.answers} />
      <div ref={end} class="thread-end" />
    </>
  );
}

/** What can follow an answer that what was read does not give, or not enough. */
export function AnswerEnd({ view }: { readonly view: RunView }) {
  const { texts, thread, sent, send } = usePanel();
  const cost = thread?.choices.find(({ as }) => as === 'research')?.description ?? '';
  const isMissing = view.end?.outcome === 'notFound';
  return (
    <section class={isMissing ? 'card' : 'answer-end'} data-testid={isMissing ? 'not-read' : 'answer-end'}>
      {isMissing && (
        <h2>
          <Icon name="search-stop" />
          {texts.of('followUp.notRead')}
        </h2>
      )}
      <div class="actions">
        <Button
          icon="telescope"
          testId="research-it"
          disabled={sent === 'followUp'}
          onClick={() => send('followUp', { type: 'followUp', question: view.question, as: 'research' })}
        >
          {cost === '' ? texts.of('followUp.researchIt') : texts.of('followUp.researchItFor', cost)}
        </Button>
      </div>
    </section>
  );
}

/** Why the report is short, and new research on its question. */
export function ShortEnd({ view }: { readonly view: RunView }) {
  const { texts, thread, hasModel, sent, send } = usePanel();
  if (!thread || !hasModel) return null;
  const cost = thread.choices.find(({ as }) => as === 'research')?.description ?? '';
  return (
    <section class="answer-end" data-testid="short-end">
      <Foreign as="p" class="quiet" text={view.strategyWhy} />
      <div class="actions">
        <Button
          icon="telescope"
          testId="go-deeper"
          disabled={sent === 'followUp'}
          onClick={() => send('followUp', { type: 'followUp', question: view.question, as: 'research', deeper: true })}
        >
          {cost === '' ? texts.of('followUp.goDeeper') : texts.of('followUp.goDeeperFor', cost)}
        </Button>
      </div>
    </section>
  );
}
