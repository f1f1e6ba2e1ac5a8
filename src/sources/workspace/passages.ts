import { authorsOf, parseBibtex } from './bibtex.ts';

/** A piece of a file that can be read and cited by itself. */
export interface Passage {
  /** 1-based, inclusive. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Headings that it stands under, outermost first; the title of a BibTeX entry. */
  readonly headings: readonly string[];
  /** The lines as they stand in the file; of a BibTeX entry, what it says in plain words. */
  readonly text: string;
  readonly authors?: readonly string[];
  readonly date?: string;
}

export type FileKind = 'markdown' | 'text' | 'code' | 'bibtex' | 'data';

const maxLines = 60;
const maxLength = 6_000;
/** Smaller neighbours are put together up to this many lines. */
const goodLines = 30;

const kinds: readonly (readonly [FileKind, RegExp])[] = [
  ['markdown', /\.(md|markdown|mdx|mdown|qmd|rmd)$/i],
  ['bibtex', /\.bib$/i],
  [
    'text',
    /(^|\/)(readme|license|licence|copying|authors|changelog|notes|todo)$|\.(txt|text|rst|adoc|asciidoc|org|tex|log|typ|wiki)$/i,
  ],
  [
    'data',
    /\.(csv|tsv|json|jsonl|ndjson|json5|ya?ml|toml|ini|cfg|conf|xml|svg|ipynb|properties|geojson|plist|po|sql|graphql)$/i,
  ],
];

export function kindOf(path: string): FileKind {
  return kinds.find(([, pattern]) => pattern.test(path))?.[0] ?? 'code';
}

/** Cuts a file into passages of up to about 60 lines along its own structure. */
export function passagesOf(path: string, text: string): Passage[] {
  const kind = kindOf(path);
  if (kind === 'bibtex') return bibliography(text);
  const lines = text.split('\n');
  const blocks =
    kind === 'markdown' ? markdownBlocks(lines) : kind === 'text' ? paragraphBlocks(lines) : codeBlocks(lines);
  return gather(
    blocks.flatMap((block) => cut(block, lines)),
    lines,
  )
    .map(({ first, last, headings }) => ({
      firstLine: first + 1,
      lastLine: last + 1,
      headings,
      text: lines.slice(first, last + 1).join('\n'),
    }))
    .filter((passage) => /[\p{L}\p{N}]/u.test(passage.text) && passage.text.length <= 10 * maxLength);
}

/** Lines `first` to `last`, 0-based. `opens` marks the start of a section, which is never joined to what stands before. */
interface Block {
  readonly first: number;
  readonly last: number;
  readonly headings: readonly string[];
  readonly opens: boolean;
}

/** Paragraphs, lists, tables and fenced code under their headings. */
function markdownBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let headings: { readonly level: number; readonly title: string }[] = [];
  let first = -1;
  let fence = '';
  let opens = false;
  const close = (last: number): void => {
    const isBare = opens && isHeadingOnly(lines, first, last + 1);
    if (first !== -1 && !isBare) blocks.push({ first, last, headings: headings.map(({ title }) => title), opens });
    first = -1;
    opens = false;
  };
  let start = 0;
  if (/^---\s*$/.test(lines[0] ?? '')) {
    const end = lines.findIndex((line, index) => index > 0 && /^(---|\.\.\.)\s*$/.test(line));
    if (end !== -1 && end < 200) start = end + 1;
  }
  for (let index = start; index < lines.length; index += 1) {
    const line = lines[index]!;
    const [, marks] = /^\s{0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (marks !== undefined && (fence === '' || (marks.startsWith(fence) && /^\s*(`+|~+)\s*$/.test(line)))) {
      fence = fence === '' ? marks : '';
      if (first === -1) first = index;
      continue;
    }
    if (fence !== '') continue;
    const heading = headingOf(line, lines[index + 1]);
    if (heading !== undefined) {
      close(index - 1);
      headings = [...headings.filter(({ level }) => level < heading.level), heading];
      first = index;
      opens = true;
    } else if (line.trim() === '') {
      // The heading stays with what it is over.
      if (first !== -1 && !(opens && isHeadingOnly(lines, first, index))) close(index - 1);
    } else if (first === -1) {
      first = index;
    }
  }
  close(lines.length - 1);
  return blocks;
}

function headingOf(
  line: string,
  next: string | undefined,
): { readonly level: number; readonly title: string } | undefined {
  const [, marks, title] = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line) ?? [];
  if (marks !== undefined) return { level: marks.length, title: plain(title!) };
  const underline = next === undefined ? undefined : /^(={3,}|-{3,})\s*$/.exec(next)?.[1];
  if (underline === undefined || line.trim() === '' || /^\s*([-*+>|]|\d+[.)])/.test(line) || line.length > 120)
    return undefined;
  return { level: underline.startsWith('=') ? 1 : 2, title: plain(line) };
}

function isHeadingOnly(lines: readonly string[], first: number, end: number): boolean {
  return lines.slice(first + 1, end).every((line) => line.trim() === '' || /^(={3,}|-{3,})\s*$/.test(line));
}

function plain(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/[*_`]+/g, '')
    .trim()
    .slice(0, 150);
}

function paragraphBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let first = -1;
  lines.forEach((line, index) => {
    if (line.trim() !== '' && first === -1) first = index;
    if (first !== -1 && (line.trim() === '' || index === lines.length - 1)) {
      blocks.push({ first, last: line.trim() === '' ? index - 1 : index, headings: [], opens: false });
      first = -1;
    }
  });
  return blocks;
}

/** A block begins where a line without indentation follows an empty one: a function with its comment, a class, a table. */
function codeBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let first = 0;
  for (let index = 1; index <= lines.length; index += 1) {
    const begins = index === lines.length || (lines[index - 1]!.trim() === '' && /^[^\s})\]]/.test(lines[index]!));
    if (!begins) continue;
    let last = index - 1;
    while (last > first && lines[last]!.trim() === '') last -= 1;
    blocks.push({ first, last, headings: [], opens: false });
    first = index;
  }
  return blocks;
}

