import { tokenize } from '../text/tokenize.ts';
import { containment, shingles } from './similarity.ts';

/** Words of a source that a statement rests on. */
interface Said {
  /** Id of the source. */
  readonly source: string;
  readonly text: string;
}

const shingleSize = 4;
/** A passage with fewer shingles is a phrase that many could have written. */
const leastShingles = 8;
/** Share of the shorter passage's shingles that copies have in common. */
const leastShared = 0.8;

/**
 * How many voices say something: passages of one work are one, and so are passages of which one contains the other (containment of
 * shingles, Broder 1997, "On the resemblance and containment of documents"), as pages do that print one press release.
 *
 * @param workOf Id of the source that a source counts with.
 */
export function countVoices(passages: readonly Said[], workOf: (id: string) => string): number {
  const voices: { readonly works: ReadonlySet<string>; readonly texts: readonly ReadonlySet<string>[] }[] = [];
  for (const { source, text } of passages) {
    const work = workOf(source);
    const own = shingles(tokenize(text), shingleSize);
    const isSame = (other: ReadonlySet<string>): boolean =>
      Math.min(own.size, other.size) >= leastShingles && containment(own, other) >= leastShared;
    const same = voices.filter(({ works, texts }) => works.has(work) || texts.some(isSame));
    for (const one of same) voices.splice(voices.indexOf(one), 1);
    voices.push({
      works: new Set([work, ...same.flatMap(({ works }) => [...works])]),
      texts: [own, ...same.flatMap(({ texts }) => texts)],
    });
  }
  return voices.length;
}
