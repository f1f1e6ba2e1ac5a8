import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Setup, SetupAction } from '../protocol/messages.ts';
import { Button, Foreign, Icon } from './controls.tsx';
import { usePanel } from './panelContext.ts';

interface SetupProblemProps {
  readonly card: RefObject<HTMLElement | null>;
  readonly setup: Setup;
  readonly problem: NonNullable<Setup['problem']>;
  /** Starts the question in the box. */
  readonly onWithoutModel: () => void;
}

/** Why no run can start as the settings say, and what can be done about it. */
export function SetupProblem({ card, setup, problem, onWithoutModel }: SetupProblemProps) {
  const { texts, host } = usePanel();
  const [trying, setTrying] = useState(false);
  const [tried, setTried] = useState('');
  // Every answer is another setup.
  useEffect(() => {
    if (trying) setTried(new Date().toLocaleTimeString(document.documentElement.lang || undefined));
    setTrying(false);
  }, [setup]);
  const act = (action: SetupAction) => {
    switch (action) {
      case 'tryAgain':
        setTrying(true);
        return host.post({ type: 'tryAgain' });
      case 'setKey':
        return host.post({ type: 'setKey', provider: setup.provider });
      case 'withoutModel':
        return onWithoutModel();
      case 'selectModel':
        return host.post({ type: 'selectModel' });
      case 'openSettings':
        return host.post({ type: 'openSettings', ...(problem.key === undefined ? {} : { key: problem.key }) });
    }
  };
  const [first] = problem.actions;
  return (
    <section ref={card} class="card warning" role="alert" data-testid="setup-problem">
      <h2>
        <Icon name="warning" />
        {texts.of(first === 'tryAgain' ? 'ask.modelDown' : 'ask.problem')}
      </h2>
      <Foreign as="p" text={problem.message} />
      {tried !== '' && <p class="quiet">{texts.of('ask.tried', tried)}</p>}
      <div class="actions">
        {problem.actions.map((action) => {
          const busy = action === 'tryAgain' && trying;
          return (
            <Button
              key={action}
              look={action === first ? 'primary' : 'secondary'}
              testId={`setup-problem-${action}`}
              disabled={busy}
              {...(action === 'withoutModel' ? { title: texts.of('action.withoutModelTitle') } : {})}
              onClick={() => act(action)}
            >
              {texts.of(busy ? 'action.trying' : `action.${action}`)}
            </Button>
          );
        })}
      </div>
    </section>
  );
}
