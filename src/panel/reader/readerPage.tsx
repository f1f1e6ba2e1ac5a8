import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ReaderHostMessage, ReaderMessage, ShownReport } from '../../protocol/readerMessages.ts';
import { isCharted } from '../../protocol/chartKey.ts';
import { plain } from '../plain.ts';
import type { Cite } from '../report/reportDom.tsx';
import { useReportDom } from '../report/useReportDom.ts';
import type { Texts } from '../../protocol/texts.ts';
import { ChallengeSelection } from './challengeSelection.tsx';
import { copyWithLinks } from './copyWithLinks.ts';
import { EvidenceCard } from './evidenceCard.tsx';
import { useCards } from './useCards.ts';

export interface ReaderState {
  readonly texts: Texts;
  readonly report: ShownReport;
  /** The latest answer to `findEvidence`. */
  readonly answer?: Extract<ReaderHostMessage, { type: 'evidence' }> | undefined;
  /** The latest answer to `ask`. */
  readonly asked?: Extract<ReaderHostMessage, { type: 'asked' }> | undefined;
}

interface ReaderPageProps {
  readonly state: ReaderState;
  /** What the question box begins with. */
  readonly draft: string;
  readonly post: (message: ReaderMessage) => void;
  readonly onDraft: (text: string) => void;
  /** All of the text is in the document. */
  readonly onSettled: () => void;
}

/** A report in a tab: contents, text, and what the citation rests on that is pointed at or focused. */
export function ReaderPage({ state, draft, post, onDraft, onSettled }: ReaderPageProps) {
  const { texts, report, answer, asked } = state;
  const [headings, setHeadings] = useState<readonly HTMLElement[]>([]);
  const cite = useRef<Cite>((number, isTarget) => ({
    label: texts.of(isTarget ? 'reader.back' : 'reader.evidence', `[${number}]`),
  })).current;
  const charts = useMemo(() => isCharted(report.charts), [report.charts]);
  const element = useReportDom({ text: report.text, cite, charts }, (settled, root) => {
    if (!settled) return;
    setHeadings((known) => changed(known, [...root.querySelectorAll<HTMLElement>('h2, h3')]));
    onSettled();
  });
  const cards = useCards(element, post);
  useEffect(() => copyWithLinks(element.current!, report), [report]);
  return (
    <main class="reader">
      {report.facts.length > 0 && (
        <p class="facts quiet" data-testid="facts">
          {report.facts.map((fact, index) => (
            <span key={index} dir="auto">
              {plain(fact)}
            </span>
          ))}
        </p>
      )}
      {/^## /m.test(report.text) && <Contents headings={headings} title={texts.of('reader.contents')} />}
      <article
        class="report markdown"
        aria-label={texts.of('report.title')}
        aria-busy={report.writing}
        data-testid="report"
        {...cards.handlers}
      >
        <div ref={element} />
        {report.writing && (
          <p class="quiet writing" role="status">
            <span class="codicon codicon-loading spin" aria-hidden="true" /> {texts.of('reader.writing')}
          </p>
        )}
      </article>
      {!report.writing && <AskBox {...{ texts, draft, asked, post, onDraft }} />}
      <EvidenceCard {...{ texts, cards, answer, post }} />
      {!report.writing && <ChallengeSelection {...{ texts, report: element, post }} />}
    </main>
  );
}

/** A question about the report. It stays until a run has begun with it. */
function AskBox({
  texts,
  draft,
  asked,
  post,
  onDraft,
}: Pick<ReaderPageProps, 'draft' | 'post' | 'onDraft'> & Pick<ReaderState, 'texts' | 'asked'>) {
  const [text, setText] = useState(draft);
  const sent = useRef('');
  const type = (typed: string) => {
    setText(typed);
    onDraft(typed);
  };
  const ask = () => {
    if (text.trim() === '') return;
    sent.current = text;
    post({ type: 'ask', question: text.trim() });
  };
  useEffect(() => {
    // Not what was typed since.
    if (asked?.isTaken && text === sent.current) type('');
  }, [asked]);
  return (
    <form
      class="ask-about"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <input
        class="input"
        dir="auto"
        maxLength={20_000}
        data-testid="ask-about"
        aria-label={texts.of('followUp.title')}
        placeholder={texts.of('followUp.title')}
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
      <button
        type="submit"
        class="send"
        data-testid="ask-about-send"
        title={texts.of('followUp.send')}
        aria-label={texts.of('followUp.send')}
      >
        <span class="codicon codicon-send" aria-hidden="true" />
      </button>
    </form>
  );
}

function changed(known: readonly HTMLElement[], now: readonly HTMLElement[]): readonly HTMLElement[] {
  const same = known.length === now.length && known.every((heading, index) => heading === now[index]);
  return same && known.every((heading) => heading.isConnected) ? known : now;
}

/** Where the contents have room beside the text, as in reader.css. */
const wide = window.matchMedia('(min-width: 1100px)');

/** There from the beginning, so that nothing moves when a long report is drawn; open beside the text, unless the user has decided. */
function Contents({ headings, title }: { readonly headings: readonly HTMLElement[]; readonly title: string }) {
  const [isWide, setWide] = useState(wide.matches);
  const [chosen, choose] = useState<boolean>();
  const isOpen = chosen ?? isWide;
  useEffect(() => {
    const follow = () => setWide(wide.matches);
    wide.addEventListener('change', follow);
    return () => wide.removeEventListener('change', follow);
  }, []);
  return (
    <nav class="contents" aria-label={title} data-testid="contents">
      <details open={isOpen}>
        <summary
          onClick={(event) => {
            event.preventDefault();
            choose(!isOpen);
          }}
        >
          {title}
        </summary>
        <ul>
          {(isOpen ? headings : []).map((heading, index) => (
            <li key={index} class={heading.tagName.toLowerCase()}>
              <button type="button" dir="auto" onClick={() => goTo(heading)}>
                {heading.textContent}
              </button>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

function goTo(heading: HTMLElement): void {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: 'start' });
}
