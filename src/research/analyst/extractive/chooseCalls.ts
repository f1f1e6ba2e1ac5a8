import type { ActInput, AnalystLimits, Turn } from '../analyst.ts';
import type { Source } from '../../evidence/source.ts';
import { type ChosenCall, type ResearchTool, sourceTraits } from '../../tools.ts';
import { isMainFacet } from './choosePassages.ts';
import { feedbackWords } from './expandSubject.ts';
import { englishOf } from './glossary.ts';
import { readQuestion } from './question.ts';
import { searchShare } from '../../policy/budget.ts';
import { inTurns } from '../../policy/inTurns.ts';
import { questionOfSection } from './questionOfSection.ts';
import { acronymOf } from './shortForms.ts';
import { facetOfSection } from './rankPassages.ts';
import { terms } from '../../text/tokenize.ts';

/** Queries for one search tool in the first turn, by depth. What is on this machine is near and free; services are neither. */
const queriesPerTool = {
  quick: { near: 1, far: 1 },
  standard: { near: 2, far: 1 },
  deep: { near: 3, far: 2 },
} as const;
/** Searches of the workspace by the words that its first results share, and words of one of them. */
const fieldQueries = { quick: 1, standard: 3, deep: 4 } as const;
/** Few words: a passage that has one of many is cut off by those that have more. */
const fieldQueryWords = 3;
/** Passages of one search of the workspace, for the section that answers the question and for the others. */
const nearResults = { main: 20, other: 12 } as const;
const opened = { quick: 1, standard: 2, deep: 4 } as const;

/**
 * The next tool calls: first the section's searches on all search tools at once, then the best results opened, then a wider
 * search when nothing was found at all; then the end (no calls). Pure.
 */
export function chooseCalls(
  given: ActInput,
  sourceOf: (id: string) => Source | undefined,
  depth: AnalystLimits['depth'],
): Turn {
  const input = { ...given, question: questionOfSection(given.task.title, given.question) };
  const calls = callsOf(input, sourceOf, depth).slice(0, Math.max(0, input.callsLeft));
  return { said: '', calls: calls.map(({ name, args }, index) => ({ id: `call-${input.turn}-${index}`, name, args })) };
}

function callsOf(
  input: ActInput,
  sourceOf: (id: string) => Source | undefined,
  depth: AnalystLimits['depth'],
): ChosenCall[] {
  if (input.turn === 0) return searches(input, queriesOf(input), depth);
  const hasFound = input.known.length > 0 || input.gathered.some(({ sources }) => sources.length > 0);
  if (input.turn === 1 && hasFound) {
    const opened = reads(input, sourceOf, depth);
    // Half of what is left reads, if there is so much to read.
    const first = Math.ceil(input.callsLeft / 2);
    return [...opened.slice(0, first), ...fieldSearches(input, sourceOf, depth), ...opened.slice(first)];
  }
  if (input.turn <= 2 && !hasFound && !wasRelaxed(input)) return searches(input, relaxedQueries(input), 'quick');
  return [];
}

// -------------------------------------------------------------------------------------------------------------- searches

function queriesOf({ task, gaps }: ActInput): string[] {
  // At a second attempt the section's own queries have been asked: only what is missing is looked for.
  const wanted = gaps.length > 0 ? gaps.map(gapQuery) : task.queries.length > 0 ? task.queries : [task.title];
  const asked = new Set(gaps.length > 0 ? task.queries.map(key) : []);
  return unique(wanted.map(asKeywords)).filter((query) => !asked.has(key(query)));
}

/** Gaps that the analyst's own review wrote end in the query in quotation marks; others are a sentence. */
function gapQuery(gap: string): string {
  return /“([^”]+)”\s*\.?$/u.exec(gap)?.[1] ?? gap;
}

function relaxedQueries({ task, question }: ActInput): string[] {
  const { keywords, sides } = readQuestion(question);
  const words = (keywords || asKeywords(task.title)).split(' ');
  return unique([...sides, englishOf(keywords), keywords, words.slice(0, 2).join(' ')]).slice(0, 3);
}

function wasRelaxed(input: ActInput): boolean {
  const asked = new Set(input.gathered.map(({ call }) => key(String(call.args['query'] ?? ''))));
  return relaxedQueries(input).every((query) => asked.has(key(query)));
}

