import { join } from 'node:path';
import * as z from 'zod';
import { builtIn } from '../catalogue.ts';
import { systemClock } from '../node/clock.ts';
import { remembered } from '../node/remembered.ts';
import { untilAborted, within } from '../research/calls/waiting.ts';
import type { Settings } from '../research/settings/config.ts';
import { ResearchError } from '../research/errors.ts';
import type { OutgoingGuard } from '../research/policy/outgoing.ts';
import type { Log, Reading, WebSearchModel, WorkspacePort } from '../research/ports.ts';
import type { WorkspaceFacts } from '../research/tools.ts';
import { type CreatedTools, createTools } from '../sources/createTools.ts';
import { createPoliteClient, type PoliteClient, userAgentOf } from '../sources/http/politeClient.ts';
import { createOutsideTools } from '../sources/mcp/createOutsideTools.ts';
import { createOutgoing } from '../sources/outgoing/createOutgoing.ts';
import type { PageClient } from '../sources/pages/pageClient.ts';
import { readSomeProse, readWorkspaceFacts } from '../sources/workspaceFacts.ts';
import { openedWorkspace } from './searchFolder.ts';
import { bindingSettings, type RunOptions } from './runOptions.ts';

export interface Opened extends CreatedTools {
  readonly facts: WorkspaceFacts | undefined;
  readonly outgoing: OutgoingGuard;
  readonly close: () => Promise<void>;
  /** Prose of the folder, where a run searches it and a model may see its texts. Rejects only when aborted. */
  readonly texts: (signal: AbortSignal) => Promise<readonly string[]>;
}

export async function openSources(
  options: RunOptions,
  given: Settings,
  reading: Reading | undefined,
  how: {
    readonly signal: AbortSignal;
    /** Aborted when the run ends. */
    readonly ended: AbortSignal;
    readonly withModel: boolean;
    /** For a check: no cache, and no facts, which no search for nothing needs. */
    readonly own?: PoliteClient;
    readonly webSearch: readonly WebSearchModel[];
  },
): Promise<Opened> {
  const { signal, ended, withModel, own, webSearch } = how;
  const settings = bindingSettings(given, withModel);
  let workspace: WorkspacePort | undefined;
  let facts: WorkspaceFacts | undefined;
  if (options.workspaceFolder !== undefined && settings['workspace.forModel'] !== 'off') {
    workspace = openedWorkspace(options.workspaceFolder, options, settings, reading);
    if (own === undefined) facts = await inTime(readWorkspaceFacts(workspace, settings, signal), options.log, signal);
  }
  // One client for all runs of the process, so that they share its pacing and its cache.
  const client = own ?? runsClient(options);
  const { behindProxy = false } = options;
  let pages = pageClients.get(behindProxy);
  if (pages === undefined) {
    const { PageClient } = await import('../sources/pages/pageClient.ts');
    pages = new PageClient({
      userAgent: userAgentOf(options.version),
      clock: systemClock,
      log: options.log,
      ...(options.runsFolder !== '' && { storage: join(options.runsFolder, '.network', 'pages') }),
      answers: options.shared?.answers,
      ...(behindProxy && { proxyFetch: (...request) => globalThis.fetch(...request) }),
    });
    pageClients.set(behindProxy, pages);
  }
  const { secrets, log, catalogue = builtIn } = options;
  const outgoing = createOutgoing({
    ...{ settings, workspace, facts, client, sources: catalogue.sources, log, ended },
    // A check searches for nothing.
    withModel: withModel && own === undefined,
  });
  const known = { ...(workspace && { workspace }), ...(facts && { facts }), others: Object.keys(settings.mcpServers) };
  const { tools, unavailable, absent } = await createTools(
    { settings, ...known, secrets, client, pages, webSearch, log, isFresh: options.isFresh },
    catalogue.sources,
  );
  const { editorTools = [], version } = options;
  const outside = await createOutsideTools(
    {
      ...{ settings, editorTools, version, log, others: tools },
      // A check asks nothing.
      allowTools: own === undefined ? options.allowTools : undefined,
      digests: remembered(options.runsFolder, '.tools.json', z.string()),
    },
    signal,
  );
  const isShown = settings['workspace.forModel'] === 'content' && tools.some((tool) => tool.source === 'workspace');
  return {
    ...{ facts, outgoing, absent, close: outside.close },
    texts: async (ended) => (workspace && isShown ? await readSomeProse(workspace, ended) : []),
    tools: [...tools, ...outside.tools],
    unavailable: [...unavailable, ...outside.unavailable],
  };
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
    signal.throwIfAborted();
    log.warn(ResearchError.from(error).message);
    return undefined;
  }
}

let client: PoliteClient | undefined;

/** The network is back: what was down is asked again. */
export function sourcesReconnected(): void {
  client?.reconnected();
}

function runsClient(options: RunOptions): PoliteClient {
  client ??= createPoliteClient({
    userAgent: userAgentOf(options.version),
    clock: systemClock,
    log: options.log,
    ...(options.runsFolder !== '' && { storage: join(options.runsFolder, '.network') }),
    elsewhere: options.shared,
  });
  return client;
}

/** By whether a proxy is in use. */
const pageClients = new Map<boolean, PageClient>();
