import analyze from '../../../prompts/analyze.md';
import assess from '../../../prompts/assess.md';
import brief from '../../../prompts/brief.md';
import coordinate from '../../../prompts/coordinate.md';
import critic from '../../../prompts/critic.md';
import discover from '../../../prompts/discover.md';
import discoverer from '../../../prompts/discoverer.md';
import distil from '../../../prompts/distil.md';
import frame from '../../../prompts/frame.md';
import plan from '../../../prompts/plan.md';
import reflect from '../../../prompts/reflect.md';
import report from '../../../prompts/report.md';
import researcher from '../../../prompts/researcher.md';
import review from '../../../prompts/review.md';
import section from '../../../prompts/section.md';
import supervisor from '../../../prompts/supervisor.md';
import { tokenize } from '../text/tokenize.ts';

const prompts = [
  ...[analyze, assess, brief, coordinate, critic, discover, discoverer, distil, frame],
  ...[plan, reflect, report, researcher, review, section, supervisor],
  // Of `fencedSource`.
  '(only the title is known)',
];
/** Words of one shingle. */
const width = 5;
/** A sentence counts as a copy of a prompt from this share of its shingles on. */
const ownShare = 0.6;

let shingles: ReadonlySet<string> | undefined;

/** Whether a sentence is one of our prompts, in whole or for the most part (w-shingling, Broder 1997). */
export function isPromptEcho(sentence: string): boolean {
  shingles ??= new Set(prompts.flatMap(shinglesOf));
  const own = shinglesOf(sentence);
  return own.length > 0 && own.filter((one) => shingles!.has(one)).length >= own.length * ownShare;
}

function shinglesOf(text: string): string[] {
  const words = tokenize(text);
  return words.slice(width - 1).map((_, index) => words.slice(index, index + width).join(' '));
}