function searches(input: ActInput, queries: readonly string[], depth: AnalystLimits['depth']): ChosenCall[] {
  const failed = failedSources(input);
  const asked = new Set(input.gathered.map(({ call }) => `${call.name} ${key(String(call.args['query'] ?? ''))}`));
  const { keywords } = readQuestion(input.question);
  const byTool = input.tools
    .filter((tool) => tool.kind === 'search' && !failed.has(tool.source))
    .map((tool) => {
      const most = queriesPerTool[depth][tool.traits?.isLocal ? 'near' : 'far'];
      return unique(queries.map((query) => fitted(query, tool, keywords)))
        .filter((query) => query !== '' && !asked.has(`${tool.name} ${key(query)}`))
        .slice(0, most)
        .map((query) => searchOf(tool, query, input));
    });
  // One query of each tool before the second of any: a small budget still asks everywhere.
  return inTurns(byTool).slice(0, searchShare(input.callsLeft));
}

function searchOf(tool: ResearchTool, query: string, input: ActInput): ChosenCall {
  const count =
    tool.traits?.isLocal && 'max_results' in tool.parameters.shape
      ? { max_results: isMain(input) ? nearResults.main : nearResults.other }
      : {};
  return { name: tool.name, args: { query, ...count } };
}

function isMain({ task, question }: ActInput): boolean {
  const read = readQuestion(question);
  return isMainFacet(facetOfSection(task, read), read.facet);
}

/**
 * Notes on a subject seldom repeat its name: what the first results have in common finds the others. Asked of the workspace
 * alone: words of the user's files never go to a service.
 */
function fieldSearches(
  input: ActInput,
  sourceOf: (id: string) => Source | undefined,
  depth: AnalystLimits['depth'],
): ChosenCall[] {
  const tool = input.tools.find(({ traits, kind }) => traits?.isLocal && kind === 'search');
  if (!tool || failedSources(input).has(tool.source)) return [];
  const found = [...new Set(input.gathered.flatMap(({ sources }) => sources))]
    .map(sourceOf)
    .filter((source) => source?.kind === tool.source);
  const { keywords } = readQuestion(input.question);
  const subject = new Set(terms(`${keywords} ${acronymOf(keywords)} ${input.task.title}`));
  const most = fieldQueries[depth] + (isMain(input) ? 1 : 0);
  const words = feedbackWords(found as Source[], subject, most * fieldQueryWords);
  // Dealt out like cards: each search has strong and weaker words.
  return Array.from({ length: most }, (_, n) => words.filter((_, index) => index % most === n))
    .filter((group) => group.length > 1)
    .map((group) => searchOf(tool, group.join(' '), input));
}

function fitted(query: string, { traits }: ResearchTool, keywords: string): string {
  if (!traits?.fitQuery) return query;
  return traits.fitQuery({ text: query, subject: keywords, englishSubject: englishOf(keywords) });
}

function failedSources({ gathered, tools }: ActInput): Set<string> {
  const source = new Map(tools.map((tool) => [tool.name, tool.source]));
  return new Set(gathered.flatMap(({ call, error }) => (error === undefined ? [] : [source.get(call.name) ?? ''])));
}

// ----------------------------------------------------------------------------------------------------------------- reads

function reads(
  input: ActInput,
  sourceOf: (id: string) => Source | undefined,
  depth: AnalystLimits['depth'],
): ChosenCall[] {
  const failed = failedSources(input);
  const found = [...new Set(input.gathered.flatMap(({ sources }) => sources))]
    .map(sourceOf)
    .filter((source) => source !== undefined);
  const bySource = sourceTraits(input.tools.filter((tool) => tool.kind === 'read' && !failed.has(tool.source))).map(
    (traits) => traits.open?.(found, input.workspace).slice(0, opened[depth]) ?? [],
  );
  return inTurns(bySource).filter(({ name }) => input.tools.some((tool) => tool.name === name));
}

// ----------------------------------------------------------------------------------------------------------------- words

/** A sentence as search words: its subject, or its words without grammar. */
function asKeywords(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, 300);
  if (line.length <= 80 && !/[.?!:,]/u.test(line)) return line;
  return readQuestion(line).keywords || line.slice(0, 80);
}

function unique(queries: readonly string[]): string[] {
  return [
    ...new Map(
      queries
        .map((query) => query.trim())
        .filter((query) => query !== '')
        .map((query) => [key(query), query]),
    ).values(),
  ];
}

function key(query: string): string {
  return query
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
