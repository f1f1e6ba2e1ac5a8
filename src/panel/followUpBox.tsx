import { useRef } from 'preact/hooks';
import { type FollowUpKind, offeredKinds } from '../protocol/followUp.ts';
import type { DocumentItem } from '../protocol/messages.ts';
import { AttachedList } from './attachedList.tsx';
import { Button, Foreign, TextBox } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { maxQuestionLength } from './question.ts';
import { sentNow, type Typed, useRunState, useUntilBegun } from './runState.ts';

/** `as` absent: the model decides. */
interface Asked extends Typed {
  readonly as?: FollowUpKind | undefined;
}

/** What can be asked about the report that is shown: the kinds with their costs, of which one click chooses another. */
export function FollowUpBox({ attached }: { readonly attached: readonly DocumentItem[] }) {
  const { texts, host, thread, hasModel, sent, send } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const [typed, change] = useRunState<Asked>('followUp', { text: '' });
  const { text, as: chosen } = typed;
  useUntilBegun(typed, () => change({ text: '' }));
  if (thread === null) return null;
  const choose = (as: FollowUpKind | undefined): void => change({ text, as });
  const offered = thread.choices.filter((one) => offeredKinds(hasModel).includes(one.as));
  const as = hasModel ? chosen : (offered.find((one) => one.as === chosen)?.as ?? 'answer');
  const isTooLong = text.trim().length > maxQuestionLength;
  const isPending = sent === 'followUp';
  const ask = (): void => {
    if (text.trim() === '' || isTooLong) return;
    change({ ...typed, ...sentNow(thread) });
    send('followUp', { type: 'followUp', question: text.trim(), ...(as && { as }) });
  };
  return (
    <section class="card follow-up" aria-label={texts.of('followUp.title')} data-testid="follow-up">
      <h2>{texts.of('followUp.title')}</h2>
      <p class="quiet" data-testid="follow-up-about">
        <Foreign text={texts.of('followUp.about', thread.title, thread.version)} />
      </p>
      <TextBox
        box={box}
        testId="follow-up-text"
        aria-label={texts.of('followUp.title')}
        rows={2}
        placeholder={texts.of(hasModel ? 'followUp.placeholder' : 'followUp.placeholderQuotes')}
        value={text}
        aria-invalid={isTooLong}
        onType={(now) => change({ text: now, as: chosen })}
        onEnter={ask}
        // A version may have been accepted since.
        onFocus={() => host.post({ type: 'findThread' })}
      />
      <div class="field-problem" role="alert">
        {isTooLong && texts.of('ask.tooLong', text.trim().length, maxQuestionLength)}
      </div>
      <AttachedList items={attached} />
      <div class="follow-up-kinds" role="radiogroup" aria-label={texts.of('followUp.kinds')}>
        {hasModel && (
          <Kind label={texts.of('followUp.decide')} cost={texts.of('followUp.decideCost')} {...{ as, choose }} />
        )}
        {offered.map(({ as: kind, label, detail, description }) => (
          <Kind key={kind} {...{ kind, label, detail, as, choose }} cost={description || texts.of('followUp.free')} />
        ))}
      </div>
      <AddSource
        // What is added is read by new research.
        onAdd={(address) => {
          change({ text: address === undefined ? text : `${text.trim()} ${address}`.trim(), as: 'research' });
          if (address !== undefined) box.current?.focus();
        }}
      />
      <div class="actions">
        <Button
          look="primary"
          icon={isPending ? 'loading' : 'send'}
          testId="follow-up-send"
          disabled={isPending || text.trim() === '' || isTooLong}
          onClick={ask}
        >
          {texts.of('followUp.send')}
        </Button>
      </div>
    </section>
  );
}

interface KindProps {
  /** Absent: the model decides. */
  readonly kind?: FollowUpKind;
  readonly label: string;
  readonly detail?: string;
  readonly cost: string;
  readonly as: FollowUpKind | undefined;
  readonly choose: (kind: FollowUpKind | undefined) => void;
}

function Kind({ kind, label, detail, cost, as, choose }: KindProps) {
  return (
    <label class="follow-up-kind" title={detail} data-testid={`follow-up-${kind ?? 'decide'}`}>
      <input type="radio" name="follow-up" checked={as === kind} onChange={() => choose(kind)} />
      <span>{label}</span>
      <span class="quiet">{cost}</span>
    </label>
  );
}

/** A file, a pasted text, or the address of a page, for the next question. */
function AddSource({ onAdd }: { readonly onAdd: (address?: string) => void }) {
  const { texts, host } = usePanel();
  const [pasted, setPasted] = useRunState<string | null>('pasted', null);
  const give = (): void => {
    const text = pasted!.trim();
    const isPage = /^https?:\/\/\S+$/i.test(text);
    onAdd(isPage ? text : undefined);
    if (!isPage) host.post({ type: 'attachText', text });
    setPasted(null);
  };
  return (
    <>
      <div class="actions">
        <Button
          icon="attach"
          look="link"
          testId="follow-up-attach"
          onClick={() => {
            onAdd();
            host.post({ type: 'pickDocuments' });
          }}
        >
          {texts.of('followUp.addFile')}
        </Button>
        <Button icon="note" look="link" testId="follow-up-paste" onClick={() => setPasted(pasted === null ? '' : null)}>
          {texts.of('followUp.addText')}
        </Button>
      </div>
      {pasted !== null && (
        <>
          <TextBox
            testId="follow-up-pasted"
            aria-label={texts.of('followUp.addText')}
            placeholder={texts.of('followUp.pastePlaceholder')}
            rows={3}
            value={pasted}
            onType={setPasted}
          />
          <div class="actions">
            <Button testId="follow-up-give" disabled={pasted.trim() === ''} onClick={give}>
              {texts.of('pages.give')}
            </Button>
          </div>
        </>
      )}
    </>
  );
}
