/** What a follow-up does: it answers, or changes the report. */
export const followUpKinds = ['answer', 'research', 'rewrite', 'challenge'] as const;
export type FollowUpKind = (typeof followUpKinds)[number];

/** What needs no model, which would have to decide as well which of these is wanted. */
export const kindsWithoutModel: readonly FollowUpKind[] = ['answer', 'research'];

/** What is offered for a question about a report. */
export function offeredKinds(hasModel: boolean): readonly FollowUpKind[] {
  return hasModel ? followUpKinds : kindsWithoutModel;
}

/** What can become of a question about a report, for the screen. */
export interface FollowUpChoice {
  readonly as: FollowUpKind;
  readonly label: string;
  readonly detail: string;
  /** What it costs; "" without a model, or where that is not known. */
  readonly description: string;
}

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
