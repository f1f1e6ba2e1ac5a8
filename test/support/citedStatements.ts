import type { Source } from '../../src/research/evidence/source.ts';
import { plainMarks } from './plainMarks.ts';

/** What a saved report states with a citation, read from its Markdown alone, and held against the stored texts. */
export interface CitedStatement {
  readonly text: string;
  readonly numbers: readonly number[];
  /** A source that it cites says so. */
  readonly verified: boolean;
}

/** Share of a statement's words that one of its sources must have, when it is no quotation. */
const supported = 0.6;

/** The distinct statements of a report that cite something, in order. */
export function citedStatements(report: string, sources: readonly Source[]): CitedStatement[] {
  const [, body = '', references = ''] =
    /^---\n[\s\S]*?\n---\n([\s\S]*?)\n## References\n([\s\S]*)$/.exec(plainMarks(report)) ?? [];
  const cited = new Map(
    [...references.matchAll(/^- \[(\d+)\] (.+)$/gm)].map(([, number, line]) => [
      Number(number),
      holderOf(line!, sources),
    ]),
  );
  const found = new Map<string, CitedStatement>();
  for (const { text, numbers } of unitsOf(body)) {
    const key = plain(text);
    if (key === '' || found.has(key)) continue;
    const verified = numbers.some((number) => cited.get(number)?.some((source) => says(source, text)));
    found.set(key, { text, numbers, verified });
  }
  // What another statement holds word for word is not said twice; one that adds what no source says doesn't count in its place.
  const all = [...found];
  const isHeld = (key: string, { text, verified }: CitedStatement): boolean =>
    all.some(
      ([other, holder]) =>
        other !== key && (holder.verified || !verified) && (other.includes(key) || other.includes(longestCell(text))),
    );
  return all.filter(([key, one]) => !isHeld(key, one)).map(([, one]) => one);
}

/** A row that only names what it quotes says no more than the passage. */
function longestCell(text: string): string {
  const cells = text.startsWith('|') ? text.split('|').map(plain) : [];
  const longest = cells.reduce((one, other) => (other.length > one.length ? other : one), '');
  return longest.split(' ').length < 8 ? plain(text) : longest;
}

/** Sources of which a line of the references is. */
function holderOf(line: string, sources: readonly Source[]): Source[] {
  return sources.filter(({ file, url }) =>
    file ? line.includes(`${file.path}#L${file.firstLine}-L${file.lastLine}`) : url !== undefined && line.includes(url),
  );
}

function unitsOf(body: string): { text: string; numbers: number[] }[] {
  const units: { text: string; numbers: number[] }[] = [];
  let listing = '';
  for (const block of body.split(/\n{2,}(?!>)/)) {
    if (/^(`{3,}|~{3,})/.test(block)) {
      listing = block.replace(/^.*\n|\n[`~]+$/g, '');
      continue;
    }
    const whole = listing === '' ? block : `${listing}\n${block}`;
    const parts = listing === '' ? partsOf(block) : [whole];
    listing = '';
    for (const part of parts) {
      const numbers = [...part.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
      if (numbers.length > 0) units.push({ text: part.replace(/\s*\[\d+\]/g, ''), numbers });
    }
  }
  return units;
}

function partsOf(block: string): string[] {
  if (block.startsWith('#')) return partsOf(block.replace(/^.*\n?/, '').trimStart());
  // A quoted passage is one statement, whatever its length.
  if (block.startsWith('>')) return [block.replace(/^> ?/gm, '')];
  if (block.startsWith('|') || /^[-*] |^\d+\. /.test(block)) return block.split('\n');
  // A sentence, or a key of a configuration, begins the next part.
  return block.split(
    /(?<=[.!?。]["”’)]?(?:\s?\[\d+\]){0,9}[.。]?|\[\d+\][.。]?)\s+(?=["“]?\p{Lu}|\p{Script=Han}|[\d@#]|[\w-]+: )/u,
  );
}

function says({ title, text }: Source, statement: string): boolean {
  const own = plain(`${title} ${text}`);
  const wanted = plain(statement);
  if (own.includes(wanted)) return true;
  const words = wanted.split(' ').filter((word) => word.length > 3 || /\d/.test(word));
  const held = new Set(own.split(' '));
  const figures = words.filter((word) => /\d/.test(word));
  return (
    words.length > 0 &&
    figures.every((figure) => held.has(figure)) &&
    words.filter((word) => held.has(word)).length >= words.length * supported
  );
}

function plain(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  );
}
