import { join } from 'node:path';
import { setMaxListeners } from 'node:events';
import { builtIn, type Catalogue, readAllSettings } from './catalogue.ts';
import { createModels, type CreatedModels } from './models/createModels.ts';
import { webSearchModels } from './models/webSearch.ts';
import { systemClock } from './node/clock.ts';
import { ReadingWatch } from './node/readingWatch.ts';
import { workspaceSink } from './node/reportSink.ts';
import { fileRunStore, newRunId } from './node/runStore.ts';
import { indexStorage } from './node/indexStorage.ts';
import { openAttachments } from './node/attachments.ts';
import { openWorkspace } from './node/workspace.ts';
import type { ProviderContext } from './models/provider.ts';
import type {
  EngineOptions,
  EngineSetup,
  ExportOptions,
  ModelChoice,
  OfferedModels,
  ResearchCallbacks,
} from './protocol/ports.ts';
import { Semaphore } from './research/calls/semaphore.ts';
import { HeldKeys } from './research/calls/heldKeys.ts';
import { untilAborted, within } from './research/calls/waiting.ts';
import type { Settings } from './research/config.ts';
import { ResearchError } from './research/errors.ts';
import { openedInTime } from './research/persistence/boundedStorage.ts';
import { changesSince, resumedSettings } from './research/persistence/resumedSettings.ts';
import { runFiles } from './research/persistence/runRecord.ts';
import type {
  Log,
  Reading,
  ReportSink,
  RunFolder,
  RunRecord,
  SourceHealth,
  WebSearchModel,
  WorkspacePort,
} from './research/ports.ts';
import { nothingKnown } from './research/run/attached.ts';
import type { RunParts } from './research/run/createRun.ts';
import type { SuppliedPort } from './research/run/supplied.ts';
import { checkedQuestion, type ResearchResult, runResearch } from './research/runResearch.ts';
import { attachedKind, type ResearchTool, type WorkspaceFacts } from './research/tools.ts';
import { createOutsideTools, enabledServers } from './sources/mcp/createOutsideTools.ts';
import { type CreatedTools, createTools, documentKinds, enabledSources } from './sources/createTools.ts';
import type { PageClient } from './sources/pages/pageClient.ts';
import type { OutgoingGuard } from './research/policy/outgoing.ts';
import { createPoliteClient, type PoliteClient, userAgentOf } from './sources/http/politeClient.ts';
import { createOutgoing } from './sources/outgoing/createOutgoing.ts';
import { readWorkspaceFacts } from './sources/workspaceFacts.ts';
import type { Warning } from './research/run/warning.ts';

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
  /** Default: the providers and sources of this version. */
  readonly catalogue?: Catalogue;
  /** Warnings that belong to the run: its first events. */
  readonly warnings?: readonly { readonly code: string; readonly text: string }[];
  /** A resumed run whose model no setting of today names is refused: a command's flags may have been forgotten. */
  readonly sameModel?: boolean;
  /** The process ends itself when it doesn't come back from a text for so long, in milliseconds. Default: never. */
  readonly endsStuckAfterMs?: number;
}

/** What a run would use if it began now. What is wrong is in `problem`; it does not reject for it. */
export async function describeSetup(options: RunOptions): Promise<EngineSetup> {
  const { catalogue = builtIn } = options;
  const kinds = documentKinds(catalogue.sources);
  const withoutModel = { analyst: 'extractive', model: null, modelHost: null, kinds } as const;
  let settings: Settings;
  try {
    settings = settingsOf(options);
  } catch (error) {
    const problem = {
      message: ResearchError.from(error).message,
      action: 'openSettings',
      key: 'deepResearch',
    } as const;
    return { ...withoutModel, provider: '', sources: [], strategy: 'auto', problem };
  }
  const hasWorkspace = options.workspaceFolder !== undefined;
  const { secrets, log } = options;
  const created = await modelsOf(options, settings).catch((error: unknown) => ResearchError.from(error));
  const webSearch = await webSearchOf(options, settings, ResearchError.is(created) ? undefined : created);
  const sources = [
    ...(await enabledSources({ settings, hasWorkspace, secrets, log, webSearch }, catalogue.sources)),
    ...Object.entries(enabledServers(settings)).map(([name, server]) => ({
      name,
      hosts: 'url' in server ? [new URL(server.url).host] : [`MCP: ${name}`],
    })),
  ];
  const { strategy, 'workspace.forModel': workspaceForModel } = settings;
  if (ResearchError.is(created)) {
    const { reason, message } = created;
    const problem =
      reason === 'auth'
        ? ({ message, action: 'setKey' } as const)
        : ({ message, action: 'openSettings', key: 'deepResearch.model' } as const);
    // A model is meant, though it can't be used yet: "nothing is sent" would be wrong.
    const meant = {
      analyst: 'llm',
      provider: settings['model.provider'],
      model: settings['model.name'] || null,
      kinds,
    } as const;
    return { ...meant, modelHost: null, sources, strategy, workspaceForModel, problem };
  }
  const { provider } = created;
  if (created.kind === 'extractive') return { ...withoutModel, provider, sources, strategy, problem: null };
  const { model: name, host, why } = created;
  const model = { analyst: 'llm', provider, model: name, modelHost: host, modelWhy: why, kinds } as const;
  return { ...model, sources, strategy, workspaceForModel, problem: null };
}

