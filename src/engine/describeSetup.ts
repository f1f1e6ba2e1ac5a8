import { builtIn } from '../catalogue.ts';
import type { SetupAction } from '../protocol/messages.ts';
import { chosenProvider } from '../models/createModels.ts';
import { baseUrlOf } from '../models/provider.ts';
import type { EngineSetup } from '../protocol/ports.ts';
import type { Settings } from '../research/settings/config.ts';
import { ResearchError } from '../research/errors.ts';
import { usualEstimate } from '../protocol/planEstimate.ts';
import { basesOf } from '../research/plan/proposal.ts';
import { priceOf } from '../research/settings/prices.ts';
import { documentKinds, enabledSources } from '../sources/createTools.ts';
import { servicesOf, type SourceDefinition } from '../sources/source.ts';
import { enabledServers } from '../sources/mcp/createOutsideTools.ts';
import { bindingSettings, modelContext, type RunOptions, settingsOf, modelsOf, webSearchOf } from './runOptions.ts';

/** What a run would use if it began now. What is wrong is in `problem`; it does not reject for it. */
export async function describeSetup(options: RunOptions): Promise<EngineSetup> {
  const { catalogue = builtIn } = options;
  const kinds = documentKinds(catalogue.sources);
  const keyProviders = catalogue.providers.flatMap(({ name, key }) => (key ? [name] : []));
  const known = { kinds, keyProviders };
  const withoutModel = { analyst: 'extractive', model: null, modelHost: null } as const;
  let settings: Settings;
  try {
    settings = settingsOf(options);
  } catch (error) {
    const problem = {
      message: ResearchError.from(error).message,
      actions: ['openSettings'],
      key: 'deepResearch',
    } as const;
    return { ...known, ...withoutModel, provider: '', sources: [], strategy: 'auto', depth: 'standard', problem };
  }
  const hasWorkspace = options.workspaceFolder !== undefined;
  const { secrets, log } = options;
  const created = await modelsOf(options, settings).catch((error: unknown) => ResearchError.from(error));
  const webSearch = await webSearchOf(options, settings, ResearchError.is(created) ? undefined : created);
  const withModel = ResearchError.is(created) || created.kind === 'llm';
  const open = { settings: bindingSettings(settings, withModel), hasWorkspace, secrets, log, webSearch };
  const common = { ...known, ...(await webOf(open, catalogue.sources)) };
  const sources = [
    ...(await enabledSources(open, catalogue.sources)),
    ...Object.entries(enabledServers(settings)).map(([name, server]) => ({
      name,
      hosts: 'url' in server ? [new URL(server.url).host] : [`MCP: ${name}`],
    })),
  ];
  const { strategy, depth, 'workspace.forModel': workspaceForModel } = settings;
  const chosen = { sources, strategy, depth, workspaceForModel };
  const names = sources.map(({ name }) => name);
  if (ResearchError.is(created)) {
    // A model is meant, though it can't be used yet: "nothing is sent" would be wrong.
    const meant = await chosenProvider(catalogue.providers, modelContext(options)).catch(() => undefined);
    const address = meant && baseUrlOf(meant.definition, meant.context.settings);
    return {
      ...common,
      analyst: 'llm',
      provider: meant?.definition.name ?? settings['model.provider'],
      model: settings['model.name'] || null,
      modelHost: address === undefined ? null : new URL(address).host,
      ...chosen,
      problem: {
        message: created.message,
        actions: actionsFor(created, meant?.definition.key !== undefined),
        key: 'deepResearch.model',
      },
    };
  }
  const { provider } = created;
  if (created.kind === 'extractive') {
    const bases = basesOf(settings, 'extractive', names, undefined);
    const estimate = usualEstimate(strategy, bases[depth]);
    return { ...common, ...withoutModel, provider, ...chosen, estimate, bases, problem: null };
  }
  const { model: name, host, why, prices } = created;
  const bases = basesOf(settings, 'llm', names, priceOf(name, settings.prices, prices));
  const estimate = usualEstimate(strategy, bases[depth]);
  const roles = (['research', 'compression', 'report', 'check'] as const).map(
    (role) => [role, settings[`model.${role}`]] as const,
  );
  const modelFor = Object.fromEntries(roles.filter(([, other]) => other !== '' && other !== name));
  const model = { analyst: 'llm', provider, model: name, modelHost: host, modelWhy: why, modelFor, ...common } as const;
  return { ...model, ...chosen, estimate, bases, problem: null };
}

/** What a search of the web would ask, also where `sources.enabled` leaves it out. */
async function webOf(
  open: Parameters<typeof enabledSources>[0],
  definitions: readonly SourceDefinition[],
): Promise<Pick<EngineSetup, 'web'>> {
  const web = definitions.find(({ name }) => name === 'web');
  if (web === undefined) return {};
  const [set] = await enabledSources({ ...open, settings: { ...open.settings, 'sources.enabled': [] } }, [web]);
  const keys = servicesOf(web).flatMap(({ name, label, secret }) => (secret ? [{ service: name, label }] : []));
  return { web: { hosts: set?.hosts ?? [], keys } };
}

/** What can be done about a model that can't be used. */
function actionsFor({ reason, origin }: ResearchError, takesKey: boolean): readonly SetupAction[] {
  if (reason === 'auth') return [takesKey ? 'setKey' : 'openSettings', 'withoutModel', 'selectModel'];
  // Without a server there is nothing to try.
  const isSetUp = reason !== 'config' || origin !== undefined;
  return [isSetUp ? 'tryAgain' : 'openSettings', 'withoutModel', 'selectModel'];
}
