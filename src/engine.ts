import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import type { EngineOptions, EngineSetup, ExportOptions, ResearchCallbacks } from './protocol/ports.ts';
import { systemClock } from './node/clock.ts';
import { folderSink } from './node/reportSink.ts';
import { fileRunStore, newRunId } from './node/runStore.ts';
import { openWorkspace } from './node/workspace.ts';
import { type SettingKey, type Settings } from './research/config.ts';
import { readAllSettings } from './settings.ts';
import { sourceDefinitions } from './sources/registry.ts';
import { endpointSettings } from './sources/sourceSettings.ts';
import { openedInTime } from './research/persistence/boundedStorage.ts';
import { ResearchError } from './research/errors.ts';
import type { Log, ReportSink, RunRecord, WorkspacePort } from './research/ports.ts';
import { createTools, enabledSources } from './sources/createTools.ts';
import { createPoliteClient, type PoliteClient, userAgentOf } from './sources/http/politeClient.ts';
import { readWorkspaceFacts } from './sources/workspaceFacts.ts';
import { checkedQuestion, runResearch, type ResearchResult } from './research/runResearch.ts';
import type { RunParts } from './research/run/createRun.ts';
import type { ResearchTool, WorkspaceFacts } from './research/tools.ts';
import { untilAborted, within } from './research/calls/waiting.ts';

/**
 * Puts the engine together: settings, models, sources and the file system for the research core. The extension host loads
 * this module on first use, the command line at its start.
 */
export interface RunOptions extends EngineOptions {
  /** Default: files below the report folder of the workspace folder; nowhere without one. */
  readonly saveTo?: ReportSink;
  /** Tools from outside (MCP tools included), beside those of the sources. */
  readonly tools?: readonly ResearchTool[];
  /** Overrides of settings by flags or the API, which the settings' own ranges do not bind. */
  readonly overrides?: Partial<Settings>;
  /** Warnings that belong to the run: its first events. */
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
  /**
   * A resumed run uses its own values for what is not given today (folder, model settings at their defaults), so that a
   * command need not repeat its flags. Without it today's settings are complete, as an editor's are. Never set it where trust
   * decides.
   */
  readonly asBegun?: boolean;
}

/** What a run would use if it began now. What is wrong stands in `problem`; it does not reject for it. */
export async function describeSetup(options: RunOptions): Promise<EngineSetup> {
  const nothing = {
    analyst: 'extractive',
    provider: '',
    model: null,
    modelHost: null,
    sources: [],
    strategy: 'auto',
  } as const;
  let settings: Settings;
  try {
    settings = { ...readAllSettings(options.settings).settings, ...options.overrides };
  } catch (error) {
    const { message } = ResearchError.from(error);
    return { ...nothing, problem: { message, action: 'openSettings', key: 'deepResearch' } };
  }
  const sources = enabledSources(settings, options.workspaceFolder !== undefined);
  const workspaceForModel = settings['workspace.forModel'];
  const { strategy } = settings;
  try {
    const { createModels } = await import('./models/createModels.ts');
    const created = await createModels({ settings, secrets: options.secrets, log: options.log });
    if (created.kind === 'extractive') return { ...nothing, provider: 'extractive', sources, strategy, problem: null };
    return {
      analyst: 'llm',
      provider: created.provider,
      model: created.model,
      modelHost: created.host,
      sources,
      strategy,
      workspaceForModel,
      problem: null,
    };
  } catch (error) {
    const { reason, message } = ResearchError.from(error);
    const action = reason === 'auth' ? 'setKey' : 'openSettings';
    // A model is meant, though it can't be used yet: "nothing is sent" would be wrong.
    const meant = {
      analyst: 'llm',
      provider: settings['model.provider'],
      model: settings['model.name'] || null,
      modelHost: null,
    } as const;
    return {
      ...meant,
      sources,
      strategy,
      workspaceForModel,
      problem: { message, action, ...(action === 'openSettings' ? { key: 'deepResearch.model' } : {}) },
    };
  }
}

/** Researches a question to the saved report. Rejects with a `ResearchError`; see `runResearch`. */
export async function research(options: RunOptions & ResearchCallbacks): Promise<ResearchResult> {
  if (options.resume !== undefined) return resumeRun(options, options.resume);
  const question = checkedQuestion(options.question ?? '');
  const { parts, controller, warnings } = await assemble(options, options.signal);
  const store = fileRunStore(options.runsFolder, parts.settings['runs.keep']);
  return runResearch({
    ...parts,
    ...callbacksOf(options),
    ...{ question, controller, warnings },
    workspaceFolder: options.workspaceFolder,
    program: options.version,
    run: newRunId(systemClock.now()),
    openFolder: (record) => store.create(record),
  });
}

