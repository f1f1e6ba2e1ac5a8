import { useRef, useState } from 'preact/hooks';
import type { RunView } from '../protocol/runView.ts';
import { useCardFocus } from './cardFocus.ts';
import { Button, Foreign, Icon } from './controls.tsx';
import { MarkdownText } from './markdownText.tsx';
import { usePanel } from './panelContext.ts';
import { maxQuestionLength, type QuestionProblem, questionProblem } from './question.ts';

interface ClarifyCardProps {
  readonly pending: NonNullable<RunView['pending']>;
  /** The answer is on its way; nothing can be chosen any more. */
  readonly sent: boolean;
  readonly onAnswer: (answer: string | null) => void;
}

/** The one question that the run asks back: options, words of one's own, or "just start". */
export function ClarifyCard({ pending, sent, onAnswer }: ClarifyCardProps) {
  const { texts, host } = usePanel();
  const card = useRef<HTMLElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const [own, setOwn] = useState(() => (host.ui.answer?.id === pending.id ? host.ui.answer.text : ''));
  const [problem, setProblem] = useState<QuestionProblem | null>(null);
  useCardFocus(card);

  const type = (text: string) => {
    setOwn(text);
    setProblem(null);
    host.remember({ answer: { id: pending.id, text } });
  };
  const answer = (text: string | null) => {
    if (sent) return;
    host.remember({ answer: null });
    onAnswer(text);
  };
  const sendOwn = () => {
    const found = questionProblem(own);
    setProblem(found);
    if (found) box.current?.focus();
    else answer(own.trim());
  };
  /** 1 to 5 choose an option, but not while a text is being typed. */
  const byDigit = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const option = /^[1-9]$/.test(event.key) ? pending.options[Number(event.key) - 1] : undefined;
    if (!option) return;
    event.preventDefault();
    answer(option.label);
  };

  return (
    <section
      ref={card}
      class="card asking"
      tabIndex={-1}
      aria-labelledby="clarify-title"
      aria-describedby="clarify-question"
      aria-busy={sent}
      data-testid="clarify"
      onKeyDown={byDigit}
    >
      <h2 id="clarify-title">
        <Icon name="question" />
        {texts.of('clarify.title')}
      </h2>
      <MarkdownText id="clarify-question" text={pending.question} testId="clarify-question" />
      {pending.why !== '' && <Foreign as="p" class="quiet" text={texts.of('clarify.why', pending.why)} />}
      {pending.options.length > 0 && (
        <ol class="options" aria-label={texts.of('clarify.options')}>
          {pending.options.map((option, i) => (
            <li key={option.label}>
              <button
                type="button"
                class={`option${option.recommended ? ' recommended' : ''}`}
                data-testid="option"
                aria-disabled={sent || undefined}
                onClick={() => answer(option.label)}
              >
                <span class="option-number" aria-hidden="true">
                  {i + 1}
                </span>
                <Foreign class="option-label" text={option.label} />
                {option.recommended && <span class="badge">{texts.of('clarify.recommended')}</span>}
              </button>
            </li>
          ))}
        </ol>
      )}
      <label class="quiet" for="own-answer">
        {texts.of('clarify.own')}
      </label>
      <textarea
        ref={box}
        id="own-answer"
        class="input"
        data-testid="own-answer"
        dir="auto"
        rows={2}
        value={own}
        readOnly={sent}
        aria-invalid={problem !== null}
        aria-describedby="own-problem"
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          sendOwn();
        }}
      />
      <div id="own-problem" class="field-problem" role="alert">
        {problem === 'empty' && texts.of('clarify.empty')}
        {problem === 'tooLong' && texts.of('clarify.tooLong', own.trim().length, maxQuestionLength)}
      </div>
      <div class="actions">
        <Button look="primary" testId="send-answer" disabled={sent} onClick={sendOwn}>
          {texts.of('clarify.send')}
        </Button>
        <Button testId="just-start" disabled={sent} title={texts.of('clarify.skipTitle')} onClick={() => answer(null)}>
          {texts.of('clarify.skip')}
        </Button>
      </div>
    </section>
  );
}
