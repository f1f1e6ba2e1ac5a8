/** A part of a document that is indexed on its own. */
export interface Chunk {
  readonly file: string;
  /** Headings above the text, outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
}

/** Splits a Markdown document at its headings, so that no sentence is cut. */
export function chunkByHeadings(file: string, markdown: string): Chunk[] {
  const chunks: Chunk[] = [];
  let headings: string[] = [];
  let lines: string[] = [];
  const flush = (): void => {
    const text = lines.join('\n').trim();
    if (text !== '') chunks.push({ file, headings, text });
    lines = [];
  };
  for (const line of markdown.split('\n')) {
    const heading = /^(#{1,6}) (.+)$/.exec(line);
    if (!heading) {
      lines.push(line);
      continue;
    }
    flush();
    headings = [...headings.slice(0, heading[1]!.length - 1), heading[2]!];
  }
  flush();
  return chunks;
}

/** Splits a document into windows of `size` words that share `overlap` words with the window before. */
export function chunkByWindow(file: string, markdown: string, size: number, overlap: number): Chunk[] {
  const words = markdown.split(/\s+/).filter(Boolean);
  const chunks: Chunk[] = [];
  for (let start = 0; start < words.length; start += size - overlap) {
    chunks.push({ file, headings: [], text: words.slice(start, start + size).join(' ') });
    if (start + size >= words.length) break;
  }
  return chunks;
}
