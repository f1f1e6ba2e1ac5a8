import { useEffect, useRef, useState } from 'preact/hooks';
import type { Setup } from '../protocol/messages.ts';
import type { WantedStrategy } from '../protocol/strategy.ts';
import { Button, Foreign, Icon } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { setupLine } from './setupLine.ts';
import { StrategyChoice } from './strategyChoice.tsx';
import { maxQuestionLength, type QuestionProblem, questionProblem } from './question.ts';

interface AskScreenProps {
  readonly setup: Setup;
  /** A start was sent, and the run has not started yet. */
  readonly starting: boolean;
  /** The host wants the focus in the box, and a text in it if one is given; a new object each time. */
  readonly asked: { readonly question?: string } | null;
  /** `strategy` null: as the settings say. */
  readonly onStart: (question: string, strategy: WantedStrategy | null) => void;
}

/** The question box, what a run would send where, and an example. */
export function AskScreen({ setup, starting, asked, onStart }: AskScreenProps) {
  const { texts, host } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const [question, setQuestion] = useState(asked?.question ?? host.ui.draft);
  const [problem, setProblem] = useState<QuestionProblem | null>(null);
  const [strategy, setStrategy] = useState(host.ui.strategy);

  const type = (text: string) => {
    setQuestion(text);
    host.remember({ draft: text });
    // A message disappears as soon as its problem is fixed.
    if (problem) setProblem(questionProblem(text) === problem ? problem : null);
  };
  const choose = (chosen: WantedStrategy | null) => {
    setStrategy(chosen);
    host.remember({ strategy: chosen });
  };
  const fill = (text: string) => {
    type(text);
    box.current?.focus();
  };
  const start = () => {
    if (starting) return;
    const found = questionProblem(question);
    setProblem(found);
    if (found) box.current?.focus();
    else if (!setup.problem) onStart(question.trim(), strategy);
  };

  useEffect(() => {
    const focus = () => box.current?.focus();
    // A view that gets the focus gives it to the page: typed letters would go nowhere.
    const focusIfNowhere = () => document.activeElement === document.body && focus();
    focus();
    addEventListener('focus', focusIfNowhere);
    return () => removeEventListener('focus', focusIfNowhere);
  }, []);
  useEffect(() => {
    if (asked?.question !== undefined) type(asked.question);
    // Without a text nothing is written: the user may have typed since this was drawn.
    if (asked) box.current?.focus();
  }, [asked]);

  const almostFull = question.length > maxQuestionLength * 0.9;
  return (
    <main class="ask" data-testid="ask">
      {setup.problem && <SetupProblem problem={setup.problem} />}
      <label class="ask-label" for="question">
        {texts.of('ask.label')}
      </label>
      <textarea
        ref={box}
        id="question"
        class="input ask-input"
        data-testid="question"
        dir="auto"
        rows={4}
        placeholder={texts.of('ask.placeholder')}
        value={question}
        aria-invalid={problem !== null}
        aria-describedby="question-problem question-privacy"
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Enter that ends a composition (Chinese, Japanese, Korean) chooses a word and does not send.
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          start();
        }}
      />
      <div id="question-problem" class="field-problem" role="alert" data-testid="question-problem">
        {problem === 'empty' && texts.of('ask.empty')}
        {problem === 'tooLong' && texts.of('ask.tooLong', question.trim().length, maxQuestionLength)}
        {problem !== 'tooLong' && almostFull && texts.of('ask.almostFull', question.length, maxQuestionLength)}
      </div>
      <StrategyChoice configured={setup.strategy} chosen={strategy} onChoose={choose} />
      <Button
        look="primary"
        icon={starting ? 'loading' : 'telescope'}
        testId="start"
        disabled={starting || setup.problem !== null}
        onClick={start}
      >
        {texts.of(starting ? 'ask.starting' : 'ask.start')}
      </Button>
      {setup.example !== '' && (
        <div class="example">
          <span class="quiet">{texts.of('ask.try')}</span>
          <button type="button" class="button link" data-testid="example" onClick={() => fill(setup.example)}>
            <Foreign text={setup.example} />
          </button>
        </div>
      )}
      <p id="question-privacy" class="privacy quiet" data-testid="setup-line">
        <Icon name="shield" />
        <Foreign text={setupLine(setup, texts).join(' ')} />
      </p>
      <button
        type="button"
        class="button link"
        data-testid="select-model"
        onClick={() => host.post({ type: 'selectModel' })}
      >
        {texts.of('setup.select')}
      </button>
      <button
        type="button"
        class="button link"
        data-testid="check-sources"
        onClick={() => host.post({ type: 'checkSources' })}
      >
        {texts.of('setup.check')}
      </button>
    </main>
  );
}

function SetupProblem({ problem }: { readonly problem: NonNullable<Setup['problem']> }) {
  const { texts, host } = usePanel();
  const fix = () =>
    host.post(
      problem.action === 'setKey'
        ? { type: 'setKey' }
        : { type: 'openSettings', ...(problem.key === undefined ? {} : { key: problem.key }) },
    );
  return (
    <section class="card warning" role="alert" data-testid="setup-problem">
      <h2>
        <Icon name="warning" />
        {texts.of('ask.problem')}
      </h2>
      <Foreign as="p" text={problem.message} />
      <div class="actions">
        <Button look="primary" testId="setup-problem-action" onClick={fix}>
          {texts.of(problem.action === 'setKey' ? 'action.setKey' : 'action.openSettings')}
        </Button>
      </div>
    </section>
  );
}
