import { ResearchError } from '../errors.ts';
import { readReport } from '../export/frontMatter.ts';
import type { RunRecord } from '../ports.ts';
import type { RunContext } from '../run/runContext.ts';

/** Writes the status of a run to its record. */
export class RunStatus {
  readonly #context: Pick<RunContext, 'clock' | 'folder' | 'log' | 'warn'>;
  readonly #record: RunRecord;
  /** Of the saved report. */
  path: string | undefined;

  constructor(context: Pick<RunContext, 'clock' | 'folder' | 'log' | 'warn'>, record: RunRecord) {
    this.#context = context;
    this.#record = record;
  }

  /** Never rejects: a record that can't be written is a warning. */
  async save(
    status: RunRecord['status'],
    ended: Pick<RunRecord, 'title' | 'outcome' | 'gaps' | 'cited' | 'failure'> = {},
  ): Promise<void> {
    const { clock, folder, log, warn } = this.#context;
    const path = this.path === undefined ? {} : { path: this.path };
    try {
      await folder.saveRecord({ ...this.#record, status, ...path, ended: clock.now().toISOString(), ...ended });
    } catch (thrown) {
      const error = ResearchError.from(thrown);
      log.error(error.message);
      warn({ kind: 'storage', error });
    }
  }

  /** @param report The whole file: its front matter has the title and the number of cited sources. */
  async finished(outcome: NonNullable<RunRecord['outcome']>, gaps: number, report: string): Promise<void> {
    const { title, sources } = readReport(report).fields;
    await this.save('finished', {
      outcome,
      ...(gaps === 0 ? {} : { gaps }),
      ...(title === undefined ? {} : { title }),
      ...(sources === undefined ? {} : { cited: Number(sources) }),
    });
  }
}
