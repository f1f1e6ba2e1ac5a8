import { useEffect, useRef, useState } from 'preact/hooks';
import type { DocumentItem, PanelMessage, Setup } from '../protocol/messages.ts';
import type { WantedStrategy } from '../protocol/strategy.ts';
import { AttachedList } from './attachedList.tsx';
import { Button, Foreign, Icon } from './controls.tsx';
import { choiceId, choicesId, DocumentChoices } from './documentChoices.tsx';
import { droppedAddresses, type Mention, mentionAt, withName } from './mention.ts';
import { chosenSources, SourceChooser, wantedSources } from './sourceChooser.tsx';
import { usePanel } from './panelContext.ts';
import { modelTip, setupLine } from './setupLine.ts';
import { SetupProblem } from './setupProblem.tsx';
import { StrategyChoice } from './strategyChoice.tsx';
import { maxQuestionLength, type QuestionProblem, questionProblem } from './question.ts';

interface AskScreenProps {
  readonly setup: Setup;
  /** A start was sent, and the run has not started yet. */
  readonly starting: boolean;
  /** The host wants the focus in the box, and a text in it if one is given; a new object each time. */
  readonly asked: { readonly question?: string } | null;
  readonly attached: readonly DocumentItem[];
  /** What the host found for the last `findDocuments`. */
  readonly found: { readonly query: string; readonly items: readonly DocumentItem[] } | null;
  readonly onStart: (message: Extract<PanelMessage, { type: 'start' }>) => void;
}

/** The question box, what a run would send where, and an example. */
export function AskScreen({ setup, starting, asked, attached, found, onStart }: AskScreenProps) {
  const { texts, host } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const problemCard = useRef<HTMLElement>(null);
  const [question, setQuestion] = useState(asked?.question ?? host.ui.draft);
  const [problem, setProblem] = useState<QuestionProblem | null>(null);
  const [strategy, setStrategy] = useState(host.ui.strategy);
  const [off, setOff] = useState(host.ui.sourcesOff);
  const [mention, setMention] = useState<Mention | null>(null);
  const [current, setCurrent] = useState(0);
  const [dropping, setDropping] = useState(false);
  const chosen = chosenSources(setup.sources, off);
  // What was found for other letters is on its way out.
  const choices = mention && found?.query === mention.query ? found : null;

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
  const chooseSources = (names: readonly string[]) => {
    setOff(names);
    host.remember({ sourcesOff: names });
  };
  const lookForMention = () => {
    const { value, selectionStart, selectionEnd } = box.current!;
    const next = (selectionStart === selectionEnd && mentionAt(value, selectionEnd)) || null;
    if (next && next.query !== mention?.query) host.post({ type: 'findDocuments', query: next.query });
    if (next?.query !== mention?.query) setCurrent(0);
    setMention(next);
  };
  const attach = (item: DocumentItem) => {
    if (!mention) return;
    const { text, caret } = withName(question, mention, item.name);
    type(text);
    setMention(null);
    host.post({ type: 'attach', ids: [item.id] });
    // Once the text is in the box.
    requestAnimationFrame(() => box.current?.setSelectionRange(caret, caret));
  };
  /** Whether a key belongs to the list of documents. */
  const chooseByKey = (key: string): boolean => {
    if (!choices || choices.items.length === 0) return false;
    const count = choices.items.length;
    if (key === 'ArrowDown') setCurrent((current + 1) % count);
    else if (key === 'ArrowUp') setCurrent((current + count - 1) % count);
    else if (key === 'Enter' || key === 'Tab') attach(choices.items[Math.min(current, count - 1)]!);
    else return false;
    return true;
  };
  const start = (how: { readonly withoutModel?: true } = {}) => {
    if (starting || (setup.sources.length > 0 && chosen.length === 0)) return;
    const wrong = questionProblem(question);
    setProblem(wrong);
    if (wrong) return box.current?.focus();
    // What has to be done first is done there, by the next Enter.
    if (setup.problem && !how.withoutModel) return problemCard.current?.querySelector('button')?.focus();
    const sources = wantedSources(setup.sources, off);
    onStart({
      type: 'start',
      question: question.trim(),
      ...(strategy === null ? {} : { strategy }),
      ...(sources === null ? {} : { sources: [...sources] }),
      ...how,
    });
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
    <main
      class={`ask${dropping ? ' dropping' : ''}`}
      data-testid="ask"
      data-drop={texts.of('attach.drop')}
      onDragOver={(event) => {
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropping(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setDropping(false);
        const ids = event.dataTransfer ? droppedAddresses(event.dataTransfer) : [];
        if (ids.length > 0) host.post({ type: 'attach', ids });
      }}
    >
      {setup.problem && (
        <SetupProblem
          card={problemCard}
          setup={setup}
          problem={setup.problem}
          onWithoutModel={() => start({ withoutModel: true })}
        />
      )}
      <label class="ask-label" for="question">
        {texts.of('ask.label')}
      </label>
      <textarea
        ref={box}
        id="question"
        class="input ask-input"
        data-testid="question"
        data-focus-fallback
        dir="auto"
        rows={4}
        placeholder={texts.of('ask.placeholder')}
        value={question}
        aria-invalid={problem !== null}
        aria-describedby="question-problem question-privacy"
        aria-autocomplete="list"
        aria-controls={choices ? choicesId : undefined}
        aria-activedescendant={choices && choices.items.length > 0 ? choiceId(current) : undefined}
        onInput={(event) => {
          type(event.currentTarget.value);
          lookForMention();
        }}
        onClick={lookForMention}
        onBlur={() => setMention(null)}
        onKeyUp={(event) => /^(?:Arrow(?:Left|Right)|Home|End)$/.test(event.key) && lookForMention()}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && mention) return setMention(null);
          if (!event.isComposing && !event.shiftKey && chooseByKey(event.key)) return event.preventDefault();
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
      {choices && <DocumentChoices {...choices} current={current} onChoose={attach} />}
      <AttachedList items={attached} />
      <StrategyChoice configured={setup.strategy} chosen={strategy} onChoose={choose} />
      <div class="ask-options">
        <SourceChooser sources={setup.sources} off={off} onChange={chooseSources} />
        <Button
          icon="attach"
          testId="attach"
          title={texts.of('attach.addTitle')}
          onClick={() => host.post({ type: 'pickDocuments' })}
        >
          {texts.of('attach.add')}
        </Button>
      </div>
      <div class="field-problem" role="alert" data-testid="sources-problem">
        {setup.sources.length > 0 && chosen.length === 0 && texts.of('chooser.none')}
      </div>
      <Button
        look="primary"
        icon={starting ? 'loading' : 'telescope'}
        testId="start"
        disabled={starting || (setup.sources.length > 0 && chosen.length === 0)}
        onClick={() => start()}
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
      <p id="question-privacy" class="privacy quiet" data-testid="setup-line" title={modelTip(setup, texts)}>
        <Icon name="shield" />
        <Foreign text={setupLine({ ...setup, sources: chosen }, texts, attached.length > 0).join(' ')} />
      </p>
      <button
        type="button"
        class="button link"
        data-testid="select-model"
        onClick={() => host.post({ type: 'selectModel' })}
      >
        {texts.of('action.selectModel')}
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
