import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Verdict } from '../../../src/research/analyst/analyst.ts';

const labels = ['supported', 'partly', 'contradicted', 'absent'] as const;

/** A sentence beside passages, and what a careful person says of it. */
export const pair = z.object({
  id: z.string(),
  /** Of the sentence, as a BCP 47 tag. */
  lang: z.string(),
  passages: z.array(z.string()).min(1),
  sentence: z.string(),
  label: z.enum(labels),
  /** What is wrong with it, or how it was made. */
  kind: z.string(),
});
export type Pair = z.infer<typeof pair>;

/** A line of LLM-AggreFact (arXiv:2404.10774): 1 is supported, 0 anything else. */
const aggreFact = z.object({
  doc: z.string(),
  claim: z.string(),
  label: z.union([z.literal(0), z.literal(1)]),
  dataset: z.string().default('aggrefact'),
});

/** Pairs of a file with one JSON object a line, in either form. Throws with the number of a line that is neither. */
export function readPairs(file: string): Pair[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [pairOf(line, `${file}:${index + 1}`, index + 1)]));
}

function pairOf(line: string, place: string, number: number): Pair {
  const value: unknown = JSON.parse(line);
  const own = pair.safeParse(value);
  if (own.success) return own.data;
  const other = aggreFact.safeParse(value);
  if (!other.success) throw new Error(`${place} is no labelled pair: ${z.prettifyError(own.error)}`);
  const { doc, claim, label, dataset } = other.data;
  // What of the rest contradicts is not known.
  return {
    id: String(number),
    lang: '',
    passages: [doc],
    sentence: claim,
    label: label === 1 ? 'supported' : 'absent',
    kind: dataset,
  };
}

/** The same pair for programs that read LLM-AggreFact. */
export function aggreFactLine({ passages, sentence, label, kind }: Pair): string {
  return JSON.stringify({
    doc: passages.join('\n\n'),
    claim: sentence,
    label: label === 'supported' ? 1 : 0,
    dataset: kind,
  });
}

/** What was said of a pair; undefined when nothing. */
export interface Said {
  readonly pair: Pair;
  readonly verdict: Verdict['verdict'] | undefined;
}

/**
 * By kind, language and altogether: untrue sentences that pass, true ones that are lost, and of four verdicts those that are the label.
 * A sentence passes when it is called supported; one of which nothing was said is counted by itself.
 */
export function tableOf(title: string, all: readonly Said[], hasFour: boolean): string {
  const rows = [
    ...[...Map.groupBy(all, ({ pair: { kind } }) => kind)].sort(([a], [b]) => a.localeCompare(b)),
    ...[...Map.groupBy(all, ({ pair: { lang } }) => `language ${lang || '?'}`)].sort(([a], [b]) => a.localeCompare(b)),
    ['all', all] as const,
  ].map(([name, some]) => {
    const known = some.filter(({ verdict }) => verdict !== undefined);
    const isTrue = ({ pair: { label } }: Said): boolean => label === 'supported';
    const passes = ({ verdict }: Said): boolean => verdict === 'supported';
    const untrue = known.filter((one) => !isTrue(one));
    const right = known.filter(isTrue);
    return [
      name,
      String(some.length),
      part(untrue.filter(passes).length, untrue.length),
      part(right.filter((one) => !passes(one)).length, right.length),
      ...(hasFour
        ? [part(known.filter(({ pair: { label }, verdict }) => verdict === label).length, known.length)]
        : []),
      ...(hasFour ? [String(some.length - known.length)] : []),
    ];
  });
  const head = [title, 'pairs', 'untrue through', 'true lost', ...(hasFour ? ['verdict right', 'no answer'] : [])];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Mean of the share of true sentences that pass and of untrue ones that don't, as LLM-AggreFact counts. */
export function balancedAccuracy(all: readonly Said[]): number {
  const shares = [true, false].flatMap((isTrue) => {
    const some = all.filter(({ pair: { label } }) => (label === 'supported') === isTrue);
    const right = some.filter(({ verdict }) => verdict !== undefined && (verdict === 'supported') === isTrue);
    return some.length === 0 ? [] : [right.length / some.length];
  });
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
}

function part(count: number, of: number): string {
  return of === 0 ? '' : `${count} of ${of} (${Math.round((100 * count) / of)} %)`;
}
