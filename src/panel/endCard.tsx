import { useRef } from 'preact/hooks';
import { interruptedReason } from '../protocol/reduceRun.ts';
import type { RunView } from '../protocol/runView.ts';
import { useInSight } from './cardFocus.ts';
import { Button, Foreign, Icon } from './controls.tsx';
import { type EndAction, endActions } from './endActions.ts';
import { usePanel } from './panelContext.ts';
import type { PanelState } from './panelStore.ts';
import { statusLook } from './statusLook.ts';
import type { Texts } from '../protocol/texts.ts';

/** Why a run ended without a report, what that means, and what can be done about it. */
export function EndCard({ view, setup }: Pick<PanelState, 'view' | 'setup'>) {
  const { texts, host, send, compose, rerun } = usePanel();
  const card = useRef<HTMLElement>(null);
  useInSight(card);
  const { end } = view;
  if (!end) return null;
  const isInterrupted = end.reason === interruptedReason;
  // The title says it already, and Resume is a button here: the command line's advice does not apply.
  const isStopped = end.reason === 'abort' && view.run !== '';
  const next = isStopped ? texts.of('interrupted.next') : end.next;
  const found = view.sections.length > 0 || view.sources.length > 0 || view.report.text !== '';
  const act = (action: EndAction) => {
    switch (action.type) {
      case 'edit':
        return compose(view.question);
      case 'rerun':
        return rerun();
      case 'resume':
        return send('resume', action);
      default:
        return host.post(action);
    }
  };
  return (
    <section
      ref={card}
      class={`card ${view.status === 'failed' ? 'failed' : ''}`}
      role={view.status === 'failed' ? 'alert' : 'status'}
      tabIndex={-1}
      data-focus-fallback
      data-testid="end"
    >
      <h2>
        <Icon name={statusLook(view, texts).icon} />
        {title(view, texts)}
      </h2>
      {end.message !== '' && !isStopped && <Foreign as="p" text={end.message} data-testid="end-message" />}
      {next !== '' && <Foreign as="p" class="next" text={next} data-testid="end-next" />}
      {found && !isInterrupted && <p class="quiet">{texts.of('end.found')}</p>}
      <div class="actions">
        {endActions(view, setup).map((action, i) => (
          <Button
            key={action.type}
            look={i === 0 ? 'primary' : 'secondary'}
            testId={looks[action.type].testId}
            icon={looks[action.type].icon}
            {...(action.type === 'rerun' ? { title: texts.of('action.rerunTitle') } : {})}
            onClick={() => act(action)}
          >
            {texts.of(looks[action.type].label)}
          </Button>
        ))}
      </div>
    </section>
  );
}

const looks = {
  setKey: { icon: 'key', label: 'action.setKey', testId: 'set-key' },
  selectModel: { icon: 'sparkle', label: 'action.selectModel', testId: 'end-select-model' },
  openSettings: { icon: 'settings-gear', label: 'action.openSettings', testId: 'open-settings' },
  showLog: { icon: 'output', label: 'action.showLog', testId: 'show-log' },
  edit: { icon: 'edit', label: 'action.editQuestion', testId: 'edit-question' },
  resume: { icon: 'debug-continue', label: 'action.resume', testId: 'resume' },
  rerun: { icon: 'debug-restart', label: 'action.rerun', testId: 'rerun' },
} as const;

function title({ status, end }: RunView, texts: Texts): string {
  if (status === 'cancelled') return texts.of('end.cancelled');
  if (status === 'paused') return texts.of('end.paused');
  return texts.of(end?.reason === interruptedReason ? 'end.interrupted' : 'end.failed');
}
