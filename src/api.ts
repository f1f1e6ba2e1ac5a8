import process from 'node:process';
import packageJson from '../package.json' with { type: 'json' };
import { builtIn, readAllSettings } from './catalogue.ts';
import { type RunOptions, research } from './engine.ts';
import {
  type AnalystParts,
  createAnalyst as analystOf,
  createSources as sourcesOf,
  type SourceParts,
} from './engine/graphParts.ts';
import type { FollowUp, ResearchCallbacks } from './protocol/ports.ts';
import { systemClock } from './node/clock.ts';
import { type ChangedVersion, changeVersion, type MergeChoice } from './node/changeVersion.ts';
import { commandLineRuns } from './files/dataFolder.ts';
import { environmentSecrets } from './node/environmentSecrets.ts';
import { newRunId } from './node/runStore.ts';
import type { Analyst } from './research/analyst/analyst.ts';
import { createRun, type RunParts } from './research/runner/createRun.ts';
import { buildGraph, type ResearchGraph } from './research/graph.ts';
import { inMemoryRunFolder } from './research/persistence/inMemoryRunFolder.ts';
import type { Log, ReportSink, RunFolder, Secrets } from './research/ports.ts';
import type { ResearchResult } from './research/runResearch.ts';
import type { ResearchTool } from './research/tools.ts';

/** The package's API: the same engine as in the editor and on the command line. */
export { ResearchError, type ErrorReason } from './research/errors.ts';
export type { ResearchEvent } from './protocol/events.ts';
export type { Analyst, AnalystParts, ResearchGraph, ResearchTool, ResearchResult, RunFolder, SourceParts };

export interface RunResearchOptions extends ResearchCallbacks {
  /** Settings, flat with or without the `deepResearch.` prefix, or nested. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Folder to research and to save into. Default: none; the report is returned, and saved with the run. */
  readonly workspace?: string;
  /** Tools beside those of the enabled sources. */
  readonly tools?: readonly ResearchTool[];
  /** Where runs are saved. Default: the user's data folder. */
  readonly runDir?: string;
  /** Default: the providers' environment variables. */
  readonly secrets?: Secrets;
  /** Default: silence. */
  readonly log?: Log;
  readonly saveTo?: ReportSink;
}

/** Researches a question. Rejects with a `ResearchError` that has a `reason`, a message and what to do next. */
export function runResearch(options: RunResearchOptions): Promise<ResearchResult> {
  return research({ ...options, ...optionsOf(options) });
}

type Setup = Pick<RunResearchOptions, 'config' | 'workspace' | 'tools' | 'runDir' | 'secrets' | 'log' | 'saveTo'>;

function optionsOf({ config, workspace, tools, runDir, secrets, log, saveTo }: Setup): RunOptions {
  return {
    settings: config ?? {},
    ...(workspace === undefined ? {} : { workspaceFolder: workspace }),
    ...(saveTo === undefined ? {} : { saveTo }),
    tools: tools ?? [],
    runsFolder: runDir ?? commandLineRuns(),
    secrets: secrets ?? environmentSecrets(process.env, builtIn.keyServices),
    log: log ?? silence,
    version: packageJson.version,
  };
}

/**
 * Asks about the report of a finished run, or changes it. An answer comes from what that run has read, in `report`, and is saved in a
 * folder of its own alone. A change is a new version of the report, whose file is at `path`; {@link acceptVersion} takes it into the
 * report. One that changes no word makes none. Rejects like {@link runResearch}, with `badRequest` for a run that is unknown or has no report.
 */
export function followUp(
  run: string,
  text: string,
  {
    as,
    section,
    deeper,
    without,
    refresh,
    file,
    ...options
  }: Omit<RunResearchOptions, 'question' | 'followUp' | 'resume' | 'plan' | 'attached' | 'saveTo'> &
    Omit<FollowUp, 'run'>,
): Promise<ResearchResult> {
  return runResearch({ ...options, question: text, followUp: { run, file, as, section, deeper, without, refresh } });
}

/**
 * Takes a version of a run's report (`reportVersion` of {@link followUp}), or some of its sections, into the saved report. What was
 * edited by hand stays: where both changed the same words, the report stays as it is, and the version waits.
 *
 * @param number Of the version.
 * @param file The report's file, where it was moved since it was saved.
 */
export function acceptVersion(
  run: string,
  number: number,
  { runDir, file, ...choice }: MergeChoice & Pick<RunResearchOptions, 'runDir'> & Pick<FollowUp, 'file'> = {},
): Promise<ChangedVersion> {
  return changeVersion(runDir ?? commandLineRuns(), run, number, choice, { file });
}

export type CreateOptions = Pick<
  RunResearchOptions,
  'config' | 'workspace' | 'tools' | 'runDir' | 'secrets' | 'log' | 'signal'
>;

/**
 * The analyst of a run with these settings, with its models: that of the model which they name or that is found, else the one that
 * quotes. For {@link buildResearchGraph}. Rejects with a `ResearchError`, `config` or `auth`.
 */
export function createAnalyst({ signal, ...setup }: CreateOptions = {}): Promise<AnalystParts> {
  return analystOf(optionsOf(setup), signal);
}

/**
 * The tools of the enabled sources, and `tools`, with what of a call may leave the machine. For {@link buildResearchGraph}; call `close`
 * after the run. Rejects with a `ResearchError`, `config`.
 */
export function createSources({ signal, ...setup }: CreateOptions = {}): Promise<SourceParts> {
  return sourcesOf(optionsOf(setup), signal);
}

export interface BuildGraphOptions extends Partial<Omit<RunParts, 'settings' | 'analyst' | 'tools' | 'folder'>> {
  readonly analyst: Analyst;
  /** The tools of the sources. */
  readonly sources: readonly ResearchTool[];
  readonly config?: Readonly<Record<string, unknown>>;
  /** Where events, evidence and the journal go. Default: nowhere. */
  readonly store?: RunFolder;
}

/**
 * The compiled LangGraph graph of one run, for programs that drive it themselves: invoke it with
 * `{ originalQuery, today, language }`, a `thread_id`, and a recursion limit of a few hundred; answer its interrupts with
 * `Command({ resume })`. The report is the state's `finalReport`.
 */
export function buildResearchGraph({ analyst, sources, config, store, ...parts }: BuildGraphOptions): ResearchGraph {
  const now = systemClock.now();
  const { settings } = readAllSettings(config ?? {});
  const language = settings['report.language'];
  const run = createRun(
    {
      fallback: analyst,
      provider: 'custom',
      model: null,
      sink: { save: () => Promise.resolve(undefined) },
      clock: systemClock,
      log: silence,
      ...parts,
      analyst,
      tools: sources,
      settings,
      folder: store ?? inMemoryRunFolder(),
    },
    newRunId(now),
    now.toISOString(),
    language === 'auto' ? 'en' : language,
    new AbortController(),
  );
  return buildGraph(run.context);
}

const quiet = (): void => undefined;
const silence: Log = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet };
