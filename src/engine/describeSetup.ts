import { builtIn } from '../catalogue.ts';
import type { EngineSetup } from '../protocol/ports.ts';
import type { Settings } from '../research/config.ts';
import { ResearchError } from '../research/errors.ts';
import { documentKinds, enabledSources } from '../sources/createTools.ts';
import { enabledServers } from '../sources/mcp/createOutsideTools.ts';
import { type RunOptions, settingsOf, modelsOf, webSearchOf } from './runOptions.ts';

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
  const roles = (['research', 'compression', 'report'] as const).map(
    (role) => [role, settings[`model.${role}`]] as const,
  );
  const modelFor = Object.fromEntries(roles.filter(([, other]) => other !== '' && other !== name));
  const model = { analyst: 'llm', provider, model: name, modelHost: host, modelWhy: why, modelFor, kinds } as const;
  return { ...model, sources, strategy, workspaceForModel, problem: null };
}
