import { rewriteDocument } from '../markdown/rewriteDocument.ts';
import { useEffect, useState } from 'preact/hooks';
import { isLive, type RunView, type UsageView } from '../protocol/runView.ts';
import { canFinish, phaseKey, statusLook } from './statusLook.ts';
import { Button, Icon } from './controls.tsx';
import { clockText, elapsedMs } from './elapsed.ts';
import { usePanel } from './panelContext.ts';
import type { PanelState } from './panelStore.ts';
import { plain } from './plain.ts';
import { steps } from './steps.ts';
import type { Texts } from '../protocol/texts.ts';

type Timed = Pick<PanelState, 'view' | 'skew'>;

/** Stays at the top: the state of the run, its time and cost, and its actions. */
export function RunHeader({ view, skew }: Timed) {
  const { texts, sent, send } = usePanel();
  const [stopping, finishing] = [sent === 'stop', sent === 'finish'];
  const { icon, label } = statusLook(view, texts);
  const live = isLive(view);
  return (
    <header
      class={`run-header ${view.status}`}
      tabIndex={-1}
      data-focus-fallback
      data-testid="run-header"
      data-status={view.status}
    >
      <div class="status-row">
        <div class="status-text">
          <span class="status" data-testid="status">
            <Icon name={icon} />
            <span>{label}</span>
          </span>
          <Elapsed view={view} skew={skew} />
          <Indexing view={view} />
          <Tokens view={view} />
        </div>
        {live && (
          <div class="run-actions">
            {/* Always one of them: the header must not grow with the first source. */}
            {view.indexed === undefined ? (
              <Button
                icon="check-all"
                title={texts.of('action.finish.title')}
                testId="finish"
                disabled={finishing || stopping || !canFinish(view)}
                onClick={() => send('finish', { type: 'finish' })}
              >
                {texts.of(finishing ? 'action.finishing' : 'action.finish')}
              </Button>
            ) : (
              <Button
                icon="check-all"
                title={texts.of('action.answerNow.title')}
                testId="answer-now"
                disabled={sent !== null}
                onClick={() => send('answerNow', { type: 'answerNow' })}
              >
                {texts.of('action.answerNow')}
              </Button>
            )}
            <Button
              icon="debug-stop"
              title={texts.of('action.stop')}
              testId="stop"
              disabled={stopping}
              onClick={() => send('stop', { type: 'stop' })}
            >
              {texts.of(stopping ? 'action.stopping' : 'action.stop')}
            </Button>
          </div>
        )}
      </div>
      {view.status === 'finished' ? <ReportActions view={view} /> : <Stepper view={view} />}
    </header>
  );
}

/** Ticks each second while the run is running and the panel is visible. */
function Elapsed({ view, skew }: Timed) {
  const { texts } = usePanel();
  const [now, setNow] = useState(Date.now);
  const running = view.status === 'running';
  useEffect(() => {
    if (!running) return;
    const tick = () => {
      if (!document.hidden) setNow(Date.now());
    };
    tick();
    const timer = setInterval(tick, 1000);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [running]);
  return (
    <span class="meter" title={texts.of('status.elapsed')} data-testid="elapsed">
      {clockText(elapsedMs(view, now, skew))}
    </span>
  );
}

function Indexing({ view }: { readonly view: RunView }) {
  const { texts } = usePanel();
  const { indexed } = view;
  if (!isLive(view) || indexed === undefined) return null;
  const label = texts.of('status.indexed', indexed.files, indexed.of);
  return (
    <span class="meter" data-testid="indexing">
      <progress value={indexed.files} max={indexed.of} aria-label={label} title={label} /> {label}
    </span>
  );
}

function Tokens({ view }: { readonly view: RunView }) {
  const { texts } = usePanel();
  const { tokens, cost } = view;
  const arriving = Object.values((isLive(view) && view.receiving) || {}).reduce((all, one) => all + one, 0);
  // Also before the first tokens: the header must not grow with them.
  if (view.analyst !== 'llm') return null;
  const sum = texts.of('status.tokensTitle', tokens.in, tokens.out, tokens.cached);
  const all = tokens.estimated ? `${sum} (${texts.of('status.estimated')})` : sum;
  const title = [all, ...view.usage.map((line) => usageLine(line, texts))].join('\n');
  return (
    <span class="meter tokens" data-testid="tokens" title={title}>
      {tokens.estimated && <span aria-hidden="true">≈ </span>}
      {texts.of('status.tokens', texts.compact(tokens.in + tokens.out))}
      {tokens.estimated && <span class="visually-hidden"> ({texts.of('status.estimated')})</span>}
      {arriving > 0 && ` + ${texts.of('status.receiving', texts.compact(arriving))}`}
      {cost !== null && ` · ${texts.money(cost)}`}
    </span>
  );
}

/** What one model took in one phase. */
function usageLine({ phase, model, in: tokensIn, out, cached, cost }: UsageView, texts: Texts): string {
  const line = texts.of('status.usage', texts.of(phaseKey(phase)), model, tokensIn, out, cached);
  return cost === null ? line : `${line} · ${texts.money(cost)}`;
}

function Stepper({ view }: { readonly view: RunView }) {
  const { texts } = usePanel();
  return (
    <ol class="stepper" aria-label={texts.of('phases.label')} data-testid="stepper">
      {steps(view).map(({ label, state }) => (
        <li
          key={label}
          class={state}
          aria-current={state === 'current' ? 'step' : undefined}
          data-testid="step"
          data-step={label.slice('phase.'.length)}
          data-state={state}
        >
          <span class="step-label">{texts.of(label)}</span>
          <span class="visually-hidden">: {texts.of(`phase.${state}`)}</span>
        </li>
      ))}
    </ol>
  );
}

function ReportActions({ view }: { readonly view: RunView }) {
  const { texts, host, announce, compose } = usePanel();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    // A run that was copied from elsewhere may contain anything.
    host.post({ type: 'copy', text: rewriteDocument(view.report.text) });
    setCopied(true);
    announce(texts.of('action.copied'));
  };
  // An answer is shown beneath the report that is opened.
  const saved = view.report.path !== undefined || view.parent !== undefined;
  return (
    <div class="actions report-actions" data-testid="report-actions">
      {!saved && (
        <Button look="primary" icon="save" testId="save-report" onClick={() => host.post({ type: 'saveReport' })}>
          {texts.of('action.save')}
        </Button>
      )}
      <Button
        look={saved ? 'primary' : 'secondary'}
        icon="go-to-file"
        title={texts.of('action.openTitle')}
        testId="open-report"
        onClick={() => host.post({ type: 'openReport' })}
      >
        {texts.of('action.open')}
      </Button>
      <Button
        icon="open-preview"
        title={texts.of('action.previewTitle')}
        testId="open-preview"
        onClick={() => host.post({ type: 'openPreview' })}
      >
        {texts.of('action.preview')}
      </Button>
      <Button icon={copied ? 'check' : 'copy'} title={texts.of('action.copyTitle')} testId="copy-report" onClick={copy}>
        {texts.of('action.copy')}
      </Button>
      <Button icon="add" title={texts.of('action.newTitle')} testId="new-question" onClick={() => compose('')}>
        {texts.of('action.new')}
      </Button>
    </div>
  );
}

/** The model, for the line under the question. */
export function modelText(view: RunView, texts: Texts): string {
  if (view.analyst === 'extractive') return texts.of('status.extractive');
  const key = view.report.writtenBy === 'quotes' ? 'status.modelUnused' : 'status.model';
  return texts.of(key, plain(view.model ?? view.provider), plain(view.provider));
}
