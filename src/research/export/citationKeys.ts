import type { CslItem } from './cslItems.ts';

/** Words that say nothing at the head of a title. */
const smallWords = new Set(
  'a an the on of in for to and or with from by at as is are be how what why when which who does do can der die das ein eine zur zum le la les un une des du el los las de'.split(
    ' ',
  ),
);
const longestPart = 30;

/**
 * Keys such as `lewis2020retrieval`: the first author, the year, the first word of the title. Identical keys get `a`,
 * `b`, … A source whose name and title have no Latin letters goes by its id, which is the same in every run.
 */
export function citationKeys(items: readonly Omit<CslItem, 'id'>[], sourceIds: readonly string[]): string[] {
  const bases = items.map((item, index) => keyOf(item) || sourceIds[index]!.toLowerCase());
  const count = new Map<string, number>();
  for (const base of bases) count.set(base, (count.get(base) ?? 0) + 1);
  const taken = new Set(bases.filter((base) => count.get(base) === 1));
  const used = new Map<string, number>();
  return bases.map((base) => {
    if (count.get(base) === 1) return base;
    let key: string;
    do {
      const number = used.get(base) ?? 0;
      used.set(base, number + 1);
      key = base + letters(number);
    } while (taken.has(key));
    taken.add(key);
    return key;
  });
}

function keyOf({ author, issued, title }: Omit<CslItem, 'id'>): string {
  const first = author?.[0];
  const name = first === undefined ? '' : latin('literal' in first ? first.literal : first.family);
  // Of `owner/name` the name is more distinctive.
  const words = title
    .replace(/^[\w.-]+\/(?=[\w.-]+$)/, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map(latin)
    .filter((word) => word !== '');
  const word = words.find((one) => !smallWords.has(one)) ?? words[0] ?? '';
  if (name === '' && word === '') return '';
  const key = `${name}${issued?.['date-parts'][0][0] ?? ''}${word}`;
  // BibTeX allows a digit in front, but some of its readers don't.
  return /^\d/.test(key) ? `n${key}` : key;
}

/** Small Latin letters and digits alone; accents are taken off. */
function latin(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/æ/g, 'ae')
    .replace(/[øœ]/g, 'o')
    .replace(/ł/g, 'l')
    .replace(/[^a-z0-9]/g, '')
    .slice(0, longestPart);
}

/** a … z, aa, ab, … */
function letters(number: number): string {
  const last = String.fromCharCode(97 + (number % 26));
  return number < 26 ? last : letters(Math.floor(number / 26) - 1) + last;
}
