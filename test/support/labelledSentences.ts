import fs from 'node:fs';
import path from 'node:path';
import { CitationWriter } from '../../src/research/evidence/citations.ts';
import type { Source } from '../../src/research/evidence/source.ts';
import { root } from './paths.ts';

/**
 * Sentences that cite one or two passages, labelled by hand: true ones (paraphrases, roundings, other units, translations) and untrue ones
 * by the way in which they are untrue. `test/fixtures/labelled/dev.txt` was used to build the checks, `heldOut.txt` to look at them
 * at the end. A block each: `# language[>language of the sentences] kind`, `P passage`, `+kind sentence`, `-kind sentence`.
 */
export interface LabelledSentence {
  /** `en`, `zh>en`. */
  readonly language: string;
  readonly isTrue: boolean;
  readonly kind: string;
  readonly text: string;
  /** What it cites. */
  readonly sources: readonly Source[];
}

export interface LabelledHalf {
  readonly sentences: readonly LabelledSentence[];
  /** All sources that the run has. */
  readonly candidates: readonly Source[];
}

/** @param isLong Whether all passages of a language are one long source, in which every figure of its neighbours stands as well. */
export function labelledHalf(half: 'dev' | 'heldOut', isLong = false): LabelledHalf {
  const text = fs.readFileSync(path.join(root, `test/fixtures/labelled/${half}.txt`), 'utf8');
  const blocks = text
    .trim()
    .split(/\n{2,}/)
    .map(readBlock);
  const sources = new Map<string, Source>();
  const sourceOf = (language: string, passage: string): Source => {
    const key = isLong ? language : passage;
    const held = isLong ? blocks.flatMap((one) => (one.from === language ? one.passages : [])).join('\n\n') : passage;
    const known = sources.get(key) ?? made(sources.size, held);
    sources.set(key, known);
    return known;
  };
  const own = blocks.map(({ from, passages }) => [...new Set(passages.map((one) => sourceOf(from, one)))]);
  const sentences = blocks.flatMap(({ language, from, labelled }, index): LabelledSentence[] => {
    const written = labelled.map((one) => ({ ...one, language, sources: own[index]! }));
    // The source of another block, which speaks of something else.
    const other = blocks.findIndex((one, at) => at > index && one.from === from);
    const first = written.find(({ isTrue }) => isTrue);
    if (isLong || other < 0 || !first) return written;
    return [...written, { ...first, isTrue: false, kind: 'source', sources: own[other]! }];
  });
  return { sentences, candidates: [...sources.values()] };
}

function readBlock(block: string) {
  const [head = '', ...lines] = block.split('\n');
  const language = head.split(' ')[1]!;
  const labelled = lines.flatMap((line) => {
    const [, sign, kind, text] = /^([+-])(\S+) (.*)$/.exec(line) ?? [];
    return text === undefined ? [] : [{ isTrue: sign === '+', kind: kind!, text }];
  });
  const passages = lines.flatMap((line) => (line.startsWith('P ') ? [line.slice(2)] : []));
  return { language, from: language.split('>')[0]!, labelled, passages };
}

function made(index: number, text: string): Source {
  return {
    id: `S${(0xabcde0 + index).toString(16)}`,
    kind: 'web',
    identity: `url:https://example.org/${index}`,
    title: '',
    authors: [],
    retrievedAt: '2026-03-04T10:00:00.000Z',
    facts: [],
    alreadyCited: false,
    text,
  };
}

/** Whether a sentence stands in the report with a citation of one of the sources that it cites. */
export function isCited(
  { text, sources }: Pick<LabelledSentence, 'text' | 'sources'>,
  candidates: readonly Source[],
): boolean {
  const byId = new Map(candidates.map((source) => [source.id, source]));
  const writer = new CitationWriter({ get: (id) => byId.get(id), byUrl: () => undefined, candidates }, '');
  const end = /[.。]$/.exec(text)?.[0] ?? '.';
  writer.push(`${text.replace(/[.。]$/, '')} ${sources.map(({ id }) => `[${id}]`).join('')}${end}\n`);
  writer.finish();
  return writer.order.some((id) => sources.some((source) => source.id === id));
}
