import { useEffect, useRef, useState } from 'preact/hooks';
import { choiceId, choicesId, DocumentChoices, type FoundDocuments, useDocumentChoices } from './documentChoices.tsx';
import { TextBox } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { maxQuestionLength, type QuestionProblem, questionProblem } from './question.ts';

/** The question in the box, which survives a reload of the page. `asked`: what the host wants in it, a new object each time. */
export function useQuestion(asked: { readonly question?: string } | null) {
  const { host } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(asked?.question ?? host.ui.draft);
  const [problem, setProblem] = useState<QuestionProblem | null>(null);
  const type = (typed: string) => {
    setText(typed);
    host.remember({ draft: typed });
    // A message disappears as soon as its problem is fixed.
    if (problem) setProblem(questionProblem(typed) === problem ? problem : null);
  };
  const focus = () => box.current?.focus();
  useEffect(() => {
    // A view that gets the focus gives it to the page: typed letters would go nowhere. Nothing moves under a mouse that is pressed.
    const focusIfNowhere = () =>
      document.activeElement === document.body && box.current?.focus({ preventScroll: true });
    focus();
    addEventListener('focus', focusIfNowhere);
    return () => removeEventListener('focus', focusIfNowhere);
  }, []);
  useEffect(() => {
    if (asked?.question !== undefined) type(asked.question);
    // Without a text nothing is written: the user may have typed since this was drawn.
    if (asked) focus();
  }, [asked]);
  return {
    ...{ box, text, problem, type },
    /** Types a text, and puts the focus behind it. */
    fill(text: string) {
      type(text);
      focus();
    },
    /** Shows what is wrong with the question; true: it can be asked. */
    check() {
      const found = questionProblem(text);
      setProblem(found);
      if (found) focus();
      return found === null;
    },
  };
}

interface QuestionBoxProps {
  readonly question: ReturnType<typeof useQuestion>;
  readonly found: FoundDocuments | null;
  readonly onEnter: () => void;
}

/** The box, what is wrong with what is typed, and the documents that an `@` in it could mean. */
export function QuestionBox({ question: { box, text, problem, type }, found, onEnter }: QuestionBoxProps) {
  const { texts } = usePanel();
  const documents = useDocumentChoices(box, found, type);
  const { choices, current } = documents;
  return (
    <>
      <h1>
        <label for="question">{texts.of('ask.label')}</label>
      </h1>
      <TextBox
        box={box}
        id="question"
        class="ask-input"
        testId="question"
        data-focus-fallback
        rows={4}
        placeholder={texts.of('ask.placeholder')}
        value={text}
        aria-invalid={problem !== null}
        aria-describedby="question-problem question-privacy"
        aria-autocomplete="list"
        aria-controls={choices ? choicesId : undefined}
        aria-activedescendant={choices && choices.items.length > 0 ? choiceId(current) : undefined}
        onType={(typed) => {
          type(typed);
          documents.look();
        }}
        onClick={documents.look}
        onBlur={documents.close}
        onKeyUp={(event) => /^(?:Arrow(?:Left|Right)|Home|End)$/.test(event.key) && documents.look()}
        onKeyDown={documents.onKeyDown}
        onEnter={onEnter}
      />
      <div id="question-problem" class="field-problem" role="alert" data-testid="question-problem">
        {problem === 'empty' && texts.of('ask.empty')}
        {problem === 'tooLong' && texts.of('ask.tooLong', text.trim().length, maxQuestionLength)}
        {problem !== 'tooLong' &&
          text.length > maxQuestionLength * 0.9 &&
          texts.of('ask.almostFull', text.length, maxQuestionLength)}
      </div>
      {choices && <DocumentChoices {...choices} current={current} onChoose={documents.attach} />}
    </>
  );
}
