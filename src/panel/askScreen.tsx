import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Setup } from '../protocol/messages.ts';
import { AttachedList } from './attachedList.tsx';
import { Chooser } from './chooser.tsx';
import { Button, Foreign, Icon } from './controls.tsx';
import { DepthChoice } from './depthChoice.tsx';
import type { UiState } from './host.ts';
import { droppedAddresses } from './mention.ts';
import { chosenSources, SourceChooser, wantedSources } from './sourceChooser.tsx';
import { usePanel } from './panelContext.ts';
import type { PanelState } from './panelStore.ts';
import { StrategyChoice } from './planOptions.tsx';
import { QuestionBox, useQuestion } from './questionBox.tsx';
import { modelTip } from './modelTip.ts';
import { SetupProblem } from './setupProblem.tsx';
import { setupLine } from '../protocol/setupLine.ts';
import { wantedStrategies } from '../protocol/strategy.ts';

/** The question box, what a run would send where, and examples. */
export function AskScreen({ state }: { readonly state: PanelState }) {
  const { setup, asked, attached, found } = state;
  const { texts, host, sent, send } = usePanel();
  const starting = sent === 'start';
  const problemCard = useRef<HTMLElement>(null);
  const question = useQuestion(asked);
  const [strategy, setStrategy] = useRemembered('strategy');
  const [depth, setDepth] = useRemembered('depth');
  const [off, setOff] = useRemembered('sourcesOff');
  const chosen = chosenSources(setup.sources, off);
  const wanted = strategy ?? setup.strategy;
  const isWithoutSource = setup.sources.length > 0 && chosen.length === 0;
  const start = (how: { readonly withoutModel?: true } = {}) => {
    if (starting || isWithoutSource || !question.check()) return;
    // The problem comes first: the next Enter presses its first button.
    if (setup.problem && !how.withoutModel) return problemCard.current?.querySelector('button')?.focus();
    const sources = wantedSources(setup.sources, off);
    send('start', {
      type: 'start',
      question: question.text.trim(),
      ...(strategy && { strategy }),
      ...(depth && { depth }),
      ...(sources && { sources }),
      ...how,
    });
  };
  return (
    <DropArea>
      {setup.problem && (
        <SetupProblem
          card={problemCard}
          setup={setup}
          problem={setup.problem}
          onWithoutModel={() => start({ withoutModel: true })}
        />
      )}
      <QuestionBox question={question} found={found} onEnter={() => start()} />
      <AttachedList items={attached} />
      <DepthChoice
        {...{ setup, sources: chosen.map(({ name }) => name), strategy: wanted }}
        value={depth ?? setup.depth}
        // Back to the configured one: a later change of the settings counts again.
        onChoose={(chosen) => setDepth(chosen === setup.depth ? null : chosen)}
      />
      <div class="ask-options">
        <Button
          icon="sparkle"
          testId="select-model"
          title={texts.of('action.selectModel')}
          onClick={() => host.post({ type: 'selectModel' })}
        >
          <Foreign text={setup.model ?? texts.of(setup.analyst === 'llm' ? 'action.selectModel' : 'ask.noModel')} />
        </Button>
        <SourceChooser sources={setup.sources} off={off} onChange={setOff} />
        <Chooser name="strategies" title={texts.of('strategy.runs', texts.of(`strategy.${wanted}`))}>
          <StrategyChoice
            name="strategy"
            class="strategy"
            offered={wantedStrategies}
            value={wanted}
            onChoose={(chosen) => setStrategy(chosen === setup.strategy ? null : chosen)}
          />
        </Chooser>
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
        {isWithoutSource && texts.of('chooser.none')}
      </div>
      <Button
        look="primary"
        icon={starting ? 'loading' : 'telescope'}
        testId="start"
        disabled={starting || isWithoutSource}
        onClick={() => start()}
      >
        {texts.of(starting ? 'ask.starting' : 'ask.start')}
      </Button>
      <AskFoot setup={{ ...setup, sources: chosen }} hasAttached={attached.length > 0} onExample={question.fill} />
    </DropArea>
  );
}

/** A choice below the question box, which survives a reload of the page. */
function useRemembered<K extends keyof UiState>(key: K): readonly [UiState[K], (value: UiState[K]) => void] {
  const { host } = usePanel();
  const [value, setValue] = useState(host.ui[key]);
  const change = (next: UiState[K]) => {
    setValue(() => next);
    host.remember({ [key]: next });
  };
  return [value, change];
}

/** The screen as a place to drop documents on. */
function DropArea({ children }: { readonly children: ComponentChildren }) {
  const { texts, host } = usePanel();
  const [isTarget, setTarget] = useState(false);
  return (
    <main
      class={`ask${isTarget ? ' dropping' : ''}`}
      data-testid="ask"
      data-drop={texts.of('attach.drop')}
      onDragOver={(event) => {
        event.preventDefault();
        setTarget(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setTarget(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setTarget(false);
        const ids = event.dataTransfer ? droppedAddresses(event.dataTransfer) : [];
        if (ids.length > 0) host.post({ type: 'attach', ids });
      }}
    >
      {children}
    </main>
  );
}

interface AskFootProps {
  readonly setup: Setup;
  readonly hasAttached: boolean;
  readonly onExample: (question: string) => void;
}

/** Examples, what a run would send where, and how to change and test that. */
function AskFoot({ setup, hasAttached, onExample }: AskFootProps) {
  const { texts, host } = usePanel();
  return (
    <>
      {setup.examples.length > 0 && (
        <div class="example">
          <span class="quiet">{texts.of('ask.try')}</span>
          {setup.examples.map((example) => (
            <Button key={example} look="link" testId="example" onClick={() => onExample(example)}>
              <Foreign text={example} />
            </Button>
          ))}
        </div>
      )}
      <p id="question-privacy" class="privacy quiet" data-testid="setup-line" title={modelTip(setup, texts)}>
        <Icon name="shield" />
        <Foreign text={setupLine(setup, texts, hasAttached).join(' ')} />
      </p>
      <Button look="link" testId="check-sources" onClick={() => host.post({ type: 'checkSources' })}>
        {texts.of('setup.check')}
      </Button>
    </>
  );
}
