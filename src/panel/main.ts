import './panel.css';
import { h, render } from 'preact';
import type { HostMessage } from '../protocol/messages.ts';
import { App } from './app.tsx';
import { connectHost } from './host.ts';
import { type PanelState, receive } from './panelStore.ts';

/** The webview's entry. The page holds `<div id="app">`; everything else comes from the host's messages. */
function start(root: HTMLElement): void {
  const host = connectHost();
  let state: PanelState | null = null;
  let frame = 0;

  const draw = () => {
    frame = 0;
    if (state) render(h(App, { state, host, change }), root);
  };
  /** However many messages arrive, the picture is drawn once a frame. */
  const show = (next: PanelState | null) => {
    if (next === state) return;
    state = next;
    frame ||= requestAnimationFrame(draw);
  };
  const change = (part: Partial<PanelState>) => show(state && { ...state, ...part });

  addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isMessage(data)) show(receive(state, data, Date.now()));
  });
  host.post({ type: 'ready' });
}

/** Our host is the only one that can post here; this keeps out what other scripts of the editor broadcast. */
function isMessage(data: unknown): data is HostMessage {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';
}

const root = document.getElementById('app');
if (root) start(root);
