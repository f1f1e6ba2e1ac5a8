import type { PanelMessage } from '../protocol/messages.ts';
import type { Depth } from '../protocol/planBounds.ts';
import type { WantedStrategy } from '../protocol/strategy.ts';

/** What survives a hidden or reloaded webview: navigation and what was typed, never data of a run. */
export interface UiState {
  /** The question box. */
  readonly draft: string;
  /** Chosen below the question box; null: as the settings say. */
  readonly strategy: WantedStrategy | null;
  readonly depth: Depth | null;
  /** Names of the sources that the next run leaves out. */
  readonly sourcesOff: readonly string[];
  readonly scroll: { readonly run: string; readonly top: number } | null;
  /** What was opened, ticked and typed in a run, by `RUN/NAME` (`useRunState`). */
  readonly ofRun: Readonly<Record<string, unknown>>;
}

const noState: UiState = {
  draft: '',
  strategy: null,
  depth: null,
  sourcesOff: [],
  scroll: null,
  ofRun: {},
};

/** The connection to the extension host, and the panel's memory across reloads. */
export interface Host {
  post(message: PanelMessage): void;
  readonly ui: UiState;
  /** Merges into {@link Host.ui}. */
  remember(change: Partial<UiState>): void;
}

export function connectHost(): Host {
  const api = acquireVsCodeApi<UiState>();
  let ui: UiState = { ...noState, ...api.getState() };
  return {
    post: (message) => api.postMessage(message),
    get ui() {
      return ui;
    },
    remember(change) {
      ui = { ...ui, ...change };
      api.setState(ui);
    },
  };
}
