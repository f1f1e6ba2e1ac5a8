import type { Source } from '../../evidence/source.ts';
import type { ChatMessage } from '../../ports.ts';
import type { ActInput, GatheredCall, Scope } from '../analyst.ts';
import { cutToTokens, estimateTokens } from './estimateTokens.ts';
import { defuse, fencedSource, oneLine } from './fence.ts';
import { selectPassages, shareTokens } from './passages.ts';

/** Turns whose calls and answers are shown whole. */
const shownTurns = 2;
/** Passages of one shown turn, in tokens. */
const turnTokens = 2_200;
/** Sources of one turn that are shown, taken from its calls in turn, best first; a few of the others are named. */
const shownSources = 12;
const namedSources = 4;
/** Notes on everything before, in tokens. */
const noteTokens = 1_000;

export interface History {
  /** Queries made and sources found before the shown turns, one a line; "" when there is nothing. */
  readonly notes: string;
  /** The latest turns as valid assistant and tool messages: every call has its answer. */
  readonly turns: readonly ChatMessage[];
}

export function historyOf(input: ActInput, scope: Pick<Scope, 'source'>): History {
  const numbers = [...new Set(input.gathered.map((call) => call.turn))].sort((a, b) => a - b);
  const recent = numbers.slice(-shownTurns);
  const query = [input.task.title, input.task.description, ...input.gaps].join(' ');
  const shown = new Set<string>();
  const turns = recent.flatMap((number) => turnMessages(input.gathered.filter((call) => call.turn === number), query, scope, shown));
  return { notes: notesOf(input, input.gathered.filter((call) => !recent.includes(call.turn)), scope), turns };
}

function turnMessages(calls: readonly GatheredCall[], query: string, scope: Pick<Scope, 'source'>, shown: Set<string>): ChatMessage[] {
  const sources = sourcesToShow(calls, scope, shown);
  const shares = shareTokens(
    sources.map(({ source }) => Math.min(estimateTokens(source.text.slice(0, 4_000)), 700)),
    turnTokens,
  );
  const blocks = sources.map(({ call, source }, index) => ({ call, id: source.id, block: fencedSource(source, selectPassages(source, query, shares[index]!)) }));
  return [
    { role: 'assistant', content: calls[0]!.said, toolCalls: calls.map(({ call }) => ({ id: call.id, name: call.name, args: call.args })) },
    ...calls.map((call): ChatMessage => ({ role: 'tool', callId: call.call.id, content: answerOf(call, blocks.filter((entry) => entry.call === call), scope) })),
  ];
}

/** Sources that no message before has shown: the best of each call, then the second best, and so on. */
function sourcesToShow(calls: readonly GatheredCall[], scope: Pick<Scope, 'source'>, shown: Set<string>): { readonly call: GatheredCall; readonly source: Source }[] {
  const chosen: { call: GatheredCall; source: Source }[] = [];
  const deepest = Math.max(0, ...calls.map((call) => call.sources.length));
  for (let rank = 0; rank < deepest && chosen.length < shownSources; rank += 1) {
    for (const call of calls) {
      const id = call.sources[rank];
      const source = id === undefined || shown.has(id) || chosen.length >= shownSources ? undefined : scope.source(id);
      if (!source) continue;
      shown.add(source.id);
      chosen.push({ call, source });
    }
  }
  return chosen;
}

function answerOf(call: GatheredCall, shown: readonly { readonly id: string; readonly block: string }[], scope: Pick<Scope, 'source'>): string {
  if (call.error !== undefined) return `Error: ${cutToTokens(defuse(call.error), 300)}`;
  const others = call.sources.filter((id) => !shown.some((entry) => entry.id === id)).flatMap((id) => scope.source(id) ?? []);
  const named = others.slice(0, namedSources).map((source) => `[${source.id}] ${oneLine(source.title).slice(0, 90)}`);
  const more = others.length > named.length ? `; ${others.length - named.length} more` : '';
  const rest = named.length === 0 ? '' : `Also found, shown elsewhere or not at all: ${named.join('; ')}${more}`;
  const note = cutToTokens(defuse(call.note), 200);
  return [note, ...shown.map((entry) => entry.block), rest].filter((part) => part !== '').join('\n\n') || 'Nothing found.';
}

/** The latest notes are worth most: the oldest go first when there are too many. */
function notesOf(input: ActInput, older: readonly GatheredCall[], scope: Pick<Scope, 'source'>): string {
  const lines: string[] = [];
  if (input.known.length > 0) {
    const titles = input.known.flatMap((id) => scope.source(id) ?? []).map((source) => `[${source.id}] ${oneLine(source.title).slice(0, 90)}`);
    lines.push(cutToTokens(`Known from an earlier attempt: ${titles.join('; ')}`, noteTokens / 2));
  }
  const named = new Set<string>();
  for (const call of older) {
    if (call.call.name === 'think') continue;
    lines.push(noteOf(call, scope, named));
  }
  const kept: string[] = [];
  let left = noteTokens;
  for (const line of [...lines].reverse()) {
    left -= estimateTokens(line) + 1;
    if (left < 0) break;
    kept.unshift(line);
  }
  if (kept.length < lines.length) kept.unshift(`(${lines.length - kept.length} earlier calls are not listed)`);
  return kept.length === 0 ? '' : `Notes so far:\n${kept.map((line) => `- ${line}`).join('\n')}`;
}

function noteOf(call: GatheredCall, scope: Pick<Scope, 'source'>, named: Set<string>): string {
  const args = oneLine(Object.values(call.call.args).map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ')).slice(0, 160);
  const what = `${call.call.name}(${args})`;
  if (call.error !== undefined) return `${what}: ${oneLine(call.error).slice(0, 120)}`;
  if (call.sources.length === 0) return `${what}: nothing found`;
  const fresh = call.sources.filter((id) => !named.has(id)).slice(0, 6);
  for (const id of fresh) named.add(id);
  const titles = fresh.map((id) => `[${id}] ${oneLine(scope.source(id)?.title ?? '').slice(0, 60)}`.trim());
  const more = call.sources.length - fresh.length;
  return `${what}: ${titles.join('; ')}${more > 0 ? `${titles.length > 0 ? '; ' : ''}${more} more or known` : ''}`;
}
