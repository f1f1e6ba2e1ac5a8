import type { Source } from '../../evidence/source.ts';
import { terms } from '../../text/tokenize.ts';
import { passagesOf } from './passages.ts';
import { workTitle } from './workTitle.ts';

/** Sentences of one source that are read. */
const readOf = 60;
const most = 24;

/** Words of every English text about work of any kind: they tie nothing to a subject. */
const general = new Set(
  `one two three four five six seven eight nine ten first second third many most much more less new old good best well large small high low long short same different
   other such way ways thing part kind type number example case time day year people work use used using user based make made take give given need show find see get set
   let help provide include allow support improve increase reduce perform achieve propose introduce present paper method approach technique framework result experiment
   study task problem issue challenge system model performance significant available existing recent current various several multiple across without however while also
   note file page section name list line text word sentence code version project example data information value key full single common main important real-world effective
   effectively efficient state art demonstrate enable require apply develop address focus key novel source open github https http www com org`
    .split(/\s+/)
    .flatMap((word) => terms(word)),
);

export function isGeneral(term: string): boolean {
  return general.has(term);
}

/**
 * Words that the sources about a subject share, and that say which other passages belong to it ("passage", "chunk", "query"
 * for retrieval-augmented generation): by how many of the sources use them, 0 to 1. Relevance feedback without a reader.
 */
export function sharedVocabulary(
  sources: readonly Source[],
  subject: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const usedBy = new Map<string, number>();
  for (const source of sources) {
    const words = new Set([
      ...terms(workTitle(source).document),
      ...passagesOf(source)
        .slice(0, readOf)
        .flatMap((passage) => passage.terms),
    ]);
    for (const word of words) {
      if (word.length > 2 && !/^\d/.test(word) && !general.has(word) && !subject.has(word))
        usedBy.set(word, (usedBy.get(word) ?? 0) + 1);
    }
  }
  const least = Math.max(2, Math.ceil(sources.length * 0.12));
  const shared = [...usedBy]
    .filter(([, count]) => count >= least)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, most);
  const widest = shared[0]?.[1] ?? 1;
  return new Map(shared.map(([word, count]) => [word, count / widest]));
}

/** Words to search further with: those that the best of the found sources use most, and more than one of them at all. */
export function feedbackWords(sources: readonly Source[], subject: ReadonlySet<string>, count: number): string[] {
  const weights = new Map<string, { weight: number; sources: number }>();
  for (const [rank, source] of sources.entries()) {
    const times = new Map<string, number>();
    for (const word of passagesOf(source)
      .slice(0, readOf)
      .flatMap((passage) => passage.terms))
      times.set(word, (times.get(word) ?? 0) + 1);
    for (const [word, number] of times) {
      if (word.length < 3 || /^\d/.test(word) || general.has(word) || subject.has(word)) continue;
      const known = weights.get(word) ?? { weight: 0, sources: 0 };
      weights.set(word, { weight: known.weight + Math.min(3, number) / (rank + 4), sources: known.sources + 1 });
    }
  }
  return [...weights]
    .filter(([, { sources: users }]) => users > 1 || sources.length < 3)
    .sort(([a, x], [b, y]) => y.weight - x.weight || (a < b ? -1 : 1))
    .slice(0, count)
    .map(([word]) => word);
}