/** Goes on where a run stopped: what was paid for is in its journal. Rejects with `badRequest` for a run that can't go on. */
async function resumeRun(options: RunOptions & ResearchCallbacks, run: string): Promise<ResearchResult> {
  const now: Settings = { ...readAllSettings(options.settings).settings, ...options.overrides };
  const kept = await openedInTime(fileRunStore(options.runsFolder, now['runs.keep']).open(run), (late) =>
    late.folder.close(),
  );
  try {
    const { record } = kept;
    if (record.status === 'finished') {
      throw new ResearchError(
        'badRequest',
        `The run ${run} is finished${record.path ? `: ${record.path}` : '; its report is kept with it'}.`,
        { next: 'Ask the question anew to research it again.' },
      );
    }
    const { settings, overrides, kept: keptKeys } = settingsToGoOn(record, now, options.asBegun ?? false);
    const workspaceFolder = options.workspaceFolder ?? (options.asBegun ? record.workspace : undefined);
    const { parts, controller, warnings } = await assemble(
      { ...options, settings, overrides, ...(workspaceFolder === undefined ? {} : { workspaceFolder }) },
      options.signal,
    );
    return await runResearch({
      ...parts,
      ...callbacksOf(options),
      ...{ controller, run },
      warnings: [...kept.warnings, ...warnings],
      question: record.question,
      // One that must not be read today is still the folder that it belongs to.
      workspaceFolder: workspaceFolder ?? record.workspace,
      program: record.program,
      journal: kept.journal,
      checkpoints: kept.checkpoints,
      events: kept.events,
      openFolder: () => Promise.resolve(kept.folder),
      resume: {
        created: record.created,
        status: record.status,
        otherVersion: record.program !== options.version,
        damaged: kept.damaged,
        changes: changesOf(record, keptKeys, options.version, parts),
      },
    });
  } finally {
    await kept.folder.close();
  }
}

/** Where a model is asked, which one, and which for a single role. */
const serverSettings = ['model.provider', 'model.baseUrl'] as const satisfies readonly SettingKey[];
const modelSettings = [
  ...serverSettings,
  'model.name',
  'model.research',
  'model.compression',
  'model.report',
] as const satisfies readonly SettingKey[];
/** Settings that no prompt depends on: who answers, how long to wait for it, where to save. Today's count for a run that goes on. */
const todaysSettings: readonly SettingKey[] = [
  ...modelSettings,
  ...endpointSettings(),
  'limits.idleSeconds',
  'report.folder',
];

/**
 * The settings of a record, which shaped its prompts: with others, what was paid for would be paid again. Whoever mends the
 * reason for which it stopped (a dead server, a used up quota) means the settings of today.
 * @param asBegun Of those, the record's count where today's are at their defaults. What belongs to another server is not kept.
 */
function settingsToGoOn(
  { settings: recorded }: RunRecord,
  now: Settings,
  asBegun: boolean,
): {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly overrides: Partial<Settings>;
  readonly kept: readonly SettingKey[];
} {
  // The rounds of a flag may lie beyond what the setting allows.
  const { 'limits.maxReviewIterations': rounds, ...rest } = recorded;
  const overrides = typeof rounds === 'number' ? { 'limits.maxReviewIterations': rounds } : {};
  const defaults = readAllSettings({}).settings;
  const differs = (key: SettingKey, other: Readonly<Record<string, unknown>>) =>
    JSON.stringify(now[key]) !== JSON.stringify(other[key]);
  const isSet = (key: SettingKey) => differs(key, defaults);
  const before = { ...readAllSettings(rest).settings, ...overrides };
  const isOtherServer = serverSettings.some((key) => isSet(key) && differs(key, before));
  const mended = todaysSettings.filter(
    (key) => !asBegun || isSet(key) || (isOtherServer && modelSettings.some((one) => one === key)),
  );
  const settings = { ...rest, ...Object.fromEntries(mended.map((key) => [key, now[key]])) };
  const kept = (Object.keys(before) as SettingKey[]).filter(
    (key) => !todaysSettings.includes(key) && isSet(key) && differs(key, before),
  );
  return { settings, overrides, kept };
}

/** What is different from the time when the run began, in words. */
function changesOf(
  record: RunRecord,
  keptKeys: readonly SettingKey[],
  version: string,
  parts: Pick<RunParts, 'model' | 'provider'>,
): string[] {
  const changes: string[] = [];
  if (record.program !== version)
    changes.push(
      `The run began with version ${record.program}; this is ${version}. Calls whose prompts changed since are made again.`,
    );
  if (keptKeys.length > 0)
    changes.push(
      `The run goes on with the settings it began with; changed since: ${keptKeys.map((key) => `deepResearch.${key}`).join(', ')}.`,
    );
  const [before, after] = [record, parts].map(({ model, provider }) =>
    model === null ? 'no model' : `${model} (${provider})`,
  );
  if (before !== after)
    changes.push(`The run began with ${before} and goes on with ${after}. What was answered before stays as it is.`);
  return changes;
}

