// Every value of the three settings that stop a run for the user, in the real graph: what they do is what their texts say.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Assessment } from '../../../src/research/analyst/analyst.ts';
import { sampled } from '../../support/sampled.ts';
import { clearAssessment, goodReview, ofType, scriptedAnalyst } from '../../support/scriptedParts.ts';
import { scriptedRun, type ScriptedOptions } from '../../support/scriptedRun.ts';

const questions = {
  clear: clearAssessment,
  /** It can be read in more than one way. */
  open: { ...clearAssessment, confidence: 0.8 },
  vague: { ...clearAssessment, confidence: 0.4, topicClear: false },
  costly: clearAssessment,
} as const satisfies Record<string, Assessment>;
type Question = keyof typeof questions;

const clarifications = ['off', 'whenNeeded', 'always'] as const;
const planApprovals = ['never', 'whenCostly', 'always'] as const;
const reviewApprovals = ['never', 'always'] as const;

/** What the texts of the settings promise. */
function expected(
  question: Question,
  clarification: (typeof clarifications)[number],
  planApproval: (typeof planApprovals)[number],
) {
  const asks = clarification === 'always' || (clarification === 'whenNeeded' && question === 'vague');
  // A vague question that nobody was asked about is a guess.
  const isOpen = question === 'open' || (question === 'vague' && !asks);
  const isShown = planApproval === 'always' || (planApproval === 'whenCostly' && (isOpen || question === 'costly'));
  return { questions: asks ? 1 : 0, plans: isShown ? 1 : 0 };
}

describe('the settings that stop a run', () => {
  const all = reviewApprovals.flatMap((reviewApproval) =>
    planApprovals.flatMap((planApproval) =>
      clarifications.map((clarification) => ({ clarification, planApproval, reviewApproval })),
    ),
  );
  const pairsOf = ({ clarification, planApproval, reviewApproval }: (typeof all)[number]) => [
    `question ${clarification}, plan ${planApproval}`,
    `plan ${planApproval}, review ${reviewApproval}`,
    `question ${clarification}, review ${reviewApproval}`,
  ];
  for (const settings of sampled(all, pairsOf)) {
    const { clarification, planApproval, reviewApproval } = settings;
    it(`do what they say: ${Object.values(settings).join(', ')}`, async () => {
      for (const question of Object.keys(questions) as Question[]) {
        const counts = await stopsOf(question, settings);
        assert.deepEqual(
          counts,
          {
            ...expected(question, clarification, planApproval),
            // The first review finds a gap, the second none; both could send something back.
            reviews: reviewApproval === 'always' ? 2 : 0,
            // Where nobody decides, the thin section goes back before the first review, too.
            attempts: reviewApproval === 'always' ? 2 : 3,
          },
          question,
        );
      }
    });
  }

  it('state the best guess as an assumption where nothing may be asked', async () => {
    const { result } = run('vague', { settings: { clarification: 'off', planApproval: 'never' } });
    assert.match((await result).report, /assum/i);
  });

  it('leave the sections to the reviews where they may send nothing back', async () => {
    const { result, events } = run('clear', {
      settings: { reviewApproval: 'always', 'limits.maxReviewIterations': 0 },
      decideReview: () => assert.fail('There is nothing to decide.'),
    });
    await result;
    assert.ok(ofType(events, 'review/finished').every(({ needsApproval }) => !needsApproval));
  });
});

/** How often the run stopped for the user, and how often the thin section was researched. */
async function stopsOf(question: Question, settings: Readonly<Record<string, unknown>>) {
  const counts = { questions: 0, plans: 0, reviews: 0 };
  const { result, events } = run(question, {
    settings,
    answer: async ({ options }) => {
      counts.questions += 1;
      return question === 'vague' ? 'The field notes' : options.find(({ recommended }) => recommended)!.label;
    },
    approve: async (plan) => ((counts.plans += 1), plan),
    decideReview: async () => ((counts.reviews += 1), 'continue'),
  });
  await result;
  const thin = ofType(events, 'section/updated').filter(({ title }) => title === 'Beta');
  return { ...counts, attempts: Math.max(...thin.map(({ attempt }) => attempt)) };
}

function run(question: Question, options: ScriptedOptions) {
  const isCostly = question === 'costly';
  const analyst = scriptedAnalyst({
    ...(isCostly && { kind: 'llm' as const }),
    assess: async ({ asked }) => (asked.length > 0 && question === 'vague' ? clearAssessment : questions[question]),
    // "Beta" is too thin at first sight, with a single statement from a single source.
    distil: async (input, scope) => {
      const distilled = await scriptedAnalyst().distil(input, scope);
      return input.section.id === 's2' ? { ...distilled, findings: distilled.findings.slice(0, 1) } : distilled;
    },
    review: async ({ round }) =>
      round === 1
        ? { ...goodReview, isSufficient: false, sectionsToRetry: ['s2'], gaps: [{ section: 's2', gap: 'Thin.' }] }
        : goodReview,
  });
  return scriptedRun({
    analyst,
    fallback: scriptedAnalyst(),
    ...(isCostly && { model: 'm' }),
    ...options,
    settings: {
      strategy: 'sections',
      ...(isCostly && { prices: { m: { in: 1000, out: 1000 } } }),
      ...options.settings,
    },
  });
}
