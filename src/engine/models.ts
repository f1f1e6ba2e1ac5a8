import { builtIn } from '../catalogue.ts';
import { systemClock } from '../node/clock.ts';
import { isLocal } from '../models/http/localServer.ts';
import { editorHost } from '../models/provider.ts';
import { knownTrials } from '../node/trials.ts';
import type { ModelChoice, OfferedModels } from '../protocol/ports.ts';
import { type RunOptions, modelContext } from './runOptions.ts';

/** What there is to choose from now, at earlier addresses of the settings too. It never rejects. */
export async function offerModels(
  options: RunOptions,
  addresses: Readonly<Record<string, string>> = {},
): Promise<readonly OfferedModels[]> {
  const { modelsToChoose } = await import('../models/chooseModel.ts');
  const { providers } = options.catalogue ?? builtIn;
  const offered = await modelsToChoose(providers, modelContext(options), addresses);
  const trialOf = await knownTrials(options.runsFolder, systemClock);
  return offered.map((one) => {
    const { baseUrl: own, inEditor } = providers.find(({ name }) => name === one.provider) ?? {};
    const address = one.baseUrl || own;
    const host = inEditor ? editorHost : address === undefined ? '' : new URL(address).host;
    const models = one.models.map(({ build, ...model }) => {
      const known = trialOf({ host, model: model.id, build: address && isLocal(address) ? build : undefined });
      return { ...model, ...(known && { trust: known.isLate ? ('late' as const) : known.trust }) };
    });
    return { ...one, models };
  });
}

/** Asks a model for one word. Resolves with the time that it took, in milliseconds; rejects with a `ResearchError`. */
export async function testModel(options: RunOptions, choice: ModelChoice, signal: AbortSignal): Promise<number> {
  const { askForOneWord } = await import('../models/chooseModel.ts');
  return askForOneWord((options.catalogue ?? builtIn).providers, modelContext(options), choice, signal);
}

/** Asks a provider's server for its models with a key. Resolves with false when there is nothing to ask. */
export async function testKey(options: RunOptions, service: string, address: string, key: string): Promise<boolean> {
  const { tryKey } = await import('../models/chooseModel.ts');
  return tryKey((options.catalogue ?? builtIn).providers, modelContext(options), service, address, key);
}