/** What there is to choose from now. It never rejects. */
export async function offerModels(options: RunOptions): Promise<readonly OfferedModels[]> {
  const { modelsToChoose } = await import('./models/chooseModel.ts');
  return modelsToChoose((options.catalogue ?? builtIn).providers, modelContext(options));
}

/** Asks a model for one word. Resolves with the time that it took, in milliseconds; rejects with a `ResearchError`. */
export async function testModel(options: RunOptions, choice: ModelChoice, signal: AbortSignal): Promise<number> {
  const { askForOneWord } = await import('./models/chooseModel.ts');
  return askForOneWord((options.catalogue ?? builtIn).providers, modelContext(options), choice, signal);
}

/** Asks a provider's server for its models with a key. Resolves with false when there is nothing to ask. */
export async function testKey(options: RunOptions, service: string, address: string, key: string): Promise<boolean> {
  const { tryKey } = await import('./models/chooseModel.ts');
  return tryKey((options.catalogue ?? builtIn).providers, modelContext(options), service, address, key);
}

function modelContext(options: RunOptions): ProviderContext {
  const { secrets, log, editorModels: editor } = options;
  return { settings: settingsOf(options), secrets, log, editor, fetch };
}

/** Time for the whole check; each part has less. */
const checkMs = 12_000;

/** Asks each enabled source and the model whether they work. Rejects with `config` or `timeout`, or when aborted. */
export async function checkSources(given: RunOptions, signal: AbortSignal): Promise<readonly SourceHealth[]> {
  const { checkTools, healthOf } = await import('./sources/health.ts');
  const keys = new HeldKeys();
  const options: RunOptions = { ...given, secrets: keys.watch(given.secrets), log: keys.log(given.log) };
  const { catalogue = builtIn, version, log } = options;
  const settings = settingsOf(options);
  const keyServices = new Set(catalogue.keyServices.map(({ service }) => service));
  // One attempt a service: what is limited now is reported now.
  const fresh = { userAgent: userAgentOf(version), clock: systemClock, log, timeoutMs: 9_000, longestWaitMs: 0 };
  const own = createPoliteClient(fresh);
  const creating = modelsOf(options, settings);
  const ofSources = async (): Promise<SourceHealth[]> => {
    const { tools, unavailable, absent, close } = await openSources(options, settings, undefined, {
      ...{ signal, ended: signal, withModel: false, own },
      webSearch: await webSearchOf(options, settings, await creating.catch(() => undefined)),
    });
    try {
      return await checkTools(
        { tools: tools.map((tool) => keys.tool(tool)), unavailable, absent, client: own, keyServices },
        signal,
      );
    } finally {
      await close();
    }
  };
  const ofModel = async (): Promise<SourceHealth[]> => {
    const label = settings['model.name'] || settings['model.provider'];
    try {
      const created = await creating;
      if (created.kind === 'extractive') return [];
      const chat = await keys.models(created.models)('main');
      const messages = [{ role: 'user', content: 'Answer with the word OK.' }] as const;
      const end = AbortSignal.any([signal, AbortSignal.timeout(9_000)]);
      await chat.complete({ messages, maxTokens: 64 }, {}, end);
      return [{ name: 'model', label: created.model, state: 'works', message: `It answered, at ${created.host}.` }];
    } catch (error) {
      signal.throwIfAborted();
      const failure = ResearchError.from(error);
      // Reasoning may use the few tokens up; then it answered.
      if (failure.hasReason('contentFilter')) return [];
      const isLate = failure.hasReason('abort') || (error instanceof DOMException && error.name === 'TimeoutError');
      const read = isLate ? new ResearchError('timeout', 'The model did not answer within 9 s.') : failure;
      const { state, message } = healthOf(read, settings['model.provider'], keyServices);
      const fix = read.hasReason('auth')
        ? ({ action: 'setKey' } as const)
        : ({ action: 'openSettings', key: 'model' } as const);
      return [{ name: 'model', label, state, message, fix }];
    }
  };
  const late = (): ResearchError =>
    new ResearchError('timeout', 'The check took too long.', { next: 'Check the network and try again.' });
  const [model, sources] = await untilAborted(within(checkMs, Promise.all([ofModel(), ofSources()]), late), signal);
  return [...model, ...sources];
}

