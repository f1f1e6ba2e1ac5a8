import { ResearchError } from '../research/errors.ts';
import type { MissingForModels, ModelChoice, OfferedModels } from '../research/ports.ts';
import { createModels } from './createModels.ts';
import { type ListedModel, type ProviderContext, type ProviderDefinition, withTimeout } from './provider.ts';

/** How long a person waits for a list: a server that is slower is left out. In milliseconds. */
const listMs = 6_000;
/** A large model on this machine may have to be loaded first. */
const testMs = 120_000;
/** Enough for a word, and little of a bill. */
const testTokens = 16;

/** The models of every provider that can be asked now; of the others, what is missing. */
export async function modelsToChoose(
  providers: readonly ProviderDefinition[],
  context: ProviderContext,
  earlier: Readonly<Record<string, string>> = {},
): Promise<readonly OfferedModels[]> {
  const asked = providers.flatMap((definition) =>
    addressesOf(definition, context, earlier).map((baseUrl) => offer(definition, baseUrl, context)),
  );
  return (await Promise.all(asked)).filter((offered) => offered !== undefined);
}

/** Where a provider's models may be: an address that the user set belongs to the provider in use then, the others have their own. */
function addressesOf(
  { name, localUrl, key, baseUrl }: ProviderDefinition,
  { settings }: ProviderContext,
  earlier: Readonly<Record<string, string>>,
): string[] {
  const { 'model.provider': wanted, 'model.baseUrl': set } = settings;
  const own = baseUrl ?? localUrl;
  // "" is the provider's own address; a server on this machine that is no provider's own is named.
  const usual = baseUrl === undefined && own !== undefined ? own : '';
  const named = [[wanted, set] as const, ...Object.entries(earlier)].flatMap(([provider, address]) =>
    provider === name || (provider === 'auto' && key?.forAnyServer === true) ? [address] : [],
  );
  return [...new Set([...named.filter((address) => address !== ''), usual])];
}

async function offer(
  definition: ProviderDefinition,
  baseUrl: string,
  context: ProviderContext,
): Promise<OfferedModels | undefined> {
  const { name: provider, label } = definition;
  const about = { provider, label, baseUrl };
  try {
    const models = await listAt(definition, baseUrl, context);
    if (models && models.length > 0) return { ...about, models };
    // An editor that offers none: it has neither a key nor a server of its own.
    const isEditor = models !== undefined && definition.key === undefined && definition.localUrl === undefined;
    return isEditor && context.editor ? { ...about, models: [], missing: { kind: 'signIn' } } : undefined;
  } catch (error) {
    const { reason, message } = ResearchError.from(error);
    const missing = missingOf(definition, baseUrl, reason, message);
    if (missing) return { ...about, models: [], missing };
    return reason === 'config' ? undefined : { ...about, models: [], problem: message };
  }
}

/** Nothing is set up for it, or nothing answers on this machine: that is no problem. */
function missingOf(
  { key, label, localUrl, localPage = '', localName = label }: ProviderDefinition,
  baseUrl: string,
  reason: string,
  message: string,
): MissingForModels | undefined {
  if (reason === 'auth' && key && /^No key is set/.test(message)) return { kind: 'key', service: key.service };
  if (reason === 'network' && localUrl)
    return { kind: 'server', name: localName, address: baseUrl || localUrl, page: localPage };
  return undefined;
}

function listAt(
  definition: ProviderDefinition,
  baseUrl: string,
  context: ProviderContext,
): Promise<readonly ListedModel[] | undefined> {
  const settings = { ...context.settings, 'model.baseUrl': baseUrl };
  return (
    definition.list?.({ ...context, settings, fetch: withTimeout(context.fetch, listMs) }) ?? Promise.resolve(undefined)
  );
}

/** Asks a model for one word. Resolves with the time that it took, in milliseconds. */
export async function askForOneWord(
  providers: readonly ProviderDefinition[],
  context: ProviderContext,
  { provider, model, baseUrl }: ModelChoice,
  signal: AbortSignal,
): Promise<number> {
  const settings = {
    ...context.settings,
    ...{ 'model.provider': provider, 'model.name': model, 'model.baseUrl': baseUrl },
  };
  const created = await createModels({ ...context, settings, providers });
  if (created.kind === 'extractive') return 0;
  const port = await created.models('main');
  const started = performance.now();
  const timeout = AbortSignal.timeout(testMs);
  try {
    await port.complete(
      { messages: [{ role: 'user', content: 'Reply with the word OK.' }], maxTokens: testTokens },
      {},
      AbortSignal.any([signal, timeout]),
    );
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    throw new ResearchError('timeout', `"${model}" did not answer within ${testMs / 1_000} s.`, {
      next: 'Try again later, or choose another model.',
    });
  }
  return performance.now() - started;
}

/** Asks a provider's server for its models with a key. Resolves with false when there is nothing to ask. */
export async function tryKey(
  providers: readonly ProviderDefinition[],
  context: ProviderContext,
  service: string,
  address: string,
  key: string,
): Promise<boolean> {
  const definition = providers.find((one) => one.key?.service === service);
  if (definition?.list === undefined) return false;
  const secrets = { key: (asked: string) => Promise.resolve(asked === service ? key : undefined) };
  try {
    await listAt(definition, address, { ...context, secrets });
    return true;
  } catch (error) {
    // No list of models: whether the key is right shows with the first call.
    if (ResearchError.is(error, 'config', 'notFound')) return false;
    throw error;
  }
}