function callbacksOf({ answer, approve, decideReview, onEvent, signal, finishSignal }: ResearchCallbacks) {
  return { answer, approve, decideReview, onEvent, signal, finishSignal };
}

export interface Assembled {
  readonly parts: Omit<RunParts, 'folder'>;
  /** Ends every call of the run. */
  readonly controller: AbortController;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

export { exportFileName } from './research/export/exportFileName.ts';

/** Writes a kept run as one file: a web page, its references, or all that was kept of it. Rejects with a `ResearchError`. */
export async function exportRun(options: ExportOptions): Promise<void> {
  const { exportRun: write } = await import('./node/exportRun.ts');
  await write(options);
}

/** Everything that a run is made of, from the options. Rejects with `config` or `auth` when they can't be used. */
export async function assemble(
  options: RunOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<Assembled> {
  const read = readAllSettings(options.settings);
  const settings: Settings = { ...read.settings, ...options.overrides };
  const controller = new AbortController();
  // Every section and call of a run listens to this one signal.
  setMaxListeners(0, controller.signal);
  const thinking = await untilAborted(chooseAnalyst(options, settings), signal);
  const looking = await openSources(options, settings, signal);
  return {
    parts: {
      ...thinking,
      settings,
      tools: [...looking.tools, ...(options.tools ?? [])],
      sourceKinds: new Set(sourceDefinitions.map(({ name }) => name)),
      workspace: looking.facts,
      sink: options.saveTo ?? defaultSink(options, settings),
      clock: systemClock,
      log: options.log,
      onReconnected: () => client?.reconnected(),
    },
    controller,
    warnings: [
      ...read.warnings.map((message, index) => ({ code: `settings.unknown.${index}`, message })),
      ...(options.warnings ?? []),
      ...looking.unavailable.map(({ source, why }) => ({ code: `source.${source}.unavailable`, message: why })),
    ],
  };
}

async function chooseAnalyst(
  { secrets, log }: EngineOptions,
  settings: Settings,
): Promise<Pick<RunParts, 'analyst' | 'fallback' | 'models' | 'provider' | 'model'>> {
  const [{ createModels }, { ExtractiveAnalyst }] = await Promise.all([
    import('./models/createModels.ts'),
    import('./research/analyst/extractive/extractiveAnalyst.ts'),
  ]);
  const fallback = new ExtractiveAnalyst();
  const created = await createModels({ settings, secrets, log });
  if (created.kind === 'extractive')
    return { analyst: fallback, fallback, models: undefined, provider: 'extractive', model: null };
  const { LlmAnalyst } = await import('./research/analyst/llm/llmAnalyst.ts');
  return {
    analyst: new LlmAnalyst(),
    fallback,
    models: created.models,
    provider: created.provider,
    model: created.model,
  };
}

/** The first look at a folder: one of 20,000 files on a slow disk takes some seconds. */
const folderMs = 60_000;

/** What a folder tells. One on a drive that hangs keeps no run from its beginning: it begins without, and its searches end alone. */
async function inTime(
  facts: Promise<WorkspaceFacts>,
  log: Log,
  signal: AbortSignal,
): Promise<WorkspaceFacts | undefined> {
  const late = (): ResearchError =>
    new ResearchError(
      'timeout',
      `The folder could not be looked through within ${folderMs / 1000} s; the run begins without what it tells.`,
    );
  try {
    return await untilAborted(within(folderMs, facts, late), signal);
  } catch (error) {
    if (!ResearchError.is(error, 'timeout')) throw error;
    log.warn(error.message);
    return undefined;
  }
}

let client: PoliteClient | undefined;

async function openSources(
  options: RunOptions,
  settings: Settings,
  signal: AbortSignal,
): Promise<{
  tools: readonly ResearchTool[];
  unavailable: readonly { source: string; why: string }[];
  facts: WorkspaceFacts | undefined;
}> {
  let workspace: WorkspacePort | undefined;
  let facts: WorkspaceFacts | undefined;
  if (options.workspaceFolder !== undefined && settings['workspace.forModel'] !== 'off') {
    workspace = await openWorkspace(options.workspaceFolder, {
      exclude: settings['workspace.exclude'],
      reportFolder: settings['report.folder'],
    });
    facts = await inTime(readWorkspaceFacts(workspace, settings, signal), options.log, signal);
  }
  // One client for all runs of the process: the pace that a host asks for holds over all of them, and so does the cache.
  client ??= createPoliteClient({ userAgent: userAgentOf(options.version), clock: systemClock, log: options.log });
  const { tools, unavailable } = await createTools({
    settings,
    ...(workspace && { workspace }),
    ...(facts && { facts }),
    secrets: options.secrets,
    client,
    log: options.log,
  });
  return { tools, unavailable, facts };
}

function defaultSink({ workspaceFolder }: RunOptions, settings: Settings): ReportSink {
  if (workspaceFolder === undefined) return { save: () => Promise.resolve(undefined) };
  return folderSink(join(workspaceFolder, settings['report.folder']));
}
