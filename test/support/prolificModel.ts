import type { ParsedRequest } from './modelRequest.ts';
import { sectionsOf } from './modelAnswers.ts';
import type { Script } from './modelServer.ts';

/** What became of the material of a run, counted at the model's side. */
export interface MaterialCounts {
  /** Sentences with a figure that the prompts of the distillations held, and findings that were named in their answers. */
  shown: number;
  found: number;
  /** Findings, and further sentences around them, in the prompts of the sections' writers. */
  written: number;
  around: number;
  /** Words of a section that are asked for, and those of the longest answer. */
  wanted: readonly [number, number];
  longest: number;
}

/** A strong model at work: as many findings as are asked for, evenly from all sources, and sections as long as is allowed. */
export function prolificModel(): { readonly script: Script; readonly counts: MaterialCounts } {
  const counts: MaterialCounts = { shown: 0, found: 0, written: 0, around: 0, wanted: [0, 0], longest: 0 };
  const taken = new Set<string>();
  const script: Script = (request) => {
    if (request.step === 'distil') return { json: distil(request, counts, taken) };
    if (request.step === 'section') return { text: section(request, counts) };
    return undefined;
  };
  return { script, counts };
}

const numberWords =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const numberOf = (word: string): number =>
  word
    .split('-')
    .map((part) => (Number(part) || numberWords.indexOf(part)) ?? 0)
    .reduce((sum, part) => sum + part, 0);

function distil({ prompt, sources }: ParsedRequest, counts: MaterialCounts, taken: Set<string>) {
  const most = numberOf(/needs: [\w-]+ to ([\w-]+) findings/.exec(prompt)?.[1] ?? 'eight');
  const bySource = sources.map(({ id, text }) =>
    [...text.matchAll(/\{(\d+)\} ([^{}]*\d[^{}]*)/g)].map(([, number, words]) => ({
      source: id,
      quote: number!,
      words: words!.trim(),
    })),
  );
  counts.shown += bySource.reduce((sum, own) => sum + own.length, 0);
  // What another section has is left to it.
  const open = bySource.map((own) => own.filter(({ words }) => !taken.has(words)));
  const turns = Array.from({ length: 200 }, (_, turn) => open.flatMap((own) => own[turn] ?? [])).flat();
  const chosen = turns.slice(0, most);
  for (const { words } of chosen) taken.add(words);
  counts.found += chosen.length;
  const findings = chosen.map(({ source, quote }) => ({ source, quote, claim: '' }));
  return { off_topic: [], to_readers: [], key_findings: findings, content: '' };
}

function section({ prompt, messages }: ParsedRequest, counts: MaterialCounts): string {
  const [, least = '0', most = '0'] = /: ([\d,]+) to ([\d,]+) words/.exec(messages.at(-1)?.content ?? prompt) ?? [];
  const bound = (text: string): number => Number(text.replace(',', ''));
  counts.wanted = [bound(least), bound(most)];
  const body = sectionsOf(prompt)
    .map((one) => one.body)
    .join('\n');
  const findings = [...body.matchAll(/^- (.+?) \[S[0-9a-f]+\] \[(F\d+)\](?: “[^”]*”)?(?: \(around it: (.*)\))?$/gm)];
  const claims = findings.map(([, claim, number]) => cited(claim!, number!));
  const further = findings.flatMap(([, , number, around = '']) =>
    around
      .split(/(?<=[.!?]) (?:… )?/)
      .filter((sentence) => /\d.*[.!?]$/.test(sentence))
      .map((sentence) => cited(sentence.replace(/^.*… /, ''), number!)),
  );
  counts.written += claims.length;
  counts.around += further.length;
  let text = '';
  for (const sentence of [...claims, ...further])
    if (wordsIn(text) + wordsIn(sentence) <= counts.wanted[1]) text += `${sentence} `;
  counts.longest = Math.max(counts.longest, wordsIn(text));
  return text;
}

const cited = (claim: string, number: string): string => `${claim.replace(/[.\s]+$/, '')} [${number}].`;

export function wordsIn(text: string): number {
  return text.match(/[\p{L}\p{N}][^\s]*/gu)?.filter((word) => !/^(?:S[0-9a-f]{5}|F\d)/.test(word)).length ?? 0;
}
