import type { Source } from '../../evidence/source.ts';
import { splitSentences } from '../../text/sentences.ts';
import { terms } from '../../text/tokenize.ts';
import { judgeSentence, minutesQuality } from './sentenceQuality.ts';

/** A sentence of a source that can stand in a report by itself. */
export interface Passage {
  /** Id of the source. */
  readonly source: string;
  /** Verbatim but for white space and Markdown's marks of emphasis and links: what quote checks compare. */
  readonly text: string;
  /** The nearest heading above it within the source; "" when there is none. */
  readonly heading: string;
  /** All headings above it and the source's title: what the sentence is about without saying so. */
  readonly context: string;
  /** Number of the sentence among all of the source, those that were passed over included. */
  readonly index: number;
  /** Number of its paragraph or list item in the source. */
  readonly block: number;
  readonly firstInBlock: boolean;
  /** 0 to 1: how well it reads without its neighbours. */
  readonly quality: number;
  /** Its content words (see `terms`), in their order and as a set: every section compares by them. */
  readonly terms: readonly string[];
  readonly words: ReadonlySet<string>;
}

/** What of a source is read: longer texts are cut, so that time stays bounded. */
const maxText = 400_000;
const maxBlock = 6_000;
const maxPassages = 2_000;

/** Files that hold no prose. */
const noProse =
  /\.(?:bib|json|jsonc|ya?ml|toml|lock|csv|tsv|xml|svg|css|scss|less|sql|sh|bash|ps1|bat|ini|cfg|conf|properties|gradle|[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|pl|lua|r|jl|scala|hs|ml|ex|exs|erl|clj|dart|vue|svelte|html?|ipynb)$/i;

// A source's text never changes under one object: each is read once, though every section and the report ask for it.
const read = new WeakMap<Source, readonly Passage[]>();

/** The sentences of a source that can be quoted by themselves, in their order. Linear in the length of the text, total. */
export function passagesOf(source: Source): readonly Passage[] {
  const known = read.get(source);
  if (known) return known;
  const passages = source.file && noProse.test(source.file.path) ? [] : readPassages(source);
  read.set(source, passages);
  return passages;
}

function readPassages(source: Source): Passage[] {
  const passages: Passage[] = [];
  let index = 0;
  for (const [number, block] of underLabels(proseBlocks(source.text.slice(0, maxText))).entries()) {
    // What is to be done matters to whom it belongs to.
    if (block.kind === 'task' && source.kind !== 'workspace') continue;
    let first = true;
    for (const sentence of splitSentences(block.text)) {
      index += 1;
      const firstInBlock = first;
      first = false;
      const text = plainSentence(sentence.text);
      if (text === undefined) continue;
      // A linked, marked or code word in front is a name, whatever its first letter.
      const quality = judgeSentence(text, source.kind, /^\s*[[*_`]/.test(sentence.text));
      if (quality <= 0) continue;
      const heading = block.headings.at(-1) ?? '';
      const content = terms(text);
      passages.push({
        source: source.id,
        text,
        heading,
        context: [source.title, ...block.headings].join(' '),
        index,
        block: number,
        firstInBlock,
        quality: quality * worth[block.kind],
        terms: content,
        words: new Set(content),
      });
      if (passages.length >= maxPassages) return passages;
    }
  }
  return passages;
}

const emphasis = /(\*\*|__|\*|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}]))/gu;

/**
 * A sentence as it is shown: one line, links reduced to their text, emphasis taken off. Undefined when it holds markup that
 * quoting would change (images, HTML, addresses, brackets, LaTeX, bare marks).
 */
function plainSentence(raw: string): string | undefined {
  const line = raw.replace(/\s+/g, ' ').trim();
  if (line.length < 12 || line.length > 900 || line.includes('![')) return undefined;
  const unlinked = line.replace(/\[([^\][\n]*)\]\([^()\s]*(?:\s"[^"]*")?\)/g, '$1');
  // What a renderer or the citation checks would act on.
  if (/[[\]<>{}|~^$\u0000-\u001f]|\\(?![%&])|https?:\/\/|www\.|&\w+;|(?:^|\s)#{1,6}\s/u.test(unlinked))
    return undefined;
  const plain = unlinked.replace(emphasis, '');
  if (plain !== unlinked && plain.includes('`')) return undefined;
  // A lone star or underscore is no emphasis: the mark would be lost.
  if ((unlinked.match(/\*/g)?.length ?? 0) % 2 === 1) return undefined;
  // Without a stop inside it is one sentence; with one ("et al.") the splitter has to say so, as it will in the report.
  return !/[.!?…。！？｡．؟۔।\n](?=.{2})/u.test(plain) || splitSentences(plain).length === 1 ? plain : undefined;
}

/** How well the sentences of a block read by themselves, beside a paragraph's. */
const worth = { paragraph: 1, item: 0.9, quote: 0.9, task: minutesQuality } as const;

interface Block {
  readonly kind: keyof typeof worth;
  readonly text: string;
  /** Headings above, outermost first. */
  readonly headings: readonly string[];
}

const listItem = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/;

/** Paragraphs and list items of Markdown or plain text; code, tables, HTML, front matter and link lists are left out. */
function proseBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const headings: { readonly level: number; readonly text: string }[] = [];
  let kind: Block['kind'] = 'paragraph';
  let lines: string[] = [];
  let length = 0;
  const flush = (): void => {
    if (lines.length > 0)
      blocks.push({ kind, text: lines.join('\n'), headings: headings.map((heading) => heading.text) });
    lines = [];
    length = 0;
    kind = 'paragraph';
  };
  const setHeading = (level: number, raw: string): void => {
    flush();
    while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
    const words = headingText(raw);
    if (words !== '') headings.push({ level, text: words });
  };
  let fence = '';
  let inComment = false;
  let inHtml = false;
  let afterBlank = true;
  for (const line of withoutFrontMatter(text).split(/\r\n?|\n/)) {
    const bare = line.trim();
    if (fence !== '') {
      if (bare.startsWith(fence) && bare.replace(/[`~]/g, '') === '') fence = '';
      continue;
    }
    if (inComment) {
      inComment = !bare.includes('-->');
      continue;
    }
    const opened = /^(`{3,}|~{3,})/.exec(bare)?.[1];
    if (opened) {
      flush();
      fence = opened;
      continue;
    }
    if (bare === '') {
      flush();
      inHtml = false;
      afterBlank = true;
      continue;
    }
    const startsAfterBlank = afterBlank;
    afterBlank = false;
    if (bare.startsWith('<!--')) {
      flush();
      inComment = !bare.includes('-->');
      continue;
    }
    if (/^<\/?[a-z!]/i.test(bare) || inHtml) {
      flush();
      inHtml =
        /^<(?:div|p|table|details|picture|center|h[1-6]|ul|ol|pre|blockquote|script|style)\b/i.test(bare) || inHtml;
      continue;
    }
    const heading = /^ {0,3}(#{1,6})\s+(.+)$/.exec(line.slice(0, 400));
    if (heading) {
      setHeading(heading[1]!.length, heading[2]!);
      continue;
    }
    if (/^ {0,3}(?:=+|-{2,})\s*$/.test(line) && lines.length === 1) {
      const title = lines[0]!;
      lines = [];
      setHeading(bare.startsWith('=') ? 1 : 2, title);
      continue;
    }
    if (
      isFurniture(bare) ||
      (startsAfterBlank && lines.length === 0 && /^(?: {4}|\t)/.test(line) && !listItem.test(line))
    ) {
      flush();
      continue;
    }
    const item = listItem.exec(line);
    if (item) {
      flush();
      const task = /^\[[ xX]\]\s+(.*)$/.exec(item[2]!);
      kind = task ? 'task' : 'item';
      lines.push(task ? task[1]! : item[2]!);
      continue;
    }
    if (bare.startsWith('>')) {
      if (kind !== 'quote') flush();
      kind = 'quote';
      const quoted = bare.replace(/^(?:>\s?)+/, '');
      if (!/^\[!\w+\]/.test(quoted)) lines.push(quoted);
      continue;
    }
    lines.push(line);
    length += line.length;
    // Text without paragraphs is cut, so that no step below grows faster than the text.
    if (length > maxBlock) flush();
  }
  flush();
  return blocks;
}

/** A line such as "Action items" or "Open questions:" above a list is a heading of its items. */
function underLabels(blocks: readonly Block[]): Block[] {
  let label = '';
  return blocks.map((block) => {
    if (block.kind === 'paragraph') {
      const words =
        block.text.length <= 60 && !/[\n.!?。！？]/u.test(block.text)
          ? headingText(block.text).replace(/\s*[:：]$/u, '')
          : '';
      label = words.split(' ').length <= 5 ? words : '';
    }
    return label === '' || block.kind === 'quote' ? block : { ...block, headings: [...block.headings, label] };
  });
}

/** Rules, table rows, badges, link definitions, navigation, lines of a table of contents. */
function isFurniture(line: string): boolean {
  if (/^(?:[-*_=]\s*){3,}$/.test(line) || line.startsWith('|') || /^\[[^\]]+\]:\s/.test(line)) return true;
  if (/^\[?!\[/.test(line) || /^\[\^/.test(line)) return true;
  return (
    line.length < 2_000 &&
    (line.split(' | ').length > 2 || line.split(' · ').length > 3 || line.split(' • ').length > 3)
  );
}

function headingText(raw: string): string {
  const plain = raw
    .replace(/\s+#+\s*$/, '')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^<>]*>/g, '')
    .replace(/[\p{Extended_Pictographic}\uFE0F\u200D]/gu, (char) => (/[\d#*©®™]/u.test(char) ? char : ''))
    .replace(/[*_`[\]\\|]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.slice(0, 160);
}

function withoutFrontMatter(text: string): string {
  if (!/^---\r?\n/.test(text)) return text;
  const end = /\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text.slice(3, 10_000));
  return end ? text.slice(3 + end.index + end[0].length) : text;
}
