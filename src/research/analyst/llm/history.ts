import type { Source } from '../../evidence/source.ts';
import { interleave } from '../../policy/interleave.ts';
import type { ChatMessage } from '../../ports.ts';
import type { ActInput, GatheredCall, Scope } from '../analyst.ts';
import { moreOf, readMoreArguments, readMoreTool } from '../readMore.ts';
import { cutToTokens, estimateTokens } from '../../text/estimateTokens.ts';
import { defuse, fencedSource, oneLine } from './fence.ts';
import { bestEntries, selectPassages, shareTokens } from './passages.ts';

/** Turns whose calls and answers are shown. */
const shownTurns = 2;
/**
 * Passages and sources that are shown in all, and the share of them that goes to the latest turn. One budget for both turns:
 * a prompt then has about the same length from the second turn on, so that tokens grow in line with the calls.
 */
const passageTokens = 1_700;
const shownSources = 8;
const latestShare = 0.7;
/** The first results say most about where to search next, and nothing else is in the prompt yet. */
const aloneShare = 1.5;
/** Other sources of a call that are named. */
const namedSources = 2;
/** One source at most, and one of which a call asked for more. */
const sourceTokens = 700;
const moreTokens = 1_200;
const saidTokens = 80;
/** One argument of a call. */
const argumentTokens = 120;
/** Notes on everything before, in tokens. */
const noteTokens = 300;

export interface History {
  /** Queries made and sources found before the shown turns, one a line; "" when there is nothing. */
  readonly notes: string;
  /** The latest turns as valid assistant and tool messages: every call has its answer. */
  readonly turns: readonly ChatMessage[];
}

/** @param scale Share of the usual length, from 0 to 1, for models with a small context window. */
export function historyOf(input: ActInput, scope: Pick<Scope, 'source'>, scale = 1): History {
  const numbers = [...new Set(input.gathered.map((call) => call.turn))].sort((a, b) => a - b);
  const recent = numbers.slice(-shownTurns);
  const latest = input.remarks?.at(-1)?.slice(0, 1_000) ?? '';
  const query = [input.task.title, input.task.description, ...input.gaps, latest].join(' ');
  const shown = new Set<string>();
  // The latest turn first: a source that both brought is shown where it is new.
  const turns = [...recent]
    .reverse()
    .map((number, index) => {
      const share = scale * (recent.length === 1 ? aloneShare : index === 0 ? latestShare : 1 - latestShare);
      return turnMessages(
        input.gathered.filter((call) => call.turn === number),
        query,
        share,
        scope,
        shown,
      );
    })
    .reverse()
    .flat();
  return {
    notes: notesOf(
      input,
      input.gathered.filter((call) => !recent.includes(call.turn)),
      scope,
      Math.round(noteTokens * scale),
    ),
    turns,
  };
}

function turnMessages(
  calls: readonly GatheredCall[],
  query: string,
  share: number,
  scope: Pick<Scope, 'source'>,
  shown: Set<string>,
): ChatMessage[] {
  const sources = sourcesToShow(calls, Math.round(shownSources * share), scope, shown);
  const shares = shareTokens(
    sources.map(({ call, source }) => {
      const most = call.call.name === readMoreTool ? moreTokens : sourceTokens;
      return Math.min(estimateTokens(source.text.slice(0, 4_000)), most);
    }),
    Math.round(passageTokens * share),
  );
  const blocks = sources.map(({ call, source }, index) => ({
    call,
    id: source.id,
    block: fencedSource(source, passagesOf(call, source, query, shares[index]!)),
  }));
  return [
    {
      role: 'assistant',
      content: cutToTokens(calls[0]!.said, saidTokens),
      toolCalls: calls.map(({ call }) => ({ id: call.id, name: call.name, args: shortArguments(call.args) })),
    },
    ...calls.map((call): ChatMessage => ({
      role: 'tool',
      callId: call.call.id,
      content: answerOf(
        call,
        blocks.filter((entry) => entry.call === call),
        scope,
      ),
    })),
  ];
}

/** What a call asked for of a source, else what bears on the task. */
function passagesOf({ call }: GatheredCall, source: Source, query: string, tokens: number): string {
  const args = call.name === readMoreTool ? readMoreArguments.safeParse(call.args).data : undefined;
  if (args === undefined) return selectPassages(source, query, tokens);
  const { about, from, to } = moreOf(source, args);
  return about === '' ? cutToTokens(source.text.slice(from, to), tokens) : selectPassages(source, about, tokens);
}

