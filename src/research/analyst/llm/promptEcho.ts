import analyze from '../../../../prompts/analyze.md';
import assess from '../../../../prompts/assess.md';
import brief from '../../../../prompts/brief.md';
import critic from '../../../../prompts/critic.md';
import discover from '../../../../prompts/discover.md';
import discoverer from '../../../../prompts/discoverer.md';
import distil from '../../../../prompts/distil.md';
import frame from '../../../../prompts/frame.md';
import plan from '../../../../prompts/plan.md';
import reflect from '../../../../prompts/reflect.md';
import report from '../../../../prompts/report.md';
import researcher from '../../../../prompts/researcher.md';
import review from '../../../../prompts/review.md';
import section from '../../../../prompts/section.md';
import supervisor from '../../../../prompts/supervisor.md';
import trial from '../../../../prompts/trial.md';
import { shingles } from '../../evidence/similarity.ts';
import { readQuery } from '../../text/query.ts';
import { tokenize } from '../../text/tokenize.ts';

const prompts = [
  ...[analyze, assess, brief, critic, discover, discoverer, distil, frame],
  ...[plan, reflect, report, researcher, review, section, supervisor, trial],
  // Of `fencedSource`.
  '(only the title is known)',
];
/** Words of one shingle. */
const ofSentence = 5;
/** Titles of fewer words are anyone's ("Main techniques"). */
const leastTitle = 5;
/** A sentence counts as a copy of a prompt from this share of its shingles on. */
const ownShare = 0.6;

const knownRuns = new Map<number, ReadonlySet<string>>();

/** Whether a sentence is one of our prompts, in whole or for the most part (w-shingling, Broder 1997). */
export function isPromptEcho(sentence: string, width = ofSentence): boolean {
  const known = knownRuns.get(width) ?? new Set(prompts.flatMap((prompt) => [...shingles(tokenize(prompt), width)]));
  knownRuns.set(width, known);
  const own = [...shingles(tokenize(sentence), width)];
  return own.length > 0 && own.filter((one) => known.has(one)).length >= own.length * ownShare;
}

/** Whether a title is words of our prompts, and none of the question's. */
export function isPromptTitle(title: string, question: string): boolean {
  const asked = new Set(readQuery(question).words.flatMap(({ terms }) => terms));
  const isAsked = readQuery(title).words.some(({ terms }) => terms.some((term) => asked.has(term)));
  return !isAsked && isPromptEcho(title, leastTitle - 1) && tokenize(title).length >= leastTitle;
}
