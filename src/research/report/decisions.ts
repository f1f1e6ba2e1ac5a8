import type { Decide, Decision, Said } from '../evidence/checker.ts';
import { normalizeForQuote } from '../evidence/quotes.ts';
import type { Judgement, Statement, UnverifiedReason, Verdict } from '../evidence/statement.ts';
import { statementLine } from '../evidence/statementLine.ts';
import type { Contradiction } from '../stateSchema.ts';
import { splitSentences } from '../text/sentences.ts';
import { terms } from '../text/tokenize.ts';
import { trimEnd } from '../text/trimEnd.ts';
import { type ReportStatement, statementId } from './renderReport.ts';

/** A replacement that is longer than this many times the statement is none. */
const mostLonger = 3;

/** Whether a statement is a passage word for word, which needs no judgement. */
function isVerbatim({ text, grounds }: Pick<Said, 'text' | 'grounds'>): boolean {
  const words = trimEnd(normalizeForQuote(text), '.。!?');
  return words !== '' && grounds.some(({ held }) => held.text.includes(words));
}

/** What a second reader is given: each statement once, without those that are quotes. */
export function statementsToJudge(
  statements: readonly (ReportStatement | (Said & { id: string; section: string }))[],
): Statement[] {
  const open = statements.filter((one) => one.verdict !== 'quoted' && one.grounds.length > 0 && !isVerbatim(one));
  return [...new Map(open.map((one) => [one.id, one])).values()].map(({ id, section, text, grounds, isCited }) => ({
    ...{ id, section, text, isCited },
    passages: grounds.flatMap(({ passages }) => passages),
  }));
}

/**
 * What becomes of each statement by what a second reader said of it.
 *
 * @param without Why statements were not judged.
 * @param elsewhere Numbers of findings that support what the passages of a statement don't have.
 */
export function decisionsOf(
  judgements: ReadonlyMap<string, Judgement>,
  without: UnverifiedReason,
  elsewhere: ReadonlyMap<string, string> = new Map(),
): Decide {
  return (said) => {
    if (said.isCited && isVerbatim(said)) return { verdict: 'quoted' };
    const id = statementId(said);
    const judgement = judgements.get(id);
    const other = elsewhere.get(id);
    if (other !== undefined) return { verdict: 'supported', instead: [cited(said.text, [other], 'supported')] };
    switch (judgement?.verdict) {
      case 'supported':
        return { verdict: 'supported' };
      case 'inferred':
        return unjudged(said, 'ownConclusion');
      case 'partly':
      case 'disputed':
      case 'contradicted':
        return { verdict: 'corrected', instead: replacements(said, judgement) };
      case 'absent':
        return said.grounds.length === 0 ? unjudged(said, without) : { verdict: 'unverified', instead: [] };
      default:
        return unjudged(said, judgement?.reason ?? without);
    }
  };
}

/** A figure that only follows from those of the passages stays when a second reader has checked it. */
function unjudged({ isDerived }: Said, reason: UnverifiedReason): Decision {
  return { verdict: 'unverified', reason, ...(isDerived ? { instead: [] } : {}) };
}

/** A heading, an item, a quotation or a row: a piece of a passage, and no sentence. */
const beginsBlock = /^\s*(?:(?:#{1,6}|[-*+>]|\d{1,3}[.)])\s|\|)/;

/** The statement as its passages support it, and their words. */
function replacements(said: Said, { correction, words }: Judgement): NonNullable<Decision['instead']> {
  const ids = said.ids.length > 0 ? said.ids : said.grounds.slice(0, 1).map(({ source }) => source.id);
  const isUsable =
    /[\p{L}\p{N}]/u.test(correction) &&
    !beginsBlock.test(correction) &&
    correction !== said.text &&
    correction.length <= said.text.length * mostLonger;
  const quote = nearestSentence(said, words);
  return [
    ...(isUsable ? [cited(correction, ids, 'corrected')] : []),
    ...(quote === '' ? [] : [cited(`“${quote}”`, ids, 'quoted')]),
  ];
}

function cited(text: string, ids: readonly string[], verdict: Verdict) {
  return { text: `${text.replace(/[.。]\s*$/, '')} ${ids.map((id) => `[${id}]`).join('')}.`, verdict };
}

/** The other sides of a one-sided statement: of each source the sentence that comes nearest to it. */
export function disputesOf(
  statements: readonly ReportStatement[],
  judgements: ReadonlyMap<string, Judgement>,
): Contradiction[] {
  const disputed = statements.filter(({ id }) => judgements.get(id)?.verdict === 'disputed');
  return disputed.map((said) => ({
    topic: said.text,
    values: [...Map.groupBy(said.grounds, ({ source }) => source.id)].map(([id, grounds]) => ({
      text: nearestSentence({ ...said, grounds }, ''),
      sources: [id],
    })),
  }));
}

/** The sentence of the passages that has the words which decide, or comes nearest to the statement. */
function nearestSentence({ text, grounds }: Said, words: string): string {
  const sentences = grounds
    .flatMap(({ passages }) => passages)
    .flatMap((passage) => splitSentences(passage.text))
    .map((one) => statementLine(one.text).replace(/[“”"]/g, '').trim());
  const deciding = normalizeForQuote(words);
  const wanted = new Set(terms(text));
  const shared = (sentence: string): number => terms(sentence).filter((term) => wanted.has(term)).length;
  const holding = sentences.filter((one) => deciding.length > 10 && normalizeForQuote(one).includes(deciding));
  const best = (holding.length > 0 ? holding : sentences).toSorted((a, b) => shared(b) - shared(a))[0] ?? '';
  return best.length <= text.length * mostLonger + 200 ? best : '';
}

/** How the statements of a report came out. They add up to those that were judged. */
export interface VerificationCounts {
  /** Whether a second reader's judgements are among them. */
  readonly isRead: boolean;
  readonly quoted: number;
  readonly supported: number;
  readonly corrected: number;
  /** By the words of a passage. */
  readonly replaced: number;
  readonly dropped: number;
  readonly unverified: number;
  /** Why the first of them is. */
  readonly reason?: UnverifiedReason;
}

/** @param before The statements before they were decided on; `after`: those of the finished report. */
export function verificationCounts(
  before: readonly Said[],
  after: readonly Said[],
  isRead: boolean,
): VerificationCounts {
  const count = (test: (said: Said) => boolean): number => after.filter((said) => said.isCited && test(said)).length;
  const all = before.filter(({ isCited }) => isCited).length;
  const kept = after.filter(({ isCited }) => isCited).length;
  const reason = after.find((one) => one.isCited && one.reason !== undefined)?.reason;
  return {
    isRead,
    quoted: count((one) => one.verdict === 'quoted' && one.isInstead !== true),
    supported: count(({ verdict }) => verdict === 'supported'),
    corrected: count(({ verdict }) => verdict === 'corrected'),
    replaced: count((one) => one.verdict === 'quoted' && one.isInstead === true),
    dropped: Math.max(0, all - kept),
    unverified: count(({ verdict }) => verdict === 'unverified'),
    ...(reason ? { reason } : {}),
  };
}