/** Sources that no other message shows: the best of each call, then the second best, and so on. */
function sourcesToShow(
  calls: readonly GatheredCall[],
  most: number,
  scope: Pick<Scope, 'source'>,
  shown: Set<string>,
): { readonly call: GatheredCall; readonly source: Source }[] {
  const chosen: { call: GatheredCall; source: Source }[] = [];
  for (const { call, id } of interleave(calls.map((one) => one.sources.map((id) => ({ call: one, id }))))) {
    const source = shown.has(id) || chosen.length >= most ? undefined : scope.source(id);
    if (!source) continue;
    shown.add(source.id);
    chosen.push({ call, source });
  }
  return chosen;
}

function answerOf(
  call: GatheredCall,
  shown: readonly { readonly id: string; readonly block: string }[],
  scope: Pick<Scope, 'source'>,
): string {
  if (call.error !== undefined) return `Error: ${cutToTokens(defuse(call.error), 300)}`;
  const others = call.sources
    .filter((id) => !shown.some((entry) => entry.id === id))
    .flatMap((id) => scope.source(id) ?? []);
  const named = others.slice(0, namedSources).map((source) => `[${source.id}] ${oneLine(source.title).slice(0, 50)}`);
  const more = others.length > named.length ? `; ${others.length - named.length} more` : '';
  const rest = named.length === 0 ? '' : `Also found, shown elsewhere or not at all: ${named.join('; ')}${more}`;
  const note = cutToTokens(defuse(call.note), 200);
  return (
    [note, ...shown.map((entry) => entry.block), rest].filter((part) => part !== '').join('\n\n') || 'Nothing found.'
  );
}

/** When there are too many notes, those that bear on the task stay, and of the others the latest. */
function notesOf(
  input: ActInput,
  older: readonly GatheredCall[],
  scope: Pick<Scope, 'source'>,
  tokens: number,
): string {
  const about = [input.task.title, input.task.description, ...input.gaps].join(' ');
  const lines: string[] = [];
  if (input.known.length > 0) {
    const titles = input.known
      .flatMap((id) => scope.source(id) ?? [])
      .map((source) => `[${source.id}] ${oneLine(source.title).slice(0, 90)}`);
    const named = bestEntries(titles, about, Math.floor(tokens / 2)).map((index) => titles[index]!);
    lines.push(`Known from an earlier attempt: ${named.join('; ')}`);
  }
  const named = new Set<string>();
  for (const call of older) {
    if (call.call.name === 'think') continue;
    lines.push(noteOf(call, scope, named));
  }
  const listed = bestEntries(lines, about, tokens, 'latest').map((index) => lines[index]!);
  if (listed.length < lines.length) listed.unshift(`(${lines.length - listed.length} earlier calls are not listed)`);
  return listed.length === 0 ? '' : `Notes so far:\n${listed.map((line) => `- ${line}`).join('\n')}`;
}

/** Arguments as the history repeats them: a model that writes an essay into a query pays for it once. @param most Tokens of one. */
export function shortArguments(
  args: Readonly<Record<string, unknown>>,
  most = argumentTokens,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (typeof value === 'string') return [name, cutToTokens(value, most)];
      const json = JSON.stringify(value) ?? '';
      return [name, json.length > 4 * most ? cutToTokens(json, most) : value];
    }),
  );
}

function noteOf(call: GatheredCall, scope: Pick<Scope, 'source'>, named: Set<string>): string {
  const args = oneLine(
    Object.values(call.call.args)
      .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      .join(', '),
  ).slice(0, 100);
  const what = `${call.call.name}(${args})`;
  if (call.error !== undefined) return `${what}: ${oneLine(defuse(call.error)).slice(0, 120)}`;
  if (call.sources.length === 0) return `${what}: nothing found`;
  const fresh = call.sources.filter((id) => !named.has(id)).slice(0, 2);
  for (const id of fresh) named.add(id);
  const titles = fresh.map((id) => `[${id}] ${oneLine(scope.source(id)?.title ?? '').slice(0, 40)}`.trim());
  const more = call.sources.length - fresh.length;
  return `${what}: ${titles.join('; ')}${more > 0 ? `${titles.length > 0 ? '; ' : ''}${more} more or known` : ''}`;
}
