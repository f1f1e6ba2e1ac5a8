import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RemarkView, SectionView } from '../protocol/runView.ts';
import { longestRemark, type SteerOutcome } from '../protocol/steering.ts';
import { Button, Foreign, TextBox } from './controls.tsx';
import { headingWords } from './headingWords.ts';
import { usePanel } from './panelContext.ts';
import { useRunState } from './runState.ts';

interface SectionRemarksProps {
  readonly section: SectionView;
  /** Its researcher still accepts remarks. */
  readonly canSteer: boolean;
  /** Counts how often the user asked for the box. */
  readonly wanted: number;
}

/** The user's remarks to a section's researcher and, while it accepts any, a box for another and a button that stops it. */
export function SectionRemarks({ section, canSteer, wanted }: SectionRemarksProps) {
  const { remarks = [] } = section;
  return (
    <>
      {remarks.length > 0 && <Said remarks={remarks} />}
      {canSteer && !section.stopped && <RemarkForm section={section} wanted={wanted} />}
    </>
  );
}

function Said({ remarks }: { readonly remarks: readonly RemarkView[] }) {
  const { texts } = usePanel();
  return (
    <ul class="remarks" aria-label={texts.of('remark.said')}>
      {remarks.map(({ id, text, state }) => (
        <li key={id} data-testid="remark" data-state={state}>
          <Foreign as="p" class="remark-text" text={text} />
          <span class="badge">{texts.of(`remark.${state}`)}</span>
        </li>
      ))}
    </ul>
  );
}

function RemarkForm({ section, wanted }: { readonly section: SectionView; readonly wanted: number }) {
  const { texts, announce } = usePanel();
  const { id, title } = section;
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, type] = useRunState(`remark/${id}`, '');
  const { outcome, isSending, send, stop } = useSaying(id, (said) => {
    if (said === 'remark') type('');
    announce(texts.of(said === 'remark' ? 'remark.sent' : 'section.stopping', headingWords(title)));
  });
  useLayoutEffect(() => {
    if (wanted > 0) box.current?.focus();
  }, [wanted]);
  const isTooLong = text.trim().length > longestRemark;
  const problem = isTooLong ? 'tooLong' : outcome;
  const submit = (): void => {
    if (text.trim() !== '' && !isTooLong) send(text);
  };
  return (
    <div class="remark-form">
      <label class="quiet" for={`remark-${id}`}>
        {texts.of('remark.label')}
      </label>
      <TextBox
        box={box}
        id={`remark-${id}`}
        testId="remark-text"
        rows={2}
        placeholder={texts.of('remark.placeholder')}
        value={text}
        readOnly={isSending}
        aria-invalid={problem !== null}
        aria-describedby={`remark-problem-${id}`}
        onType={type}
        onEnter={submit}
      />
      <div id={`remark-problem-${id}`} class="field-problem" role="alert" data-testid="remark-problem">
        {problem !== null && texts.of(`remark.problem.${problem}`, longestRemark)}
      </div>
      <div class="actions">
        <Button
          look="primary"
          icon="send"
          testId="send-remark"
          disabled={isSending || text.trim() === '' || isTooLong}
          onClick={submit}
        >
          {texts.of('remark.send')}
        </Button>
        <Button
          icon="debug-stop"
          testId="stop-section"
          title={texts.of('section.stopTitle')}
          disabled={isSending}
          onClick={stop}
        >
          {texts.of('section.stop')}
        </Button>
      </div>
    </div>
  );
}

/** Sends a remark or a stop to a section once, however often the button is clicked, and follows its outcome. */
function useSaying(section: string, onAccepted: (what: 'remark' | 'stop') => void) {
  const { host, steered } = usePanel();
  const [isSending, setSending] = useState(false);
  const [outcome, setOutcome] = useState<Exclude<SteerOutcome, 'accepted'> | null>(null);
  // An outcome from before this box was drawn belongs to an earlier one.
  const handled = useRef(steered);
  useEffect(() => {
    if (steered === handled.current) return;
    handled.current = steered;
    if (steered?.section !== section) return;
    setSending(false);
    setOutcome(steered.outcome === 'accepted' ? null : steered.outcome);
    if (steered.outcome === 'accepted') onAccepted(steered.what);
  }, [steered]);
  const say = (message: Parameters<typeof host.post>[0]): void => {
    if (isSending) return;
    setSending(true);
    setOutcome(null);
    host.post(message);
  };
  return {
    ...{ outcome, isSending },
    send: (text: string) => say({ type: 'remark', section, text }),
    stop: () => say({ type: 'stopSection', section }),
  };
}