/** Researches a question to the saved report. Rejects with a `ResearchError`; see `runResearch`. */
export async function research(options: RunOptions & ResearchCallbacks): Promise<ResearchResult> {
  if (options.resume !== undefined) return resumeRun(options, options.resume);
  const question = checkedQuestion(options.question ?? '');
  const reading = new ReadingWatch(options.endsStuckAfterMs);
  let closing: Assembled['close'] | undefined;
  try {
    const { parts, controller, warnings, close } = await assemble(options, options.signal, reading);
    closing = close;
    const store = fileRunStore(options.runsFolder, parts.settings['runs.keep']);
    return await runResearch({
      ...parts,
      ...callbacksOf(options),
      ...{ question, controller, warnings },
      ...(await attachedOf(options, parts.settings)),
      ...aroundOf(options, parts),
      supplied: suppliedOf(options, parts.settings),
      workspaceFolder: options.workspaceFolder,
      program: options.version,
      run: newRunId(systemClock.now()),
      openFolder: async (record) => watched(await store.create(record), reading),
    });
  } finally {
    await Promise.all([reading.close(), closing?.()]);
  }
}

function watched(folder: RunFolder, reading: ReadingWatch): RunFolder {
  if (folder.location !== undefined) reading.watch(join(folder.location, runFiles.stopped));
  return folder;
}

/** Resumes a run: its completed calls are replayed from its journal. Rejects with `badRequest` for a run that can't be resumed. */
async function resumeRun(options: RunOptions & ResearchCallbacks, run: string): Promise<ResearchResult> {
  const { catalogue = builtIn, version, workspaceFolder } = options;
  const now = settingsOf(options);
  const saved = await openedInTime(fileRunStore(options.runsFolder, now['runs.keep']).open(run), (late) =>
    late.folder.close(),
  );
  const reading = new ReadingWatch(options.endsStuckAfterMs, saved.stopped);
  let closing: Assembled['close'] | undefined;
  try {
    const { record } = saved;
    if (record.status === 'finished') {
      throw new ResearchError(
        'badRequest',
        `The run ${run} is finished${record.path ? `: ${record.path}` : '; its report is in its folder'}.`,
        { next: 'Rerun the question to research it again.' },
      );
    }
    const { settings, overrides, unchanged } = resumedSettings(record, now, catalogue.settings);
    refuseOtherFolder(record, workspaceFolder);
    const { parts, controller, warnings, close } = await assemble(
      { ...options, settings, folderSettings: {}, overrides },
      options.signal,
      reading,
    );
    closing = close;
    const { provider, model } = parts;
    if (options.sameModel) refuseLostModel(record, parts);
    return await runResearch({
      ...parts,
      ...callbacksOf(options),
      ...{ controller, run },
      supplied: suppliedOf(options, parts.settings),
      warnings: [
        ...saved.damagedFiles.map((damaged): Warning => ({ kind: 'resume.damaged', ...damaged })),
        ...unknownSettings(options),
        ...warnings,
      ],
      question: record.question,
      // One that must not be read today is still the folder that it belongs to.
      workspaceFolder: workspaceFolder ?? record.workspace,
      program: record.program,
      journal: saved.journal,
      checkpoints: saved.checkpoints,
      events: saved.events,
      openFolder: () => Promise.resolve(watched(saved.folder, reading)),
      resume: {
        created: record.created,
        status: record.status,
        otherVersion: record.program !== version,
        damaged: saved.damaged,
        changes: changesSince(record, { version, provider, model, unchanged }),
      },
    });
  } finally {
    await Promise.all([reading.close(), closing?.()]);
    await saved.folder.close();
  }
}

