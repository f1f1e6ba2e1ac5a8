import { builtIn } from '../catalogue.ts';
import { knownTrials } from '../node/trials.ts';
import type { ModelChoice, OfferedModels, Trust } from '../protocol/ports.ts';
import { type RunOptions, modelContext } from './runOptions.ts';

/** What there is to choose from now, at earlier addresses of the settings too. It never rejects. */
export async function offerModels(
  options: RunOptions,
  addresses: Readonly<Record<string, string>> = {},
): Promise<readonly OfferedModels[]> {
  const { modelsToChoose } = await import('../models/chooseModel.ts');
  const { providers } = options.catalogue ?? builtIn;
  const offered = await modelsToChoose(providers, modelContext(options), addresses);
  const trialOf = await knownTrials(options.runsFolder);
  return offered.map((one) => {
    const baseUrl = one.baseUrl || providers.find(({ name }) => name === one.provider)?.baseUrl;
    const host = baseUrl === undefined ? '' : new URL(baseUrl).host;
    const trustOf = (model: string): Trust | undefined => trialOf({ host, model })?.trust;
    return { ...one, models: one.models.map((model) => ({ ...model, ...trusted(trustOf(model.id)) })) };
  });
}

const trusted = (trust: Trust | undefined) => (trust === undefined ? {} : { trust });

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
