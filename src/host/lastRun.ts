import type * as vscode from 'vscode';

/** What a window remembers of its last run; the rest is in the run's folder. */
export interface LastRun {
  readonly run: string;
  /** The folder that it researched: cited files are relative to it. */
  readonly workspaceFolder?: string | undefined;
  /** The user has dismissed it with New. */
  readonly dismissed: boolean;
}

/** The last report that was written; a later run without one does not replace it. */
export interface LastReport {
  readonly run: string;
  /** Absolute path of the saved file; absent when it is not saved. */
  readonly path?: string | undefined;
  /** The folder that was researched, which a dialog proposes. */
  readonly workspaceFolder?: string | undefined;
}

/** Stored for each workspace, so that another window's run is never taken for one that was interrupted here. */
export class LastRunMemory {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  get run(): LastRun | undefined {
    return this.#memory.get<LastRun>('lastRun');
  }

  set run(run: LastRun) {
    const { latest = '' } = this;
    void this.#memory.update('lastRun', run);
    // Ids begin with the date and time.
    void this.#memory.update('latestRun', run.run > latest ? run.run : latest);
  }

  /** A run starts or resumes in this window. @param folder The folder that it researches: absolute path. */
  started(run: string, folder: string | undefined): void {
    // A folder that may not be read this time is still the run's.
    const workspaceFolder = folder ?? (this.run?.run === run ? this.run.workspaceFolder : undefined);
    this.run = { run, dismissed: false, workspaceFolder };
  }

  /** The newest run that this window ever showed: an older one may be shown again. */
  get latest(): string | undefined {
    return this.#memory.get<string>('latestRun') ?? this.run?.run;
  }

  changeRun(changes: Partial<LastRun>): void {
    if (this.run) this.run = { ...this.run, ...changes };
  }

  get report(): LastReport | undefined {
    return this.#memory.get<LastReport>('lastReport');
  }

  set report(report: LastReport) {
    void this.#memory.update('lastReport', report);
  }
}
