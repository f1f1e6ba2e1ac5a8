import type { ActInput } from '../analyst/analyst.ts';

/** What a researcher is asked, and within which bounds. */
export interface LoopTask extends Pick<ActInput, 'role' | 'task' | 'question' | 'otherSections' | 'gaps' | 'known'> {
  readonly maxCalls: number;
  readonly maxTurns: number;
  /** The model looks at what the first searches found, beside the opening of pages. */
  readonly looks?: boolean;
  /** What the user says meanwhile. Absent: remarks are not possible. */
  readonly steering?: LoopSteering | undefined;
}

/** What the user says to a researcher, turn by turn. */
export interface LoopSteering {
  /** @param callsLeft Without any nothing can be followed: what is new then waits for the next attempt. */
  look(
    turn: number,
    callsLeft: number,
  ): Promise<{
    readonly isStopped: boolean;
    /** All of the user's remarks so far, in their words. */
    readonly remarks: readonly string[];
    /** Some of them are new in this turn. */
    readonly hasNew: boolean;
  }>;
}
