import './base.css';
import './panel.css';
import './report/report.css';
import { h, render } from 'preact';
import type { HostMessage, PanelMessage } from '../protocol/messages.ts';
import { App } from './app.tsx';
import { connectHost } from './host.ts';
import { Pace } from './pace.ts';
import { type PanelState, receive, type Sent } from './panelStore.ts';
import { ReportDom } from './report/reportDom.tsx';

/** The webview's entry. The page holds `<div id="app">`; everything else comes from the host's messages. */
function start(root: HTMLElement): void {
  const host = connectHost();
  let state: PanelState | null = null;
  const pace = new Pace(() => {
    if (state) render(h(App, { state, host, change, send }), root);
  });

  const show = (next: PanelState | null, when: 'next frame' | 'when cheap') => {
    if (next === state) return;
    state = next;
    pace.draw(when);
  };
  const change = (part: Partial<PanelState>) => show(state && { ...state, ...part }, 'next frame');

  /** Checks the state itself: what is drawn is a frame old, and Enter may be pressed twice in it. */
  const send = (what: Sent, message: PanelMessage) => {
    if (!state || state.sent === what || state.sent === 'stop') return;
    host.post(message);
    change({ sent: what, notice: null });
  };

  addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isMessage(data)) show(receive(state, data, Date.now()), isReportText(data) ? 'when cheap' : 'next frame');
  });
  host.post({ type: 'ready' });
  requestIdleCallback(warmUp);
}

/** Runs once what a report needs, while idle: the first words of a real one then appear without a hitch. */
function warmUp(): void {
  const text = '# A\n\nB **c** [1] `d` [e](https://f)\n\n- g\n\n| h |\n|---|\n| i |\n\n```\nj\n```\n';
  new ReportDom(document.createElement('div')).update(text, () => undefined, Infinity);
}

/** Nothing but more of the report, which need not be drawn at once. */
function isReportText(message: HostMessage): boolean {
  return message.type === 'events' && message.events.every((event) => event.type === 'report/delta');
}

/** Only our host posts here; this filters what other scripts of the editor broadcast. */
function isMessage(data: unknown): data is HostMessage {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';
}

const root = document.getElementById('app');
if (root) start(root);
