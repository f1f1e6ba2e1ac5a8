import type { RunView } from '../../protocol/runView.ts';
import type { Texts } from '../languages/texts.ts';

/** Front matter of a saved report; it ties the file to its run. */
export interface FrontMatter {
  readonly title: string;
  readonly question: string;
  /** ISO 8601. */
  readonly created: string;
  readonly strategy: string;
  /** `extractive` where every word is a quote. */
  readonly model: string;
  readonly run: string;
  /** Number of references. */
  readonly sources: number;
  readonly tokens: number;
  /** US dollars; null when no price is known: the field is empty, which YAML reads as null. */
  readonly cost: number | null;
  /** Some of the numbers were estimated, because a server gave none. */
  readonly estimated?: boolean;
  /** By model and phase. */
  readonly usage?: RunView['usage'];
}

/** The whole file. Every text is a double-quoted YAML scalar, so that no question can break out of it. */
export function reportFile(front: FrontMatter, markdown: string): string {
  const { usage = [], estimated = false, ...plain } = front;
  const lines = Object.entries(plain).map(([key, value]) =>
    value === null ? `${key}:` : `${key}: ${typeof value === 'string' ? yamlText(value) : String(value)}`,
  );
  if (estimated) lines.push('estimated: true');
  if (usage.length > 0) lines.push('usage:');
  for (const one of usage) lines.push(usageLine(one));
  return `---\n${lines.join('\n')}\n---\n\n${markdown}`;
}

/**
 * The file of quoted texts beside a report. Its front matter says whose it is, in a field of its own: the report alone is the run's.
 *
 * @param verdicts What the verdicts are called in it.
 */
export function sidecarFile(
  { title, question, strategy, run }: FrontMatter,
  verdicts: Texts['report']['verdicts'],
  markdown: string,
): string {
  const lines = Object.entries({ title, question, strategy, evidenceOf: run }).map(
    ([key, value]) => `${key}: ${yamlText(value)}`,
  );
  return `---\n${[...lines, `verdicts: ${yamlText(verdicts)}`].join('\n')}\n---\n\n${markdown}`;
}

/** One item of a list, as a map on one line. */
function usageLine({ model, phase, calls, in: tokensIn, out, cached, cost }: RunView['usage'][number]): string {
  const price = cost === null ? '' : `, cost: ${Math.round(cost * 10_000) / 10_000}`;
  return `  - { phase: ${phase}, model: ${yamlText(model)}, calls: ${calls}, in: ${tokensIn}, out: ${out}, cached: ${cached}${price} }`;
}

/** JSON is YAML, but for the two line separators that YAML 1.1 takes for line breaks. */
export function yamlText(value: string | object): string {
  return JSON.stringify(value).replace(
    /[\u0085\u2028\u2029\u007f-\u009f]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const longestSlug = 60;

/** `YYYY-MM-DD-slug.md`; letters of every script stay, so that a Chinese title keeps its words. */
export function reportFileName(today: string, title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const short = [...words].slice(0, longestSlug).join('');
  const slug = words.length > short.length && short.includes('-') ? short.slice(0, short.lastIndexOf('-')) : short;
  return `${today}-${slug.replace(/^-+|-+$/g, '') || 'report'}.md`;
}