/** Paths come from today alone: a record that was copied from elsewhere names a folder that its author chose. */
function refuseOtherFolder({ workspace }: RunRecord, today: string | undefined): void {
  if (workspace === undefined || today === undefined || workspace === today) return;
  throw new ResearchError('badRequest', `This run researches another folder: ${workspace}.`, {
    next: 'Resume it there, or name that folder as the workspace (--workspace).',
  });
}

/** A run that a model began is not continued without one by accident. */
function refuseLostModel(record: RunRecord, { provider, settings }: Pick<RunParts, 'provider' | 'settings'>): void {
  if (record.model === null || provider === record.provider || settings['model.provider'] !== 'auto') return;
  if (settings['model.baseUrl'] !== '') return;
  throw new ResearchError(
    'config',
    `This run began with ${record.model} (${record.provider}), which today's settings don't name.`,
    {
      next: 'Specify its provider, address and model again (-p, --base-url, --model, or the settings), or choose another provider to continue with.',
    },
  );
}

/** PDFs of all runs that are read at a time: each takes a thread and some 100 MB. */
const pdfReaders = new Semaphore(2);

async function readPdf(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const { readDocument } = await import('./sources/readers/readDocument.ts');
  return pdfReaders.use(async () => (await readDocument(bytes, 'application/pdf', '', signal)).text, signal);
}

/** What surrounds the question, in what is known of the folder. A path says something of the folder: not where that may not be known. */
function aroundOf(
  { around = {} }: ResearchCallbacks,
  { settings, workspace }: Pick<RunParts, 'settings' | 'workspace'>,
): Pick<RunParts, 'workspace'> {
  const { openFile, earlierQuestion } = around;
  const isKnown = workspace !== undefined && settings['workspace.forModel'] !== 'off';
  const more = {
    ...(openFile !== undefined && isKnown ? { openFile: openFile.slice(0, 400) } : {}),
    ...(earlierQuestion === undefined ? {} : { earlierQuestion: earlierQuestion.slice(0, 1_000) }),
  };
  return { workspace: Object.keys(more).length === 0 ? workspace : { ...(workspace ?? nothingKnown), ...more } };
}

/** What the user attached, as the settings let it be read. */
async function attachedOf(
  { attached = [], workspaceFolder, signal }: RunOptions & ResearchCallbacks,
  settings: Settings,
): Promise<Pick<RunParts, 'attached'>> {
  if (attached.length === 0) return {};
  const reading = attachmentOptions({ workspaceFolder }, settings);
  return { attached: await openAttachments(attached, reading, signal ?? new AbortController().signal) };
}

function attachmentOptions({ workspaceFolder }: Pick<RunOptions, 'workspaceFolder'>, settings: Settings) {
  const readsWorkspace = settings['workspace.forModel'] === 'content';
  return { workspaceFolder, readsWorkspace, exclude: settings['workspace.exclude'], readPdf };
}

/** Texts of pages that the user gives: those of a resumed run, and what comes while it runs. */
function suppliedOf(
  { attached = [], resume, workspaceFolder, onTakePage }: RunOptions & ResearchCallbacks,
  settings: Settings,
): SuppliedPort {
  return {
    pages:
      resume === undefined
        ? []
        : attached.flatMap((page) => (page.url === undefined ? [] : { ...page, url: page.url })),
    async read(page, signal) {
      if (!URL.canParse(page.url) || !/^https?:/i.test(page.url))
        throw new ResearchError('badRequest', `${page.url.slice(0, 200)} is no address of a page.`, {
          next: 'Give the address of the page, beginning with https://.',
        });
      const port = await openAttachments([page], attachmentOptions({ workspaceFolder }, settings), signal);
      return port.read(port.names[0]!, signal);
    },
    ...(onTakePage && { offer: onTakePage }),
  };
}

function callbacksOf({
  answer,
  approveEntities,
  approve,
  decideReview,
  plan,
  onEvent,
  signal,
  finishSignal,
  steer,
}: ResearchCallbacks) {
  return {
    answer,
    approveEntities,
    approve,
    decideReview,
    plan,
    onEvent,
    signal,
    finishSignal,
    ...(steer && { steer }),
  };
}

