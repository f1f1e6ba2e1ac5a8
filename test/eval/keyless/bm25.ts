/** The baseline: plain Okapi BM25 (k1 1.2, b 0.75) over the paragraphs of all text files of a folder, nothing else. */
export interface Block {
  readonly file: string;
  readonly text: string;
}

const longest = 1000;
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

export function bm25(files: ReadonlyMap<string, string>): (question: string, count: number) => Block[] {
  const blocks = [...files].flatMap(([file, text]) => paragraphs(text).map((block) => ({ file, text: block })));
  const counts = blocks.map(({ text }) => countWords(text));
  const lengths = counts.map((count) => [...count.values()].reduce((sum, times) => sum + times, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const holding = new Map<string, number>();
  for (const count of counts) for (const word of count.keys()) holding.set(word, (holding.get(word) ?? 0) + 1);
  return (question, count) => {
    const asked = [...countWords(question).keys()];
    const score = (index: number): number =>
      asked.reduce((sum, word) => {
        const times = counts[index]!.get(word) ?? 0;
        const n = holding.get(word) ?? 0;
        const idf = Math.log(1 + (blocks.length - n + 0.5) / (n + 0.5));
        return sum + (idf * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * lengths[index]!) / mean));
      }, 0);
    const ranked = blocks.map((block, index) => ({ block, score: score(index) })).filter((one) => one.score > 0);
    return ranked
      .sort((a, b) => b.score - a.score)
      .slice(0, count)
      .map(({ block }) => block);
  };
}

/** Blocks between blank lines; those over 1,000 characters (tables, CSV, code) are split at lines. */
function paragraphs(text: string): string[] {
  return text.split(/\r?\n\s*\n/).flatMap((block) => {
    const parts: string[] = [];
    for (const line of block.split('\n')) {
      const last = parts.at(-1);
      if (last === undefined || last.length + line.length > longest) parts.push(line);
      else parts[parts.length - 1] = `${last}\n${line}`;
    }
    return parts.filter((part) => part.trim() !== '');
  });
}

function countWords(text: string): Map<string, number> {
  const count = new Map<string, number>();
  for (const { segment, isWordLike } of words.segment(text.toLowerCase()))
    if (isWordLike) count.set(segment, (count.get(segment) ?? 0) + 1);
  return count;
}
