import { useRef, useState } from 'preact/hooks';
import type { RunView } from '../protocol/runView.ts';
import { AskingCard } from './askingCard.tsx';
import { Button, Foreign, TextBox } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { maxQuestionLength, type QuestionProblem, questionProblem } from './question.ts';
import { useReportDom } from './report/useReportDom.ts';
import { useRunState } from './runState.ts';

type Pending = NonNullable<RunView['pending']>;

/** The one question that the run asks back: options, an answer in the user's own words, or "just start". */
export function ClarifyCard({ pending }: { readonly pending: Pending }) {
  const { texts, locked, send } = usePanel();
  const [typed, type, forget] = useRunState(`answer/${pending.id}`, '');
  const answer = (text: string | null) => {
    if (locked) return;
    forget();
    send('decision', { type: 'answer', id: pending.id, answer: text });
  };
  /** 1 to 9 choose an option, but not while a text is being typed. */
  const answerByDigit = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const option = /^[1-9]$/.test(event.key) ? pending.options[Number(event.key) - 1] : undefined;
    if (!option) return;
    event.preventDefault();
    answer(option.label);
  };
  return (
    <AskingCard
      name="clarify"
      icon="question"
      title={texts.of('clarify.title')}
      testId="clarify"
      describedBy="clarify-question"
      onKeyDown={answerByDigit}
    >
      <Question text={pending.question} />
      {pending.why !== '' && <Foreign as="p" class="quiet" text={texts.of('clarify.why', pending.why)} />}
      {pending.options.length > 0 && <Options options={pending.options} onChoose={answer} />}
      <OwnAnswer text={typed} onType={type} onAnswer={answer} />
    </AskingCard>
  );
}

const noSource = () => undefined;

/** Markdown of a model, rendered by the rules of the report. */
function Question({ text }: { readonly text: string }) {
  const element = useReportDom({ text, cite: noSource }, () => undefined);
  return <div ref={element} id="clarify-question" class="markdown" data-testid="clarify-question" />;
}

interface OptionsProps {
  readonly options: Pending['options'];
  readonly onChoose: (label: string) => void;
}

function Options({ options, onChoose }: OptionsProps) {
  const { texts, locked } = usePanel();
  return (
    <ol class="options" aria-label={texts.of('clarify.options')}>
      {options.map((option, i) => (
        <li key={option.label}>
          <button
            type="button"
            class={`option${option.recommended ? ' recommended' : ''}`}
            data-testid="option"
            aria-disabled={locked || undefined}
            onClick={() => onChoose(option.label)}
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
  );
}

interface OwnAnswerProps {
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly onAnswer: (answer: string | null) => void;
}

/** A box for an answer in the user's own words, and "just start". */
function OwnAnswer({ text, onType, onAnswer }: OwnAnswerProps) {
  const { texts, locked } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<QuestionProblem | null>(null);
  const send = () => {
    const found = questionProblem(text);
    setProblem(found);
    if (found) box.current?.focus();
    else onAnswer(text.trim());
  };
  return (
    <>
      <label class="quiet" for="own-answer">
        {texts.of('clarify.own')}
      </label>
      <TextBox
        box={box}
        id="own-answer"
        testId="own-answer"
        rows={2}
        value={text}
        readOnly={locked}
        aria-invalid={problem !== null}
        aria-describedby="own-problem"
        onType={(typed) => {
          onType(typed);
          setProblem(null);
        }}
        onEnter={send}
      />
      <div id="own-problem" class="field-problem" role="alert">
        {problem === 'empty' && texts.of('clarify.empty')}
        {problem === 'tooLong' && texts.of('clarify.tooLong', text.trim().length, maxQuestionLength)}
      </div>
      <div class="actions">
        <Button look="primary" testId="send-answer" disabled={locked} onClick={send}>
          {texts.of('clarify.send')}
        </Button>
        <Button
          testId="just-start"
          disabled={locked}
          title={texts.of('clarify.skipTitle')}
          onClick={() => onAnswer(null)}
        >
          {texts.of('clarify.skip')}
        </Button>
      </div>
    </>
  );
}
