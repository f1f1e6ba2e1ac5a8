import { builtIn, type Catalogue, readAllSettings } from '../catalogue.ts';
import { createModels, type CreatedModels } from '../models/createModels.ts';
import type { ProviderContext } from '../models/provider.ts';
import { webSearchModels } from '../models/webSearch.ts';
import type { EngineOptions } from '../protocol/ports.ts';
import type { SharedAnswers } from '../sources/http/answerStore.ts';
import type { HostGate } from '../sources/http/sharedGate.ts';
import type { Settings } from '../research/settings/config.ts';
import type { ReportSink, RunStore, SharedTurns, WebSearchModel } from '../research/ports.ts';
import type { Warning } from '../research/languages/warning.ts';
import type { ResearchTool } from '../research/tools.ts';

/** Options of a run, beside those of the host. */
export interface RunOptions extends EngineOptions {
  /** Default: files below the report folder of the workspace folder; nowhere without one. */
  readonly saveTo?: ReportSink;
  /** Where runs are saved. Default: folders of files below `runsFolder`. */
  readonly store?: RunStore;
  /** Where the runs that follow-ups are about are saved, and who hears of a version there. Default: `runsFolder`. */
  readonly parents?: { readonly runsFolder: string; readonly versionSaved: () => Promise<void> };
  /** What the processes of several machines share. Default: those of this machine share through files, and no limit of a key. */
  readonly shared?: SharedState;
  /** Tools from outside (MCP tools included), beside those of the sources. */
  readonly tools?: readonly ResearchTool[];
  /** Overrides of settings by flags or the API, which the settings' own ranges do not bind. */
  readonly overrides?: Partial<Settings>;
  /** Default: the providers and sources of this version. */
  readonly catalogue?: Catalogue;
  /** Warnings that belong to the run: its first events. */
  readonly warnings?: readonly { readonly code: string; readonly text: string }[];
  /** A resumed run whose model no setting of today names is refused: a command's flags may have been forgotten. */
  readonly sameModel?: boolean;
  /** See `RunParts.isUnattended`. */
  readonly isUnattended?: boolean;
  /** The run writes from what another one has read: no source is opened. */
  readonly readsOnly?: boolean;
  /** Sources are asked for what they are now, whatever was answered before the run. */
  readonly isFresh?: boolean;
  /** The process ends itself when it doesn't come back from a text for so long, in milliseconds. Default: never. */
  readonly endsStuckAfterMs?: number;
}

export interface SharedState {
  readonly gate: HostGate;
  readonly answers: SharedAnswers;
  /** @param key Names a model's server and key, without showing either. */
  readonly turns: (key: string) => SharedTurns;
}

export function settingsOf({ settings, folderSettings, overrides, catalogue }: RunOptions): Settings {
  return { ...readAllSettings(settings, catalogue, folderSettings).settings, ...overrides };
}

/** The settings as they bind a run: `workspace.forModel` is about models alone. */
export function bindingSettings(settings: Settings, withModel: boolean): Settings {
  return withModel ? settings : { ...settings, 'workspace.forModel': 'content' };
}

/** See `ResearchEngine`. */
export function effectiveSettings(options: EngineOptions & Pick<RunOptions, 'catalogue'>) {
  const { settings, folderSettings = {}, catalogue } = options;
  const all = Object.entries(readAllSettings(settings, catalogue, folderSettings).settings);
  const named = all.map(([key, value]) => [`deepResearch.${key}`, value] as const);
  return Object.fromEntries(named.filter(([key]) => key in settings || key in folderSettings));
}

/** A file that has more of them is none of ours. */
const mostUnknown = 20;

export function unknownSettings({ settings, folderSettings, catalogue }: RunOptions): Warning[] {
  const { unknown, unusable } = readAllSettings(settings, catalogue, folderSettings);
  return [
    ...unknown.slice(0, mostUnknown).map((key): Warning => ({ kind: 'settings.unknown', key })),
    ...unusable.map((key): Warning => ({ kind: 'settings.unusable', key })),
  ];
}

export function modelContext(options: RunOptions): ProviderContext {
  const { secrets, log, editorModels: editor } = options;
  return { settings: settingsOf(options), secrets, log, editor, fetch };
}

export function modelsOf(
  { secrets, log, editorModels: editor, catalogue = builtIn }: RunOptions,
  settings: Settings,
): Promise<CreatedModels> {
  return createModels({ settings, secrets, log, editor, providers: catalogue.providers });
}

/** The models that can search the web by themselves. */
export function webSearchOf(
  { secrets, log, editorModels: editor, catalogue = builtIn }: RunOptions,
  settings: Settings,
  created: CreatedModels | undefined,
): Promise<readonly WebSearchModel[]> {
  return webSearchModels({ settings, secrets, log, editor, providers: catalogue.providers }, created);
}