export interface Assembled {
  readonly parts: Omit<RunParts, 'folder'>;
  /** Ends every call of the run. */
  readonly controller: AbortController;
  readonly warnings: readonly Warning[];
  /** Ends the servers that were started for the run. Never rejects. */
  readonly close: () => Promise<void>;
}

export { exportFileName } from './research/export/exportFileName.ts';

/** Writes a saved run as one file: a web page, its references, or its whole folder. Rejects with a `ResearchError`. */
export async function exportRun(options: ExportOptions): Promise<void> {
  const { exportRun: write } = await import('./node/exportRun.ts');
  await write(options);
}

/** Everything that a run is made of, from the options. Rejects with `config` or `auth` when they can't be used. */
export async function assemble(
  given: RunOptions,
  signal: AbortSignal = new AbortController().signal,
  reading?: Reading,
): Promise<Assembled> {
  const keys = new HeldKeys();
  const options: RunOptions = { ...given, secrets: keys.watch(given.secrets), log: keys.log(given.log) };
  const { catalogue = builtIn } = options;
  const settings = settingsOf(options);
  for (const server of Object.values(settings.mcpServers))
    for (const value of Object.values('url' in server ? server.headers : server.env)) keys.hold(value);
  const controller = new AbortController();
  // Every section and call of a run listens to this one signal.
  setMaxListeners(0, controller.signal);
  const created = await untilAborted(modelsOf(options, settings), signal);
  const thinking = await chooseAnalyst(created);
  const webSearch = (await webSearchOf(options, settings, created)).map((model): WebSearchModel => ({
    ...model,
    port: () => keys.models(model.port)('main'),
  }));
  const looking = await openSources(options, settings, reading, {
    ...{ signal, ended: controller.signal, webSearch },
    withModel: thinking.models !== undefined,
  });
  return {
    parts: {
      ...thinking,
      models: thinking.models && keys.models(thinking.models),
      settings,
      tools: [...looking.tools, ...(options.tools ?? [])].map((tool) => keys.tool(tool)),
      sourceKinds: new Set([attachedKind, ...catalogue.sources.map(({ name }) => name)]),
      reading,
      workspace: looking.facts,
      outgoing: looking.outgoing,
      sink: options.saveTo ?? defaultSink(options, settings),
      clock: systemClock,
      log: options.log,
      onReconnected: () => client?.reconnected(),
    },
    controller,
    warnings: [
      ...unknownSettings(options),
      ...(options.warnings ?? []).map((warning): Warning => ({ kind: 'host', ...warning })),
      ...looking.unavailable.map((source): Warning => ({ kind: 'source.unavailable', ...source })),
    ],
    close: looking.close,
  };
}

function settingsOf({ settings, folderSettings, overrides, catalogue }: RunOptions): Settings {
  return { ...readAllSettings(settings, catalogue, folderSettings).settings, ...overrides };
}

/** A file that has more of them is none of ours. */
const mostUnknown = 20;

function unknownSettings({ settings, folderSettings, catalogue }: RunOptions): Warning[] {
  const { unknown } = readAllSettings(settings, catalogue, folderSettings);
  return unknown.slice(0, mostUnknown).map((key) => ({ kind: 'settings.unknown', key }));
}

function modelsOf(
  { secrets, log, editorModels: editor, catalogue = builtIn }: RunOptions,
  settings: Settings,
): Promise<CreatedModels> {
  return createModels({ settings, secrets, log, editor, providers: catalogue.providers });
}

/** The models that can search the web by themselves. */
function webSearchOf(
  { secrets, log, editorModels: editor, catalogue = builtIn }: RunOptions,
  settings: Settings,
  created: CreatedModels | undefined,
): Promise<readonly WebSearchModel[]> {
  return webSearchModels({ settings, secrets, log, editor, providers: catalogue.providers }, created);
}

async function chooseAnalyst(
  created: CreatedModels,
): Promise<Pick<RunParts, 'analyst' | 'fallback' | 'models' | 'provider' | 'model' | 'prices'>> {
  const { ExtractiveAnalyst } = await import('./research/analyst/extractive/extractiveAnalyst.ts');
  const fallback = new ExtractiveAnalyst();
  const { provider } = created;
  if (created.kind === 'extractive') return { analyst: fallback, fallback, models: undefined, provider, model: null };
  const { LlmAnalyst } = await import('./research/analyst/llm/llmAnalyst.ts');
  const { models, model, prices } = created;
  return { analyst: new LlmAnalyst(), fallback, models, provider, model, prices };
}

