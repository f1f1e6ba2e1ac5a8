import type { EventBody } from '../../protocol/events.ts';
import { questionKindsOf } from '../policy/questionKinds.ts';
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
 * UCB1 (Auer, Cesa-Bianchi, Fischer 2002): every source is tried once before any is tried twice; after that the share of its
 * searches that found something is weighed against how seldom it was asked. Sources that declare themselves good for the
 * question's kind come before all others, and one whose last call failed after them. A choice counts at once, so that
 * researchers that start together choose differently.
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

  /** Counts the calls of this and of an earlier life of the run. */
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

  /** The search tools of each query, at most `count` in all: every query gets its first before any gets its second. */
  deal(
    queries: readonly string[],
    count: number,
    among: readonly ResearchTool[] = this.#searches,
  ): readonly (readonly ResearchTool[])[] {
    const searches = this.#searches.filter((tool) => among.includes(tool));
    const kinds = queries.map((query) => questionKindsOf(query));
    const dealt: ResearchTool[][] = queries.map(() => []);
    let left = Math.min(count, queries.length * searches.length);
    for (let index = 0; left > 0; index = (index + 1) % queries.length, left -= 1) {
      const best = this.#best(searches, kinds[index]!, dealt[index]!);
      if (best === undefined) continue;
      dealt[index]!.push(best);
      this.#standings.get(best.source)!.chosen += 1;
    }
    return dealt;
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
  ): ResearchTool | undefined {
    const total = [...this.#standings.values()].reduce((sum, { chosen }) => sum + chosen, 0);
    let best: { readonly tool: ResearchTool; readonly rank: number; readonly score: number } | undefined;
    for (const tool of searches) {
      if (without.includes(tool)) continue;
      const standing = this.#standings.get(tool.source)!;
      const rank = rankOf(tool, kinds, standing);
      const score = upperBound(standing, total);
      if (best === undefined || rank < best.rank || (rank === best.rank && score > best.score))
        best = { tool, rank, score };
    }
    return best?.tool;
  }
}

/** What is on this machine first, then what is good for the question, then the others; what fails comes last. */
function rankOf({ traits }: ResearchTool, kinds: ReadonlySet<QuestionKind>, { isFailing }: Standing): number {
  if (isFailing) return 3;
  if (traits?.isLocal) return 0;
  // A tool from outside says nothing of itself, and some questions don't either.
  const isFitting = !traits || kinds.size === 0 || traits.goodFor.some((kind) => kinds.has(kind));
  return isFitting ? 1 : 2;
}

/** Infinite for a source that was never chosen. A call whose result is still out counts as one that found nothing. */
function upperBound({ chosen, asked, answered }: Standing, total: number): number {
  const tries = Math.max(chosen, asked);
  return tries === 0 ? Infinity : answered / tries + Math.sqrt((2 * Math.log(Math.max(1, total))) / tries);
}
