import { ResearchError } from '../errors.ts';
import type { RunRecord } from '../ports.ts';
import type { RunContext } from '../run/runContext.ts';

export type RunStatus = ReturnType<typeof runStatus>;

/** Writes the status of a run to its record. */
export function runStatus({ clock, folder, log, warn }: RunContext, record: RunRecord) {
  return {
    /** Of the saved report. */
    path: undefined as string | undefined,
    /** Never rejects: a record that can't be written is a warning. */
    async save(
      status: RunRecord['status'],
      ended: Pick<RunRecord, 'title' | 'outcome' | 'gaps' | 'cited' | 'failure'> = {},
    ): Promise<void> {
      const path = this.path === undefined ? {} : { path: this.path };
      try {
        await folder.saveRecord({ ...record, status, ...path, ended: clock.now().toISOString(), ...ended });
      } catch (thrown) {
        const error = ResearchError.from(thrown);
        log.error(error.message);
        warn({ kind: 'storage', error });
      }
    },
  };
}
