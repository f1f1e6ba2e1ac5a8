/** Of one remark, in UTF-16 units. */
export const longestRemark = 20_000;
/** Of one run. */
export const mostRemarks = 1_000;

/** A section that was researched so often is not sent back for remarks any more. */
export const mostAttempts = 20;

/**
 * The outcome of a remark or a stop: it is stored and will be followed, or why not. `tooLate`: the research has ended
 * (the report is being written, or the run is over). `notRunning`: no run is in progress.
 */
export type SteerOutcome =
  'accepted' | 'empty' | 'tooLong' | 'tooMany' | 'unknownSection' | 'stopped' | 'tooLate' | 'notRunning';

/** What a user can say to the sections of a run in progress. What is accepted survives a killed process. */
export interface RunControls {
  /**
   * Sends the user's own words to the researcher of a section, who sees them at its next turn. A section that is finished is researched
   * again, unless the report is being written already.
   */
  remark(section: string, text: string): Promise<SteerOutcome>;
  /** Ends the research of one section: it is finished with what it has found. The others continue. */
  stopSection(section: string): Promise<SteerOutcome>;
}
