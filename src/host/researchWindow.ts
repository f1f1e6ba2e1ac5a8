import type * as vscode from 'vscode';
import type { Setup } from '../protocol/messages.ts';
import type { EngineOptions, KeyService, Log, ResearchEngine, TextCheck, TextOptions } from '../protocol/ports.ts';
import type { StringKey } from '../protocol/strings.ts';
import type { RunChoices } from '../runs/runChoices.ts';
import type { RunSession } from '../runs/runSession.ts';
import type { QuestionDocuments } from './documents/questionDocuments.ts';
import type { LastRunMemory } from './lastRun.ts';
import type { PanelProvider } from './panel/panelProvider.ts';
import type { Citations } from './reports/citations.ts';
import type { KeyRing } from './secrets.ts';

/** What the parts of one window share: each names the members that it needs. */
export interface ResearchWindow {
  readonly context: vscode.ExtensionContext;
  /** Absolute path of the folder that holds one folder a run. */
  readonly runsFolder: string;
  readonly log: Log;
  readonly keys: KeyRing;
  readonly keyServices: readonly KeyService[];
  readonly memory: LastRunMemory;
  readonly session: RunSession;
  readonly panel: PanelProvider;
  readonly citations: Citations;
  /** What is attached to the next question. */
  readonly documents: QuestionDocuments;
  loadEngine(): Promise<ResearchEngine>;
  /** Of a run that starts now. @param place See `currentFolder`. */
  options(place?: string): EngineOptions;
  /** What a run would use if it started now. */
  describeSetup(): Promise<Setup>;
  /** What a run of these choices would use. */
  setupFor(choices: RunChoices): Promise<Setup>;
  /** See `ResearchEngine.prepareText`. */
  prepareText(choices: RunChoices, text: Omit<TextOptions, keyof EngineOptions>): Promise<TextCheck>;
  /** The panel's texts in the editor's language, by the keys of `strings.ts`. */
  texts(): Promise<Readonly<Record<StringKey, string>>>;
  /**
   * Shows the panel with the question box; with a question, starts the run at once, one at a time.
   * @returns Whether a run has begun.
   */
  start(question?: string, choices?: RunChoices): Promise<boolean>;
  /** Shows the user what went wrong outside of a run. */
  showError(error: unknown): void;
}