/** Cuts a block that is too long, at an empty line where there is one. */
function cut(block: Block, lines: readonly string[]): Block[] {
  const pieces: Block[] = [];
  let first = block.first;
  while (first <= block.last) {
    let last = first;
    let length = lines[first]!.length;
    while (last < block.last && last - first + 1 < maxLines && length + lines[last + 1]!.length <= maxLength) {
      last += 1;
      length += lines[last]!.length + 1;
    }
    if (last < block.last) {
      for (let candidate = last; candidate > first + maxLines / 2; candidate -= 1) {
        if (lines[candidate]!.trim() === '') {
          last = candidate;
          break;
        }
      }
    }
    pieces.push({ ...block, first, last, opens: block.opens && first === block.first });
    first = last + 1;
  }
  return pieces;
}

/** Puts small neighbours of the same section together. */
function gather(blocks: readonly Block[], lines: readonly string[]): Block[] {
  const gathered: Block[] = [];
  for (const block of blocks) {
    const before = gathered.at(-1);
    const joined = before === undefined ? 0 : block.last - before.first + 1;
    const fits = joined <= goodLines && lines.slice(before?.first, block.last + 1).join('\n').length <= maxLength / 2;
    if (before !== undefined && !block.opens && fits) gathered[gathered.length - 1] = { ...before, last: block.last };
    else gathered.push(block);
  }
  return gathered;
}

function bibliography(text: string): Passage[] {
  return parseBibtex(text).map((entry) => {
    const { fields, firstLine, lastLine } = entry;
    const authors = authorsOf(entry);
    const title = fields['title'] ?? entry.key;
    const published = [
      fields['journal'] ?? fields['booktitle'] ?? fields['publisher'] ?? '',
      fields['year'] ?? fields['date'] ?? '',
    ]
      .filter((part) => part !== '')
      .join(', ');
    const link =
      fields['doi'] !== undefined
        ? `DOI ${fields['doi']}`
        : /arxiv/i.test(`${fields['archiveprefix']} ${fields['eprinttype']}`)
          ? `arXiv:${fields['eprint'] ?? ''}`
          : (fields['url'] ?? '');
    const said = [
      fields['abstract'],
      fields['annote'] ?? fields['annotation'],
      fields['note'],
      fields['keywords'] && `Keywords: ${fields['keywords']}`,
    ];
    const head = [title, authors.join(', '), published, link]
      .filter((part) => part !== '')
      .map((part) => part.replace(/\.?$/, '.'));
    const year = /^\d{4}/.exec(fields['year'] ?? fields['date'] ?? '')?.[0];
    return {
      firstLine,
      lastLine,
      headings: [title],
      text: [head.join(' '), ...said.filter((part) => part !== undefined && part !== '')].join('\n\n'),
      authors,
      ...(year === undefined ? {} : { date: year }),
    };
  });
}