/** The first look at a folder: one of 20,000 files on a slow disk takes some seconds. */
const folderMs = 60_000;

/** The facts of a folder. One on a drive that hangs does not block a run: it begins without them, and its searches time out alone. */
async function inTime(
  facts: Promise<WorkspaceFacts>,
  log: Log,
  signal: AbortSignal,
): Promise<WorkspaceFacts | undefined> {
  const late = (): ResearchError =>
    new ResearchError(
      'timeout',
      `The folder could not be read within ${folderMs / 1000} s; the run begins without its facts.`,
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

function runsClient(options: RunOptions): PoliteClient {
  client ??= createPoliteClient({
    userAgent: userAgentOf(options.version),
    clock: systemClock,
    log: options.log,
    ...(options.runsFolder !== '' && { storage: join(options.runsFolder, '.network') }),
  });
  return client;
}

/** By whether a proxy is in use. */
const pageClients = new Map<boolean, PageClient>();

async function openSources(
  options: RunOptions,
  settings: Settings,
  reading: Reading | undefined,
  {
    signal,
    ended,
    withModel,
    own,
    webSearch,
  }: {
    readonly signal: AbortSignal;
    /** Aborted when the run ends. */
    readonly ended: AbortSignal;
    readonly withModel: boolean;
    /** For a check: no cache, and no facts, which no search for nothing needs. */
    readonly own?: PoliteClient;
    readonly webSearch: readonly WebSearchModel[];
  },
): Promise<{
  tools: readonly ResearchTool[];
  unavailable: readonly { source: string; why: string }[];
  absent: CreatedTools['absent'];
  facts: WorkspaceFacts | undefined;
  outgoing: OutgoingGuard;
  close: () => Promise<void>;
}> {
  let workspace: WorkspacePort | undefined;
  let facts: WorkspaceFacts | undefined;
  if (options.workspaceFolder !== undefined && settings['workspace.forModel'] !== 'off') {
    workspace = openWorkspace(options.workspaceFolder, {
      exclude: settings['workspace.exclude'],
      reportFolder: settings['report.folder'],
      reading,
      readPdf,
      ...(options.symbols && { symbols: options.symbols }),
      index: indexStorage(join(options.runsFolder, '.index'), options.workspaceFolder, options.version),
    });
    if (own === undefined) facts = await inTime(readWorkspaceFacts(workspace, settings, signal), options.log, signal);
  }
  // One client for all runs of the process, so that they share its pacing and its cache.
  const client = own ?? runsClient(options);
  const { behindProxy = false } = options;
  let pages = pageClients.get(behindProxy);
  if (pages === undefined) {
    const { createPageClient } = await import('./sources/pages/pageClient.ts');
    pages = createPageClient({
      userAgent: userAgentOf(options.version),
      clock: systemClock,
      log: options.log,
      ...(options.runsFolder !== '' && { storage: join(options.runsFolder, '.network', 'pages') }),
      ...(behindProxy && { proxyFetch: (...request) => globalThis.fetch(...request) }),
    });
    pageClients.set(behindProxy, pages);
  }
  const { secrets, log, catalogue = builtIn } = options;
  const { outgoing, publicNames } = createOutgoing({
    settings,
    workspace,
    facts,
    client,
    sources: catalogue.sources,
    log,
    withModel,
    ended,
  });
  const known = { ...(workspace && { workspace }), ...(facts && { facts }), others: Object.keys(settings.mcpServers) };
  const { tools, unavailable, absent } = await createTools(
    { settings, ...known, secrets, client, pages, publicNames, webSearch, log },
    catalogue.sources,
  );
  const { editorTools = [], version } = options;
  const outside = await createOutsideTools({ settings, editorTools, version, log, others: tools }, signal);
  return {
    ...{ facts, outgoing, absent, close: outside.close },
    tools: [...tools, ...outside.tools],
    unavailable: [...unavailable, ...outside.unavailable],
  };
}

function defaultSink({ workspaceFolder }: RunOptions, settings: Settings): ReportSink {
  if (workspaceFolder === undefined) return { save: () => Promise.resolve(undefined) };
  return workspaceSink(workspaceFolder, settings['report.folder']);
}
