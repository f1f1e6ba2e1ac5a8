import type { Settings } from '../../research/settings/config.ts';
import type { OutgoingGuard } from '../../research/policy/outgoing.ts';
import type { Log, WorkspacePort } from '../../research/ports.ts';
import type { WorkspaceFacts } from '../../research/tools.ts';
import { github } from '../github/githubSource.ts';
import type { PoliteClient } from '../http/politeClient.ts';
import { endpointOf, servicesOf, type SourceDefinition } from '../source.ts';
import { createOutgoingGuard } from './outgoingGuard.ts';
import { createPublicNames } from './publicNames.ts';

export interface OutgoingOptions {
  readonly settings: Settings;
  readonly workspace: WorkspacePort | undefined;
  readonly facts: WorkspaceFacts | undefined;
  readonly client: PoliteClient;
  readonly sources: readonly SourceDefinition[];
  readonly log: Log;
  /** A model writes queries; without one, words that were found make them. */
  readonly withModel: boolean;
  /** Aborted when the run ends. */
  readonly ended: AbortSignal;
}

/** What decides, in one run, which words of the workspace may leave this machine. */
export function createOutgoing(options: OutgoingOptions): OutgoingGuard {
  const { settings, workspace, facts, client, sources, log, withModel, ended } = options;
  const publicNames = createPublicNames({
    facts,
    session: client.session({ name: 'names', label: 'The check of public names', publicHosts: [] }),
    repositories: endpointOf(github, settings),
    packages: settings['endpoints.depsdev'],
    log,
  });
  const outgoing = createOutgoingGuard({
    inQueries: settings['workspace.inQueries'],
    ...{ workspace, facts, publicNames, ended },
    readsFolder: withModel,
    publicKinds: new Set(sources.filter((source) => servicesOf(source).length > 0).map(({ name }) => name)),
  });
  if (withModel) outgoing.prepare();
  return outgoing;
}
