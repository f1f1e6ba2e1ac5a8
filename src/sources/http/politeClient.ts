import { join } from 'node:path';
import { AnswerCache } from './answerCache.ts';
import { AnswerStore } from './answerStore.ts';
import { SharedGate } from './sharedGate.ts';
import type { HttpService, HttpSession } from './httpSession.ts';
import type { Quota } from './limits.ts';
import { type PoliteClientOptions, PoliteSession, type Shared } from './politeSession.ts';
import { Pacer } from './pacer.ts';
import { SingleFlight } from './singleFlight.ts';

export interface PoliteClient {
  session(service: HttpService): HttpSession;
  /** The network was lost and is back: hosts that were out of reach meanwhile are tried again. */
  reconnected(): void;
  /** The quota that the last answer to a service named; undefined when none did. */
  quota(service: string): Quota | undefined;
}

/** `deep-research-vscode/1.2.3 (+https://…)`. */
export function userAgentOf(version: string, repositoryUrl?: string): string {
  return `deep-research-vscode/${version}${repositoryUrl ? ` (+${repositoryUrl})` : ''}`;
}

/** One client for all sources of an engine: it paces, retries, shares and caches. */
export function createPoliteClient(options: PoliteClientOptions): PoliteClient {
  const shared: Shared = {
    options,
    longestWaitMs: options.longestWaitMs ?? 20_000,
    cache: new AnswerCache(options.cacheSize ?? 20_000_000),
    pacer: new Pacer(options.clock, options.longestWaitMs ?? 20_000),
    flights: new SingleFlight(),
    ...(options.storage !== undefined && {
      store: new AnswerStore(join(options.storage, 'answers'), () => options.clock.now().getTime()),
      gate: new SharedGate(join(options.storage, 'turns'), options.clock),
    }),
    ...(options.elsewhere && { store: options.elsewhere.answers, gate: options.elsewhere.gate }),
    quotas: new Map(),
    reconnections: 0,
  };
  return {
    session: (service) => new PoliteSession(shared, service),
    reconnected: () => {
      shared.reconnections += 1;
    },
    quota: (service) => shared.quotas.get(service),
  };
}
