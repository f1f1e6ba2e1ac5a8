import { builtIn } from '../catalogue.ts';
import { systemClock } from '../node/clock.ts';
import type { CreatedModels } from '../models/createModels.ts';
import { trialPort } from '../node/trials.ts';
import type { Tried } from '../protocol/ports.ts';
import { HeldKeys } from '../research/calls/heldKeys.ts';
import { untilAborted, within } from '../research/calls/waiting.ts';
import { ResearchError } from '../research/errors.ts';
import type { SourceHealth } from '../research/ports.ts';
import { createPoliteClient, userAgentOf } from '../sources/http/politeClient.ts';
import { openSources } from './openSources.ts';
import { type RunOptions, settingsOf, modelsOf, webSearchOf } from './runOptions.ts';

const noModel: SourceHealth = {
  name: 'model',
  label: labelText(),
  state: 'optional',
  message:
    'The report consists of quotes. "Deep Research: Select Model" lists the models and the ways to get one; on the command line pass --provider, --model and --base-url.',
  fix: { action: 'selectModel' },
};

function labelText(model?: string, provider?: string): string {
  if (model === undefined) return 'Model: none';
  return provider === undefined ? `Model: ${model}` : `Model: ${model} (${provider})`;
}

const next = 'Select another model, or set deepResearch.model.trust to always.';

function trialText(trial: Tried | undefined): string {
  if (trial === undefined) return 'Not tried yet: its next run does that first.';
  if (trial.isLate) return `It did not complete its last trial in time: reports consist of quotes. ${next}`;
  const { trust, right, of } = trial;
  switch (trust) {
    case 'leads':
      return `In its trial it was right in ${right} of ${of} tasks: it leads the research.`;
    case 'helps':
      return `In its trial it was right in ${right} of ${of} tasks: it only writes; rules plan and judge. ${next}`;
    case 'quotes':
      return `In its trial it was right in ${right} of ${of} tasks: reports consist of quotes. ${next}`;
  }
}

/** Time for the whole check; each part has less. */
const checkMs = 12_000;

/** Asks the model, which is always the first row, and each enabled source. Rejects with `config` or `timeout`, or when aborted. */
export async function checkSources(given: RunOptions, signal: AbortSignal): Promise<readonly SourceHealth[]> {
  const { checkTools, healthOf } = await import('../sources/health.ts');
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
    const created = await creating.catch(() => undefined);
    const { tools, unavailable, absent, close } = await openSources(options, settings, undefined, {
      ...{ signal, ended: signal, withModel: created?.kind !== 'extractive', own },
      webSearch: await webSearchOf(options, settings, created),
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
  const trialOf = async (created: Extract<CreatedModels, { kind: 'llm' }>): Promise<string> => {
    if (settings['model.trust'] !== 'auto') return '';
    return trialText(await trialPort(options.runsFolder, created, systemClock).known());
  };
  const ofModel = async (): Promise<SourceHealth> => {
    let label = labelText(settings['model.name'] || settings['model.provider']);
    let message = 'It answered.';
    const name = 'model';
    try {
      const created = await creating;
      if (created.kind === 'extractive') return noModel;
      label = labelText(created.model, created.provider);
      const answered = `It answered, at ${created.host}.`;
      message = `${answered} ${await trialOf(created)}`.trim();
      const chat = await keys.models(created.models)('main');
      const messages = [{ role: 'user', content: 'Answer with the word OK.' }] as const;
      const end = AbortSignal.any([signal, AbortSignal.timeout(9_000)]);
      await chat.complete({ messages, maxTokens: 64 }, {}, end);
      return { name, label, state: 'works', message };
    } catch (error) {
      signal.throwIfAborted();
      const failure = ResearchError.from(error);
      // Reasoning may use the few tokens up; then it answered.
      if (failure.hasReason('contentFilter')) return { name, label, state: 'works', message };
      const isLate = failure.hasReason('abort') || (error instanceof DOMException && error.name === 'TimeoutError');
      const read = isLate ? new ResearchError('timeout', 'The model did not answer within 9 s.') : failure;
      const { provider } = (await creating.catch(() => undefined)) ?? { provider: settings['model.provider'] };
      const needsKey = read.hasReason('auth') && keyServices.has(provider);
      const fix = needsKey ? ({ action: 'setKey', service: provider } as const) : ({ action: 'selectModel' } as const);
      return { name, label, ...healthOf(read, provider, keyServices), fix };
    }
  };
  const late = (): ResearchError =>
    new ResearchError('timeout', 'The check took too long.', { next: 'Check the network and try again.' });
  const [model, sources] = await untilAborted(within(checkMs, Promise.all([ofModel(), ofSources()]), late), signal);
  return [model, ...sources];
}
