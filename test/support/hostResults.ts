/** What the run in the extension host hands to the command that started it, as a JSON file. */
export interface HostResults {
  readonly tests: readonly HostTest[];
  /** Set when the run itself broke. */
  readonly crash?: string;
}

export interface HostTest {
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'pending';
  readonly ms: number;
  readonly error?: string;
}
