import { useRef } from 'preact/hooks';
import { interruptedReason } from '../protocol/reduceRun.ts';
import type { RunView } from '../protocol/runView.ts';
import { useInSight } from './cardFocus.ts';
import { Button, Foreign, Icon } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { statusLook } from './statusLook.ts';

interface EndCardProps {
  readonly view: RunView;
  /** The same question again, in the box. */
  readonly onAskAgain: () => void;
  /** Goes on where the run stopped. */
  readonly onResume: () => void;
}

/** Why a run ended without a report, what that means, and the one thing to do next. */
export function EndCard({ view, onAskAgain, onResume }: EndCardProps) {
  const { texts } = usePanel();
  const card = useRef<HTMLElement>(null);
  useInSight(card);
  const { end } = view;
  if (!end) return null;
  const found = view.sections.length > 0 || view.sources.length > 0 || view.report.text !== '';
  // Of a run that was cut off more may be kept than its last picture shows.
  const canResume = view.run !== '' && (found || end.reason === interruptedReason);
  // The title says it already, and here one goes on with a click: no folder has to be found.
  const stopped = end.reason === 'abort' && canResume;
  const next = stopped ? texts.of('interrupted.next') : end.next;
  return (
    <section
      ref={card}
      class={`card ${view.status === 'failed' ? 'failed' : ''}`}
      role={view.status === 'failed' ? 'alert' : 'status'}
      data-testid="end"
    >
      <h2>
        <Icon name={statusLook(view, texts).icon} />
        {title(view, texts)}
      </h2>
      {end.message !== '' && !stopped && <Foreign as="p" text={end.message} data-testid="end-message" />}
      {next !== '' && <Foreign as="p" class="next" text={next} data-testid="end-next" />}
      {found && end.reason !== interruptedReason && <p class="quiet">{texts.of('end.kept')}</p>}
      <div class="actions">
        <PrimaryAction reason={end.reason} canResume={canResume} onAskAgain={onAskAgain} onResume={onResume} />
      </div>
    </section>
  );
}

function title({ status, end }: RunView, texts: ReturnType<typeof usePanel>['texts']): string {
  if (status === 'cancelled') return texts.of('end.cancelled');
  if (status === 'paused') return texts.of('end.paused');
  return texts.of(end?.reason === interruptedReason ? 'end.interrupted' : 'end.failed');
}

/** The setting that most likely helps, by the reason of the failure. */
const settingOf: Readonly<Record<string, string | undefined>> = {
  noEvidence: 'sources.enabled',
  notFound: 'model.name',
};

/** What helps depends on the reason (`ErrorReason` of the engine); asking again is what is left. */
function PrimaryAction({
  reason,
  canResume,
  onAskAgain,
  onResume,
}: {
  readonly reason: string;
  readonly canResume: boolean;
  readonly onAskAgain: () => void;
  readonly onResume: () => void;
}) {
  const { texts, host } = usePanel();
  const askAgain = (look: 'primary' | 'secondary') => (
    <Button look={look} icon="refresh" testId="ask-again" onClick={onAskAgain}>
      {texts.of('action.askAgain')}
    </Button>
  );
  const resume = (look: 'primary' | 'secondary') => (
    <Button look={look} icon="debug-continue" testId="resume" onClick={onResume}>
      {texts.of('action.resume')}
    </Button>
  );
  switch (reason) {
    case 'auth':
      return (
        <>
          <Button look="primary" icon="key" testId="set-key" onClick={() => host.post({ type: 'setKey' })}>
            {texts.of('action.setKey')}
          </Button>
          {canResume ? resume('secondary') : askAgain('secondary')}
        </>
      );
    case 'config':
    case 'notFound':
    case 'badRequest':
    case 'noEvidence': {
      const key = settingOf[reason];
      const open = () => host.post({ type: 'openSettings', ...(key === undefined ? {} : { key }) });
      return (
        <>
          <Button look="primary" icon="settings-gear" testId="open-settings" onClick={open}>
            {texts.of('action.openSettings')}
          </Button>
          {askAgain('secondary')}
        </>
      );
    }
    case 'cannotDo':
      return askAgain('primary');
    case 'abort':
    case 'network':
    case 'timeout':
    case 'rateLimit':
    case 'quota':
    case 'needsAnswer':
    case interruptedReason:
      if (!canResume) return askAgain('primary');
      return (
        <>
          {resume('primary')}
          {askAgain('secondary')}
        </>
      );
    default:
      return (
        <>
          <Button look="primary" icon="output" testId="show-log" onClick={() => host.post({ type: 'showLog' })}>
            {texts.of('action.showLog')}
          </Button>
          {askAgain('secondary')}
        </>
      );
  }
}
