import type { Assessment, AskedQuestion, TermLookup } from '../analyst/analyst.ts';
import type { Settings } from '../config.ts';
import type { Decision } from '../stateSchema.ts';

export interface SufficiencyInput {
  readonly assessment: Assessment;
  readonly asked: readonly AskedQuestion[];
  readonly lookups: readonly TermLookup[];
  readonly clarification: Settings['clarification'];
}

/** Rounds of questions, at the most. */
const maxQuestions = 3;
const askBelow = 0.7;
const startFrom = 0.9;

/**
 * Decides what happens after the assessment of a question: the first member of the type that applies. Pure.
 */
export function decideSufficiency(input: SufficiencyInput): Decision {
  const { assessment, asked } = input;
  if (assessment.cannotDo !== null) return 'CANNOT_DO';
  if (termsToVerify(input).length > 0) return 'VERIFY_TOPIC';
  if (mayAsk(input) && needsAnswer(input)) return 'NEED_CLARIFICATION';
  // What can't be clarified any further is assumed, and shown with the plan before it costs anything.
  const sure = assessment.confidence >= startFrom && assessment.focus.length >= 3;
  return sure || asked.some((question) => question.answer === null) ? 'START_RESEARCH' : 'CONFIRM_PLAN';
}

/** Unknown terms that were not looked up yet. */
export function termsToVerify({ assessment, lookups }: Pick<SufficiencyInput, 'assessment' | 'lookups'>): string[] {
  const known = new Set(lookups.map((lookup) => lookup.term.toLowerCase()));
  return assessment.unknownTerms.filter((term) => term.trim() !== '' && !known.has(term.toLowerCase()));
}

function mayAsk({ assessment, asked, clarification }: SufficiencyInput): boolean {
  if (clarification === 'off' || assessment.question.trim() === '') return false;
  if (asked.length >= maxQuestions || asked.some((question) => question.answer === null)) return false;
  return !asked.some((question) => question.missingInfo === assessment.missingInfo && assessment.missingInfo !== '');
}

function needsAnswer({ assessment, asked, lookups, clarification }: SufficiencyInput): boolean {
  const goalClear = assessment.goalClear || assessment.defaultGoal.trim() !== '';
  const unknownStays = lookups.some(
    (lookup) => lookup.outcome === 'notFound' && assessment.unknownTerms.includes(lookup.term),
  );
  // After one answer only the missing topic is worth another question.
  if (asked.length > 0) return !assessment.topicClear || (assessment.needClarification && assessment.confidence < 0.4);
  if (clarification === 'always') return true;
  return (
    !assessment.topicClear ||
    !assessment.scopeInferable ||
    !goalClear ||
    unknownStays ||
    assessment.focus.length < 2 ||
    assessment.confidence < askBelow
  );
}
