import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RunView } from '../protocol/runView.ts';
import { wantedStrategies, type WantedStrategy } from '../protocol/strategy.ts';
import { AskScreen } from './askScreen.tsx';
import { useFocusFallback } from './cardFocus.ts';
import { Foreign, Icon, IconButton } from './controls.tsx';
import type { Host } from './host.ts';
import { type Panel, PanelContext, usePanel } from './panelContext.ts';
import type { PanelState } from './panelStore.ts';
import { RunScreen } from './runScreen.tsx';
import { wantedSources } from './sourceChooser.tsx';
import { statusLook } from './statusLook.ts';

interface AppProps extends Pick<Panel, 'host' | 'send'> {
  readonly state: PanelState;
  readonly change: (change: Partial<PanelState>) => void;
}

/** The panel as a whole: the question box or the shown run, a notice above it, and announcements for screen readers. */
export function App({ state, host, change, send }: AppProps) {
  const { view, setup, texts, notice, composing, thread, evidence, steered, sent } = state;
  const asking = view.status === 'idle' || composing;
  const { announcement, announce } = useAnnouncements(asking ? '' : statusLook(view, texts).label);
  const panel: Panel = useMemo(() => {
    const compose = (question: string) => {
      host.remember({ draft: question });
      host.post({ type: 'new' });
      change({ composing: true, asked: null, notice: null });
    };
    const rerun = () => {
      const { depth, sourcesOff } = host.ui;
      const sources = wantedSources(setup.sources, sourcesOff);
      const wanted = { ...strategyOf(view), ...(depth && { depth }), ...(sources && { sources }) };
      send('start', { type: 'start', question: view.question, ...wanted });
    };
    const { run } = view;
    const { kinds } = setup;
    const hasModel = setup.analyst === 'llm';
    return {
      texts,
      host,
      kinds,
      run,
      thread,
      evidence,
      hasModel,
      steered,
      announce,
      sent,
      locked: sent === 'decision',
      send,
      compose,
      rerun,
    };
  }, [texts, host, setup, view.run, view.question, view.strategy, thread, evidence, steered, sent]);
  useDraft(host, state, asking);
  useFocusFallback();
  return (
    <PanelContext.Provider value={panel}>
      {notice !== null && <Notice notice={notice} onDismiss={() => change({ notice: null })} />}
      {asking ? <AskScreen state={state} /> : <RunScreen key={view.run} state={state} />}
      <div class="visually-hidden" role="status" data-testid="announcement">
        {announcement}
      </div>
    </PanelContext.Provider>
  );
}

function Notice({ notice, onDismiss }: { readonly notice: string; readonly onDismiss: () => void }) {
  const { texts } = usePanel();
  return (
    <div class="notice error" role="alert" data-testid="notice">
      <Icon name="error" />
      <Foreign text={notice} />
      <IconButton icon="close" label={texts.of('action.dismiss')} testId="dismiss-notice" onClick={onDismiss} />
    </div>
  );
}

/** How the shown run was researched, for its rerun. */
function strategyOf({ strategy }: RunView): { readonly strategy?: WantedStrategy } {
  const wanted = wantedStrategies.find((known) => known === strategy);
  return wanted === undefined ? {} : { strategy: wanted };
}

/** Remembers the text of the box until it was asked. */
function useDraft(host: Host, { asked, view }: PanelState, asking: boolean): void {
  useEffect(() => {
    if (asked?.question !== undefined && !asking) host.remember({ draft: asked.question });
  }, [asked]);
  useEffect(() => {
    if (!asking && host.ui.draft.trim() === view.question) host.remember({ draft: '' });
  }, [view.run, asking]);
}

/** Long enough for a screen reader to take the text; after it the region is empty, so that nothing is read twice. */
const shownMs = 3000;

/** The text of the live region: a new status of the run, or what a part of the panel announces. */
function useAnnouncements(status: string): {
  readonly announcement: string;
  readonly announce: (text: string) => void;
} {
  const [announcement, announce] = useState('');
  // What the panel shows when it opens is read from the page; only a change is news.
  const last = useRef(status);
  useEffect(() => {
    if (last.current !== status) announce(status);
    last.current = status;
  }, [status]);
  useEffect(() => {
    if (announcement === '') return;
    const timer = setTimeout(() => announce(''), shownMs);
    return () => clearTimeout(timer);
  }, [announcement]);
  return { announcement, announce };
}
