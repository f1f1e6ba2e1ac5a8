import { setMaxListeners } from 'node:events';
import { builtIn } from '../catalogue.ts';
import type { CreatedModels } from '../models/createModels.ts';
import { systemClock } from '../node/clock.ts';
import { trialPort } from '../node/trials.ts';
import { workspaceSink } from '../node/reportSink.ts';
import { HeldKeys } from '../research/calls/heldKeys.ts';
import { untilAborted } from '../research/calls/waiting.ts';
import type { Settings } from '../research/settings/config.ts';
import { type Reading, type ReportSink, type WebSearchModel, attachedKind } from '../research/ports.ts';
import type { RoleTrial, RunParts } from '../research/runner/createRun.ts';
import type { Warning } from '../research/languages/warning.ts';
import { isRareWord } from '../sources/rareWord.ts';
import { openSources, sourcesReconnected } from './openSources.ts';
import { type RunOptions, settingsOf, unknownSettings, modelsOf, webSearchOf } from './runOptions.ts';
import { serverOf } from './serverOf.ts';

export interface Assembled {
  readonly parts: Omit<RunParts, 'folder'>;
  /** Ends every call of the run. */
  readonly controller: AbortController;
  readonly warnings: readonly Warning[];
  /** Ends the servers that were started for the run. Never rejects. */
  readonly close: () => Promise<void>;
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
  const looking: Partial<Awaited<ReturnType<typeof openSources>>> = options.readsOnly
    ? {}
    : await openSources(options, settings, reading, {
        ...{ signal, ended: controller.signal, webSearch },
        withModel: thinking.models !== undefined,
      });
  const { tools = [], unavailable = [], close = () => Promise.resolve() } = looking;
  const noTexts = (): Promise<readonly string[]> => Promise.resolve([]);
  return {
    parts: {
      ...thinking,
      models: thinking.models && keys.models(thinking.models),
      ...(created.kind === 'llm' && {
        trial: {
          ...trialPort(options.runsFolder, created, systemClock),
          texts: looking.texts ?? noTexts,
          isLocal: created.isLocal,
        },
        roleTrials: trialsOfRoles(settings, created, options, looking.texts ?? noTexts),
        isModelFound: created.why === 'local',
      }),
      isUnattended: options.isUnattended,
      turns: options.shared?.turns(await serverOf(options, created)),
      settings,
      tools: [...tools, ...(options.readsOnly ? [] : (options.tools ?? []))].map((tool) => keys.tool(tool)),
      sourceKinds: new Set([attachedKind, ...catalogue.sources.map(({ name }) => name)]),
      reading,
      workspace: looking.facts,
      isRareWord,
      outgoing: looking.outgoing,
      sink: options.saveTo ?? defaultSink(options, settings),
      clock: systemClock,
      log: options.log,
      onReconnected: sourcesReconnected,
    },
    controller,
    warnings: [
      ...unknownSettings(options),
      ...(options.warnings ?? []).map((warning): Warning => ({ kind: 'host', ...warning })),
      ...unavailable.map((source): Warning => ({ kind: 'source.unavailable', ...source })),
    ],
    close,
  };
}

function trialsOfRoles(
  settings: Settings,
  created: Extract<CreatedModels, { kind: 'llm' }>,
  { runsFolder }: RunOptions,
  texts: RoleTrial['texts'],
): readonly RoleTrial[] {
  const { host, isLocal } = created;
  return (['research', 'compression', 'report'] as const).flatMap((role) => {
    const model = settings[`model.${role}`];
    if (model === '' || model === created.model) return [];
    const port = trialPort(runsFolder, { host, model, build: () => created.build(model) }, systemClock);
    return [{ ...port, role, model, texts, isLocal }];
  });
}

async function chooseAnalyst(
  created: CreatedModels,
): Promise<Pick<RunParts, 'analyst' | 'fallback' | 'models' | 'provider' | 'model' | 'prices'>> {
  const { extractiveAnalyst } = await import('../research/analyst/extractive/extractiveAnalyst.ts');
  const fallback = extractiveAnalyst;
  const { provider } = created;
  if (created.kind === 'extractive') return { analyst: fallback, fallback, models: undefined, provider, model: null };
  const { llmAnalyst } = await import('../research/analyst/llm/llmAnalyst.ts');
  const { models, model, prices } = created;
  return { analyst: llmAnalyst, fallback, models, provider, model, prices };
}

const nowhere: ReportSink = { save: () => Promise.resolve(undefined) };

function defaultSink({ workspaceFolder }: RunOptions, settings: Settings): ReportSink {
  if (workspaceFolder === undefined) return nowhere;
  return workspaceSink(workspaceFolder, settings['report.folder']);
}
