import type { FollowUpKind } from '../protocol/followUp.ts';
import type { PanelMessage } from '../protocol/messages.ts';
import type { WantedStrategy } from '../protocol/strategy.ts';
import type { EntityRow } from './entityDraft.ts';
import type { PlanDraft } from './planDraft.ts';

/** What survives a hidden or reloaded webview: navigation and what was typed, never data of a run. */
export interface UiState {
  /** The question box. */
  readonly draft: string;
  /** Chosen below the question box; null: as the settings say. */
  readonly strategy: WantedStrategy | null;
  /** Names of the sources that the next run leaves out. */
  readonly sourcesOff: readonly string[];
  /** Disclosures by `RUN/NAME` that the user opened (true) or closed (false). */
  readonly open: Readonly<Record<string, boolean>>;
  readonly scroll: { readonly run: string; readonly top: number } | null;
  /** A half-typed answer to the question with this id. */
  readonly answer: { readonly id: string; readonly text: string } | null;
  /** Half-typed remarks to sections, by `RUN/SECTION`. */
  readonly remarks: Readonly<Record<string, string>>;
  /** What is typed about a report and not sent; `as` absent: the model decides. */
  readonly followUp: { readonly run: string; readonly text: string; readonly as?: FollowUpKind | undefined } | null;
  /** A review under decision: the sections that are ticked, with what was typed for each. */
  readonly review: {
    readonly run: string;
    readonly round: number;
    readonly chosen: Readonly<Record<string, boolean>>;
    readonly remarks: Readonly<Record<string, string>>;
  } | null;
  /** A plan under edit, not approved yet. */
  readonly plan: { readonly run: string; readonly round: number; readonly draft: PlanDraft } | null;
  /** A list of entities under edit, not approved yet. */
  readonly entities: { readonly run: string; readonly rows: readonly EntityRow[] } | null;
}

const noState: UiState = {
  draft: '',
  strategy: null,
  sourcesOff: [],
  open: {},
  scroll: null,
  answer: null,
  remarks: {},
  followUp: null,
  review: null,
  plan: null,
  entities: null,
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
