/** What a follow-up does: it answers, or changes the report. */
export const followUpKinds = ['answer', 'research', 'rewrite', 'challenge'] as const;
export type FollowUpKind = (typeof followUpKinds)[number];

/** What a version of a report was made by, and a follow-up may be: a refresh is chosen by nobody but the user. */
export const changeKinds = [...followUpKinds, 'refresh'] as const;

/** What becomes of a statement that is doubted. */
export const challengeOutcomes = ['holds', 'condition', 'wrong', 'disputed'] as const;

/** What became of a cited source since it was read, with its sign in a report: `back` is as it was read again. */
export const sourceSigns = {
  gone: '✗',
  retracted: '⚠',
  withdrawn: '⚠',
  doubted: '⚠',
  changed: '↻',
  newer: '↑',
  back: '',
} as const;
export type SourceChange = keyof typeof sourceSigns;
