import type { ActInput, Scope, Turn } from '../analyst.ts';
import { withoutNames } from '../../evidence/namedIn.ts';
import { type ChosenCall, type ResearchTool, sourceTraits } from '../../tools.ts';
import { searchShare } from '../../policy/budget.ts';
import { interleave } from '../../policy/interleave.ts';
import { readQuery } from '../../text/query.ts';
import { englishSubject } from './englishSubject.ts';
import { askedBy } from './planSections.ts';

/** Passages of one search on this machine. */
const nearResults = 8;
/** A service matches words, not sentences: more of them find less. */
const mostFarWords = 6;
/** Calls of which a part is left for opening what searches find. */
const leastShared = 4;
/** Remarks that are searched for, the latest ones, and what of one makes a query, in UTF-16 units. */
const mostRemarks = 3;
const longestRemark = 500;
/** Found documents that are opened, of each source. */
const opened = { quick: 1, standard: 2, deep: 4 } as const;

/**
 * The whole question to the user's own files, its words to services; then the same in English where a service has said what the
 * subject is called there; then the best of what was found opened; then the end.
 */
export function chooseCalls(input: ActInput, { source, limits, language }: Scope): Turn {
  const left = Math.max(0, input.callsLeft);
  const asked = onRemarks(input, language);
  // What the user asks for comes first, beside the section's own searches where these are not made yet.
  if (asked.length > 0)
    return turnOf(input.turn, [...asked, ...(input.turn === 0 ? callsOf(input, language) : [])], left);
  const english = input.turn === 1 ? inEnglish(input).slice(0, mostSearches(left)) : [];
  const searches = input.turn === 0 ? callsOf(input, language) : english;
  // A turn later where the first one after the searches went to English ones.
  const isOpening = (name: string): boolean => input.tools.some((tool) => tool.name === name && tool.kind === 'read');
  const isEnd = input.gathered.some(({ call, turn }) => turn > 0 && isOpening(call.name));
  const mayOpen =
    input.turn === 1 || (!isEnd && input.gathered.some(({ turn }) => turn === input.turn - 1 && turn > 0));
  const opening = mayOpen && english.length === 0 ? openings(input, source, opened[limits.depth]) : [];
  return turnOf(input.turn, [...searches, ...opening], left);
}

function turnOf(turn: number, calls: readonly ChosenCall[], most: number): Turn {
  return {
    said: '',
    calls: calls.slice(0, most).map(({ name, args }, index) => ({ id: `call-${turn}-${index}`, name, args })),
  };
}

/** A discoverer looks for what the question asks. */
function askedOf({ role, task, question }: ActInput): string {
  return role === 'discoverer' ? (task.queries[0] ?? question) : askedBy(task, question);
}

/** Searches with the words of the latest remarks, as far as they were not made. */
function onRemarks(input: ActInput, language: string): ChosenCall[] {
  const { remarks = [], gathered } = input;
  const made = new Set(gathered.map(({ call }) => JSON.stringify([call.name, call.args['query']])));
  return remarks
    .slice(-mostRemarks)
    .flatMap((remark) => {
      const query = remark.replace(/\s+/g, ' ').slice(0, longestRemark).trim();
      return callsOf({ ...input, task: { ...input.task, queries: [query] } }, language);
    })
    .filter(({ name, args }) => !made.has(JSON.stringify([name, args['query']])));
}

function callsOf(input: ActInput, language: string): ChosenCall[] {
  const query = askedOf(input);
  const searches = input.tools.filter(({ kind }) => kind === 'search');
  const near = searches.filter(({ traits }) => traits?.isLocal);
  const own = near.map((tool) => nearSearch(tool, query));
  const far = searches.filter((tool) => !near.includes(tool));
  const words = subjectOf(query, language);
  const isLatin = !/(?!\p{Script=Latin})\p{L}/u.test(words);
  return [...own, ...farCalls(far, words, isLatin ? words : '', mostSearches(input.callsLeft) - own.length)];
}

/** Searches with what a search of the first turn said that the subject is called in English. */
function inEnglish(input: ActInput): ChosenCall[] {
  const { gathered, tools } = input;
  const english = englishSubject(gathered, askedOf(input));
  if (english === undefined) return [];
  // One that translates by itself has searched in English already.
  const far = tools.filter(
    ({ kind, traits, name }) =>
      kind === 'search' &&
      !traits?.isLocal &&
      !gathered.some((call) => call.call.name === name && call.error === undefined && call.english !== undefined),
  );
  return farCalls(far, english, english, far.length);
}

/** Each source's first tool before any second one. */
function farCalls(
  tools: readonly ResearchTool[],
  subject: string,
  englishSubject: string,
  count: number,
): ChosenCall[] {
  return interleave([...Map.groupBy(tools, ({ source }) => source).values()])
    .flatMap((tool) => {
      const fitted = tool.traits?.fitQuery?.({ text: subject, subject, englishSubject }) ?? subject;
      return fitted === '' ? [] : [{ name: tool.name, args: { query: fitted } }];
    })
    .slice(0, Math.max(0, count));
}

function nearSearch(tool: ResearchTool, query: string): ChosenCall {
  const known = tool.parameters.shape;
  return {
    name: tool.name,
    args: {
      query,
      ...('max_results' in known ? { max_results: nearResults } : {}),
      ...('least_share' in known ? { least_share: 0 } : {}),
    },
  };
}

/** A budget that is too small to be shared goes to searches. */
function mostSearches(calls: number): number {
  return calls < leastShared ? calls : searchShare(calls);
}

/** The words of a question that a service is asked with. */
function subjectOf(query: string, language: string): string {
  const { asking } = readQuery(withoutNames(query), language);
  const words = readQuery(asking, language).words.map(({ word }) => word);
  return words.slice(0, mostFarWords).join(' ');
}

function openings(input: ActInput, sourceOf: Scope['source'], most: number): ChosenCall[] {
  const found = [...new Set(input.gathered.flatMap(({ sources }) => sources))]
    .map(sourceOf)
    .filter((one) => one !== undefined);
  const failed = new Set(input.gathered.filter(({ error }) => error !== undefined).map(({ call }) => call.name));
  return sourceTraits(input.tools.filter(({ kind, name }) => kind === 'read' && !failed.has(name)))
    .flatMap((traits) => traits.open?.(found, input.workspace).slice(0, most) ?? [])
    .filter(({ name }) => input.tools.some((tool) => tool.name === name));
}
