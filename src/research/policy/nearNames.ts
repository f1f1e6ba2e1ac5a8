/** Edits that a slip of the finger makes: one in a short name, two in a longer one. */
const mostEdits = (length: number): number => (length <= 5 ? 1 : 2);
const longestName = 24;

/** Identifiers of a text that differ from a term by a letter or two ("STAT6" for "STATUS6"), nearest first. */
export function nearNames(term: string, text: string): string[] {
  if (term.length > longestName) return [];
  const names = text.slice(0, 20_000).match(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}-]{2,23}/gu) ?? [];
  const candidates = [...new Set(names)].filter(
    (name) => /[\p{Lu}\d]/u.test(name.slice(1)) && name.toUpperCase() !== term.toUpperCase(),
  );
  return candidates
    .map((name) => ({ name, edits: editDistance(name.toUpperCase(), term.toUpperCase()) }))
    .filter(({ edits }) => edits <= mostEdits(term.length))
    .sort((a, b) => a.edits - b.edits)
    .map(({ name }) => name);
}

/** Damerau-Levenshtein distance of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
