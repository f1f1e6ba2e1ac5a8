import type { EventBody } from '../../protocol/events.ts';
import { questionKindsOf } from './questionKinds.ts';
import type { QuestionKind, ResearchTool } from '../tools.ts';

/** How a source has fared in this run. */
interface Standing {
  /** Calls that were chosen, made or not. */
  chosen: number;
  /** Searches that ended. */
  asked: number;
  /** Searches that found something. */
  answered: number;
  /** Its last call failed. */
  isFailing: boolean;
}

/**
 * Chooses which sources a query goes to when the budget of tool calls does not reach for all of them.
 *
 * Sources that declare themselves good for the question's kind come before all others, and one whose last call failed after them.
 * Among equals, each source gets one call before any gets a second. The rest is UCB1 (Auer, Cesa-Bianchi, Fischer 2002): the share
 * of a source's searches that found something is weighed against how seldom the run has asked it. A choice counts at once, so
 * that researchers that start together choose differently.
 */
export class SourceChoice {
  readonly #searches: readonly ResearchTool[];
  readonly #sourceOf: ReadonlyMap<string, string>;
  readonly #standings: ReadonlyMap<string, Standing>;

  constructor(tools: readonly ResearchTool[]) {
    this.#searches = tools.filter(({ kind }) => kind === 'search');
    this.#sourceOf = new Map(this.#searches.map(({ name, source }) => [name, source]));
    this.#standings = new Map(
      this.#searches.map(({ source }) => [source, { chosen: 0, asked: 0, answered: 0, isFailing: false }]),
    );
  }

  /** Counts the calls of the run, those before a resume included. */
  see(event: EventBody): void {
    if (event.type !== 'tool/finished') return;
    const standing = this.#standings.get(this.#sourceOf.get(event.name) ?? '');
    if (!standing) return;
    standing.asked += 1;
    if (event.sources.length > 0) standing.answered += 1;
    standing.isFailing = event.error !== undefined;
  }

  /**
   * The search tools that a text is sent to, best first, at most `count`. They count as chosen.
   * @param among The tools to choose from.
   */
  choose(text: string, count: number, among: readonly ResearchTool[] = this.#searches): readonly ResearchTool[] {
    const [chosen = []] = this.deal([text], count, among);
    return chosen;
  }

  /**
   * The search tools of each query, at most `count` in all: every query gets its first before any gets its second, and every
   * source that fits is asked before one of them is asked again.
   */
  deal(
    queries: readonly string[],
    count: number,
    among: readonly ResearchTool[] = this.#searches,
  ): readonly (readonly ResearchTool[])[] {
    const searches = this.#searches.filter((tool) => among.includes(tool));
    const kinds = queries.map((query) => questionKindsOf(query));
    const dealt: ResearchTool[][] = queries.map(() => []);
    const due = this.#fitting(queries, searches);
    let left = Math.min(count, queries.length * searches.length);
    for (let index = 0; left > 0; index = (index + 1) % queries.length, left -= 1) {
      const all = dealt.flat();
      const best = this.#best(searches, kinds[index]!, dealt[index]!, all, left > due.size);
      if (best === undefined) continue;
      dealt[index]!.push(best);
      due.delete(best.source);
      this.#standings.get(best.source)!.chosen += 1;
    }
    return dealt;
  }

  /** How many of the sources declare themselves good for a query's kind and don't fail. */
  fitting(queries: readonly string[], among: readonly ResearchTool[]): number {
    return this.#fitting(queries, among).size;
  }

  #fitting(queries: readonly string[], among: readonly ResearchTool[]): Set<string> {
    const kinds = queries.flatMap((query) => [...questionKindsOf(query)]);
    const fitting = among.filter(
      ({ traits, source }) =>
        this.#standings.get(source)?.isFailing === false && traits?.goodFor.some((kind) => kinds.includes(kind)),
    );
    return new Set(fitting.map(({ source }) => source));
  }

  /** Searches that were sent. */
  get asked(): number {
    return [...this.#standings.values()].reduce((sum, { asked }) => sum + asked, 0);
  }

  /** Labels of the sources that no search was sent to. */
  unasked(): readonly string[] {
    const unasked = this.#searches.filter(({ source }) => this.#standings.get(source)!.asked === 0);
    return [...new Set(unasked.map(({ traits, source }) => traits?.label ?? source))];
  }

  #best(
    searches: readonly ResearchTool[],
    kinds: ReadonlySet<QuestionKind>,
    without: readonly ResearchTool[],
    dealt: readonly ResearchTool[],
    hasRoom: boolean,
  ): ResearchTool | undefined {
    const total = [...this.#standings.values()].reduce((sum, { chosen }) => sum + chosen, 0);
    const callsTo = (source: string, calls: readonly ResearchTool[]) =>
      calls.filter((call) => call.source === source).length;
    const [best] = searches
      .filter((tool) => !without.includes(tool))
      .map((tool) => {
        const standing = this.#standings.get(tool.source)!;
        const calls = callsTo(tool.source, dealt);
        const rank = rankOf(tool, kinds, standing, hasRoom || calls === 0);
        return { tool, places: [rank, calls, callsTo(tool.source, without), -upperBound(standing, total)] };
      })
      .toSorted((a, b) => compare(a.places, b.places));
    return best?.tool;
  }
}

/** By the first place at which they differ. */
function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((place, index) => place !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

/**
 * What is on this machine first, unless it was asked and the calls that are left are due to others; then what is good for the
 * question, then the others; what fails comes last.
 */
function rankOf(
  { traits }: ResearchTool,
  kinds: ReadonlySet<QuestionKind>,
  { isFailing }: Standing,
  isLocalFirst: boolean,
): number {
  if (isFailing) return 3;
  if (traits?.isLocal && isLocalFirst) return 0;
  // A tool from outside says nothing of itself, and some questions don't either.
  const isFitting = !traits || kinds.size === 0 || traits.goodFor.some((kind) => kinds.has(kind));
  return isFitting ? 1 : 2;
}

/** Infinite for a source that was never chosen. A call whose result is still out counts as one that found nothing. */
function upperBound({ chosen, asked, answered }: Standing, total: number): number {
  const tries = Math.max(chosen, asked);
  return tries === 0 ? Infinity : answered / tries + Math.sqrt((2 * Math.log(Math.max(1, total))) / tries);
}
