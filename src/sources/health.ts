import { type SourceHealth, fillText } from '../research/ports.ts';
import { within } from '../research/calls/waiting.ts';
import { ResearchError } from '../research/errors.ts';
import type { ResearchTool, ToolContext } from '../research/tools.ts';
import type { CreatedTools } from './createTools.ts';
import type { PoliteClient } from './http/politeClient.ts';
import type { Quota } from './http/limits.ts';

/** One check takes no longer. */
const longestMs = 10_000;
/** A query that every source finds something for, and that says nothing about the user. */
const probe = 'neural network';

export interface HealthInput extends CreatedTools {
  /** A client of its own: an answer from a cache would prove nothing. */
  readonly client: PoliteClient;
  /** Names of the services that keys can be saved for. */
  readonly keyServices: ReadonlySet<string>;
}

/**
 * Sends one small search to each source, all at once, and says what works, what is limited, wrong or missing, and what to do.
 * Ends within 10 s. Rejects only when aborted.
 */
export async function checkTools(input: HealthInput, signal: AbortSignal): Promise<SourceHealth[]> {
  const isMissing = new Set([...input.unavailable, ...input.absent].map(({ source }) => source));
  const usable = input.tools.filter(({ source }) => !isMissing.has(source));
  const bySource = Map.groupBy(usable, ({ source }) => source);
  const checked = [...bySource].map(([name, tools]) => checkSource(name, tools, input, signal));
  const fix = { action: 'openSettings', key: 'sources' } as const;
  const missing = input.unavailable.map(({ source, why }): SourceHealth => {
    return { name: source, label: source, state: 'missing', message: why, fix };
  });
  const optional = input.absent.map(({ source, label, why }): SourceHealth => {
    return { name: source, label, state: 'optional', message: why, fix };
  });
  return [...(await Promise.all(checked)), ...missing, ...optional];
}

async function checkSource(
  name: string,
  tools: readonly ResearchTool[],
  { client, keyServices }: HealthInput,
  signal: AbortSignal,
): Promise<SourceHealth> {
  const search = tools.find(({ kind }) => kind === 'search');
  const label = tools[0]?.traits?.label ?? name;
  // A server has been started and has listed its tools; what a call of it does is not known.
  if (search?.traits === undefined) {
    const count = fillText('{0, plural, one {# tool} other {# tools}}', [tools.length]);
    return { name, label, state: 'works', message: `${count}: ${tools.map((tool) => tool.name).join(', ')}.` };
  }
  const end = new AbortController();
  const started = performance.now();
  try {
    const args = { query: probe, ...('max_results' in search.parameters.shape ? { max_results: 1 } : {}) };
    const ask: ToolContext['ask'] = (port, request) => port.complete(request, {}, end.signal);
    const context = { focus: probe, language: 'en', ask };
    const running = search.run(args, context, AbortSignal.any([signal, end.signal]));
    const { warnings = [] } = await within(longestMs, running, () => late(label));
    signal.throwIfAborted();
    const left = quotaText(client.quota(name));
    const ms = Math.round(performance.now() - started);
    const answered = search.traits.isLocal ? 'It can be searched.' : `It answered in ${ms} ms.`;
    const isLimited = warnings.length > 0 || client.quota(name)?.remaining === 0;
    const message = [...warnings, answered, left].filter((text) => text !== '').join(' ');
    if (!isLimited) return { name, label, state: 'works', message };
    return { name, label, state: 'limited', message, ...fixOf(name, keyServices) };
  } catch (error) {
    signal.throwIfAborted();
    return { name, label, ...healthOf(ResearchError.from(error), name, keyServices) };
  } finally {
    end.abort();
  }
}

/** What an error says of the health of a service, in words for a person. */
export function healthOf(
  failure: ResearchError,
  service: string,
  keyServices: ReadonlySet<string>,
): Pick<SourceHealth, 'state' | 'message' | 'fix'> {
  const message = [failure.message, failure.next].filter((text) => text !== '').join(' ');
  switch (failure.reason) {
    case 'rateLimit':
    case 'quota':
      return { state: 'limited', message, ...fixOf(service, keyServices) };
    case 'auth':
      return { state: 'wrong', message, ...fixOf(service, keyServices) };
    case 'network':
    case 'timeout':
      return { state: 'unreachable', message, fix: { action: 'openSettings', key: 'endpoints' } };
    // It answered, and has nothing for this question.
    case 'notFound':
      return { state: 'works', message: 'It answered.' };
    default:
      return { state: 'wrong', message, fix: { action: 'openSettings', key: 'sources' } };
  }
}

function fixOf(service: string, keyServices: ReadonlySet<string>): Pick<SourceHealth, 'fix'> {
  return {
    fix: keyServices.has(service) ? { action: 'setKey', service } : { action: 'openSettings', key: 'sources' },
  };
}

function late(label: string): ResearchError {
  return new ResearchError('timeout', `${label} did not answer within ${longestMs / 1000} s.`, {
    next: 'Check the network, the proxy and the address in the settings.',
  });
}

function quotaText(quota: Quota | undefined): string {
  if (quota === undefined) return '';
  const { remaining, limit, resetAt } = quota;
  const until = resetAt === undefined ? '' : ` until ${resetAt.toISOString().slice(11, 16)} UTC`;
  return limit === undefined
    ? `${remaining} requests are left${until}.`
    : `${remaining} of ${limit} requests are left${until}.`;
}
