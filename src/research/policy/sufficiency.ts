import { largest } from '../../protocol/numbers.ts';
import type { PlanEstimate } from '../../protocol/events.ts';
import type { Assessment, AskedQuestion, TermLookup } from '../stateSchema.ts';
import type { Settings } from '../settings/config.ts';
import type { Decision } from '../stateSchema.ts';
import { isCostly } from './budget.ts';

export interface SufficiencyInput {
  readonly assessment: Assessment;
  /** Some word of the question carries a subject, see `Signs`. */
  readonly hasContent: boolean;
  readonly asked: readonly AskedQuestion[];
  readonly lookups: readonly TermLookup[];
  readonly clarification: Settings['clarification'];
}

/** The one thing that a question is about, in the order in which they are asked: or an analyst's own name for it. */
export type Missing = 'topic' | 'reference' | `term:${string}` | 'scope' | 'goal' | 'confirm' | (string & {});

export interface Verdict {
  readonly decision: Decision;
  /** Set for `NEED_CLARIFICATION`. */
  readonly missing?: Missing;
}

/** Rounds of questions. */
const mostQuestions = 3;
/** Rounds of look-ups, and terms in all of them. */
const mostRounds = 2;
const mostTerms = 5;
const askBelow = 0.7;
const startFrom = 0.9;
/** After an answer only less than this is worth another question. */
const askAgainBelow = 0.4;

/** Decides what happens after the assessment of a question: the first member of `Decision` that applies. Pure and total. */
export function decideSufficiency(input: SufficiencyInput): Verdict {
  const { assessment, asked } = input;
  if (assessment.cannotDo !== null) return { decision: 'CANNOT_DO' };
  if (termsToVerify(input).length > 0) return { decision: 'VERIFY_TOPIC' };
  const gap = gapOf(input);
  const missing = gap ?? (input.clarification === 'always' && asked.length === 0 ? 'confirm' : undefined);
  if (missing !== undefined && mayAsk(input, missing)) return { decision: 'NEED_CLARIFICATION', missing };
  // No guess is a good one where no word names anything.
  if (!assessment.topicClear && !input.hasContent) return { decision: 'CANNOT_DO' };
  // A user who says "just start" wants no plan to read either.
  if (asked.some(({ answer }) => answer === null)) return { decision: 'START_RESEARCH' };
  const { confidence, focus, needClarification } = assessment;
  // An empty list: the points were not assessed.
  const isSure = confidence >= startFrom && (focus.length >= 3 || focus.length === 0);
  const insists = needClarification && asked.length === 0 && missing === undefined;
  return { decision: gap === undefined && isSure && !insists ? 'START_RESEARCH' : 'CONFIRM_PLAN' };
}

/** Whether the plan waits for the user, once its cost is known: the second time that `CONFIRM_PLAN` is decided. Pure. */
export function confirmsPlan(
  when: Settings['planApproval'],
  decision: Decision | undefined,
  estimate: PlanEstimate,
): boolean {
  if (when === 'never') return false;
  return when === 'always' || decision === 'CONFIRM_PLAN' || isCostly(estimate);
}

/** Unknown terms that are still to be looked up: each once, a few in all. */
export function termsToVerify({ assessment, lookups }: Pick<SufficiencyInput, 'assessment' | 'lookups'>): string[] {
  if (largest(lookups.map(({ round }) => round ?? 1)) >= mostRounds) return [];
  const known = new Set(lookups.map(({ term }) => folded(term)));
  const terms = new Map(assessment.unknownTerms.map((term) => [folded(term), term.trim()]));
  return [...terms]
    .flatMap(([key, term]) => (key === '' || known.has(key) ? [] : [term]))
    .slice(0, mostTerms - lookups.length);
}

/** Terms that were looked up, in sources that answered, and are in none of them. */
export function unknownTermsLeft({ assessment, lookups }: Pick<SufficiencyInput, 'assessment' | 'lookups'>): string[] {
  const unknown = new Set(assessment.unknownTerms.map(folded));
  return lookups.flatMap(({ term, outcome }) => (outcome === 'notFound' && unknown.has(folded(term)) ? [term] : []));
}

/** What has to be known before research is worth its cost; undefined when nothing is missing. */
function gapOf(input: SufficiencyInput): Missing | undefined {
  const { assessment, asked } = input;
  const { topicClear, scopeInferable, goalClear, defaultGoal, focus, confidence, needClarification } = assessment;
  // What an analyst misses has the name that it gave: it may miss another thing in the next round.
  const judged = (kind: Missing): Missing => assessment.missingInfo.trim() || kind;
  if (!topicClear) return judged('topic');
  const term = unknownTermsLeft(input).find((one) => !wasAsked(asked, `term:${one}`));
  if (term !== undefined) return `term:${term}`;
  // After an answer the most likely reading is good enough.
  if (asked.length > 0) return needClarification && confidence < askAgainBelow ? judged('goal') : undefined;
  if (!scopeInferable) return judged('scope');
  const hasGoal = goalClear || defaultGoal.trim() !== '';
  return !hasGoal || focus.length === 1 || confidence < askBelow ? judged('goal') : undefined;
}

function mayAsk({ asked, clarification }: SufficiencyInput, missing: Missing): boolean {
  if (clarification === 'off' || asked.length >= mostQuestions) return false;
  return !wasAsked(asked, missing) && asked.every(({ answer }) => answer !== null);
}

function wasAsked(asked: readonly AskedQuestion[], missing: string): boolean {
  return asked.some(({ missingInfo }) => folded(missingInfo) === folded(missing));
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}
