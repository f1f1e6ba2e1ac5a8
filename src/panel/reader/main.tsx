import '../base.css';
import '../report/report.css';
import './reader.css';
import { render } from 'preact';
import type { ReaderHostMessage, ReaderMessage } from '../../protocol/readerMessages.ts';
import { Pace } from '../pace.ts';
import { Texts } from '../../protocol/texts.ts';
import { citationsOf, goBackTo, placeIn, type ReadingPlace } from './places.ts';
import { type ReaderState, ReaderPage } from './readerPage.tsx';

interface Remembered {
  /** See {@link ShownReport.origin}. */
  readonly origin: string;
  readonly at?: ReadingPlace;
  /** Of a question about the report. */
  readonly draft?: string;
}

/** The entry of the page that shows a report in a tab. It holds `<div id="app">`. */
function start(root: HTMLElement): void {
  const api = acquireVsCodeApi<Remembered>();
  const post = (message: ReaderMessage) => api.postMessage(message);
  let { at, draft = '' } = api.getState() ?? {};
  let state: ReaderState | undefined;
  let wanted: Extract<ReaderHostMessage, { type: 'goTo' }> | undefined;
  const goTo = () => {
    const chips = citationsOf(root).filter(({ dataset }) => dataset['citation'] === String(wanted?.number));
    const chip = chips[wanted?.nth ?? 0];
    if (!chip) return;
    wanted = undefined;
    at = undefined;
    chip.scrollIntoView({ block: 'center' });
    chip.focus({ preventScroll: true });
  };
  const onSettled = () => {
    if (at) goBackTo(root, at);
    at = undefined;
    goTo();
    // A later drawing does not take the reader away.
    wanted = undefined;
  };
  const onDraft = (text: string) => {
    draft = text;
    remember();
  };
  const pace = new Pace(() => state && render(<ReaderPage {...{ state, draft, post, onDraft, onSettled }} />, root));
  addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isMessage(data)) return;
    if (data.type === 'goTo') {
      wanted = data;
      return goTo();
    }
    state = next(state, data);
    pace.draw(data.type === 'delta' ? 'when cheap' : 'next frame');
    if (data.type === 'report') remember();
  });
  const remember = () => state && api.setState({ origin: state.report.origin, at: at ?? placeIn(root), draft });
  addEventListener('scrollend', remember);
  post({ type: 'ready' });
}

function next(
  state: ReaderState | undefined,
  message: Exclude<ReaderHostMessage, { type: 'goTo' }>,
): ReaderState | undefined {
  if (message.type === 'report') {
    const texts = state?.texts ?? new Texts(message.strings, message.locale);
    return { ...state, texts, report: message.report };
  }
  if (!state) return undefined;
  if (message.type === 'evidence') return { ...state, answer: message };
  if (message.type === 'asked') return { ...state, asked: message };
  const { report } = state;
  return { ...state, report: { ...report, text: report.text.slice(0, message.offset) + message.text } };
}

/** Only our host posts here; this filters what other scripts of the editor broadcast. */
function isMessage(data: unknown): data is ReaderHostMessage {
  const types: readonly unknown[] = ['report', 'delta', 'evidence', 'goTo', 'asked'];
  return typeof data === 'object' && data !== null && 'type' in data && types.includes(data.type);
}

const root = document.getElementById('app');
if (root) start(root);
