/** What a follow-up does: it answers, or changes the report. */
export const followUpKinds = ['answer', 'research', 'rewrite', 'challenge'] as const;
export type FollowUpKind = (typeof followUpKinds)[number];

/** What becomes of a statement that is doubted. */
export const challengeOutcomes = ['holds', 'condition', 'wrong', 'disputed'] as const;
