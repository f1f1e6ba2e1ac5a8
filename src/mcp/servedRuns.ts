import { join } from 'node:path';
import type { EngineOptions, Log, ResearchCallbacks, ResearchEngine } from '../protocol/ports.ts';
import { isHeld } from '../files/runHeld.ts';
import { isSameFolder } from '../files/sameFolder.ts';
import { isLive, type RunView } from '../protocol/runView.ts';
import type { RunRecord } from '../protocol/runRecord.ts';
import type { RunOptions } from '../engine.ts';
import { untilAborted } from '../research/calls/waiting.ts';
import { ResearchError, type ErrorReason, errorReasons } from '../research/errors.ts';
import { readRecord } from '../files/amendRecord.ts';
import type { RunChoices } from '../runs/runChoices.ts';
import { RunSession, type SessionHost } from '../runs/runSession.ts';
import { readWrittenRun } from '../runs/savedRun.ts';
import { askPerson, type Elicit } from './askPerson.ts';

/** Runs that one server has in progress. */
const mostRuns = 4;

/** `interrupted`: no process has it; `waiting`: for a person or an answer, with a process or without. */
export type ServedState = 'running' | 'waiting' | 'paused' | 'interrupted' | 'finished' | 'failed' | 'stopped';

export interface KnownRun {
  readonly state: ServedState;
  readonly view: RunView;
  readonly waitsFor: RunView['waitingFor'];
  /** It runs in this process. */
  readonly own?: ServedRun;
}

/** What a caller asks for; the user's settings decide what of it counts. */
export type Asked =
  | { readonly question: string; readonly choices: RunChoices; readonly settings: Readonly<Record<string, unknown>> }
  | { readonly resume: KnownRun };

/** A run of this process. It waits for a person where there is one to ask, and is released where there is none. */
export class ServedRun implements SessionHost {
  readonly session = new RunSession(this);
  readonly log: Log;
  readonly #options: RunOptions;
  readonly #elicit: () => Elicit | undefined;
  #asking: AbortController | undefined;
  /** Calls that wait for this run; the promise resolves when there is one. */
  #calls = 0;
  #called = Promise.withResolvers<void>();
  /** Resolves when the person has closed the form of what the run waits for. */
  #closed = Promise.withResolvers<void>();
  #isClosed = false;
  /** Settles when the process is done with it; never rejects. */
  ended: Promise<void> = Promise.resolve();
  /** It was left for a person to continue it elsewhere. */
  isReleased = false;

  constructor(options: RunOptions, elicit: () => Elicit | undefined) {
    this.#options = options;
    this.log = options.log;
    this.#elicit = elicit;
  }

  begin(asked: Asked): void {
    if ('resume' in asked) this.session.show(asked.resume.view);
    const started =
      'resume' in asked
        ? this.session.resume(this.#options.workspaceFolder)
        : this.session.start(asked.question, asked.choices);
    if (started) this.ended = started;
  }

  // -------- the session's host

  async loadEngine(): Promise<Pick<ResearchEngine, 'research'>> {
    const { research } = await import('../engine.ts');
    return { research: (options) => research(this.#askedOf(options)) };
  }

  /** Asks the person as soon as the engine does: the run can be resumed from there. */
  #askedOf(options: EngineOptions & ResearchCallbacks): RunOptions & ResearchCallbacks {
    const { answer, approveEntities, approve, decideReview } = options;
    const asking = <A, R>(next: ((asked: A) => Promise<R>) | undefined) =>
      next && ((asked: A) => this.#ask(() => next(asked)));
    return {
      ...options,
      isUnattended: true,
      sameModel: true,
      answer: asking(answer),
      approveEntities: asking(approveEntities),
      approve: asking(approve),
      decideReview: asking(decideReview),
    };
  }

  async #ask<T>(next: () => Promise<T>): Promise<T> {
    const answer = next();
    const asking = new AbortController();
    this.#asking = asking;
    void this.#askPerson(asking.signal);
    try {
      return await answer;
    } finally {
      asking.abort();
      this.#closed = Promise.withResolvers();
      this.#isClosed = false;
    }
  }

  async #askPerson(signal: AbortSignal): Promise<void> {
    const answered = await this.#showForm(signal).catch(() => signal.aborted);
    if (!answered) {
      this.#isClosed = true;
      this.#closed.resolve();
    }
    const { waitingFor } = this.session.view;
    // A plan and what it costs is approved by a person, who can continue the run in a terminal.
    if (answered || signal.aborted || (waitingFor !== 'plan' && waitingFor !== 'review')) return;
    this.isReleased = true;
    await this.session.leave();
  }

  /** A form belongs to a call (specification of elicitation), and some clients show no other one: what was asked before is asked again in the next. */
  async #showForm(signal: AbortSignal): Promise<boolean> {
    const elicit = this.#elicit();
    while (elicit !== undefined) {
      const isInCall = this.#calls > 0;
      const withdrawn = new AbortController();
      if (!isInCall) void this.#called.promise.then(() => withdrawn.abort());
      const shown = AbortSignal.any([signal, withdrawn.signal]);
      if (await askPerson(elicit, this.session, shown).catch(() => signal.aborted)) return true;
      if (isInCall) break;
      await untilAborted(this.#called.promise, signal);
    }
    return false;
  }

  /** The person is asked in a form what the run waits for, at the latest while a call waits for it. */
  get hasForm(): boolean {
    return this.session.view.status === 'waiting' && !this.#isClosed && this.#elicit() !== undefined;
  }

  /** Waits, in a call of the client, until the run is no longer running, and the person has seen what it asks. Rejects when aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    this.#calls += 1;
    this.#called.resolve();
    try {
      const changed = this.session.until(({ status }) => status !== 'running' && !this.hasForm, signal);
      await Promise.race([changed, this.#closed.promise]);
    } finally {
      this.#calls -= 1;
      if (this.#calls === 0) this.#called = Promise.withResolvers();
    }
  }

  options(): EngineOptions {
    return this.#options;
  }

  onEnd(): void {
    this.#asking?.abort();
  }
}

/** The runs of one workspace: those of this process, and those that are saved. */
export class ServedRuns {
  readonly #options: RunOptions;
  readonly #elicit: () => Elicit | undefined;
  readonly #own = new Set<ServedRun>();

  /** @param elicit Gives how a person is asked; undefined where the client can't. */
  constructor(options: RunOptions, elicit: () => Elicit | undefined) {
    this.#options = options;
    this.#elicit = elicit;
  }

  /** Begins or resumes a run; resolves when it has its id. Rejects with a `ResearchError`. */
  async begin(asked: Asked, signal: AbortSignal): Promise<ServedRun> {
    if (this.#own.size >= mostRuns)
      throw new ResearchError('badRequest', `${this.#own.size} runs are in progress here, which is the most.`, {
        next: 'Wait for one of them with get_research, or end one.',
      });
    const folderSettings = 'settings' in asked ? asked.settings : {};
    const run = new ServedRun({ ...this.#options, folderSettings }, this.#elicit);
    this.#own.add(run);
    const last = 'resume' in asked ? asked.resume.view.lastSeq : 0;
    run.begin(asked);
    void run.ended.then(() => this.#own.delete(run));
    try {
      await run.session.until(({ lastSeq }) => lastSeq > last, signal);
    } catch (error) {
      await run.session.stop();
      throw error;
    }
    const { end, lastSeq } = run.session.view;
    // It ended before its first event.
    if (lastSeq === last && end !== null)
      throw new ResearchError(reasonOf(end.reason), end.message, { next: end.next });
    return run;
  }

  /** The record of a run of this workspace. Rejects with `badRequest` for any other. */
  async record(id: string): Promise<RunRecord> {
    const record = await readRecord(this.#options.runsFolder, id);
    if (record && isSameFolder(record.workspace, this.#options.workspaceFolder)) return record;
    throw new ResearchError('badRequest', `There is no run "${id.slice(0, 60)}" of this workspace.`, {
      next: 'Use an id that start_research or search_reports gave.',
    });
  }

  /** A run as it is now. Rejects with `badRequest` for one that is not of this workspace. */
  async known(id: string): Promise<KnownRun> {
    let own = [...this.#own].find(({ session }) => session.view.run === id);
    if (own?.isReleased || (own && !isLive(own.session.view))) {
      await own.ended;
      own = undefined;
    }
    if (own) {
      const { view } = own.session;
      const state = view.status === 'waiting' || view.status === 'paused' ? view.status : 'running';
      return { state, view, waitsFor: view.waitingFor, own };
    }
    const record = await this.record(id);
    const { runsFolder } = this.#options;
    const isElsewhere = isHeld(join(runsFolder, id));
    const view = await readWrittenRun(runsFolder, id);
    if (!view) throw new ResearchError('storage', `What is saved of the run ${id} can't be read.`);
    const ended = { finished: 'finished', failed: 'failed', cancelled: 'stopped' } as const;
    const { status } = view;
    if (status === 'finished' || status === 'failed' || status === 'cancelled')
      return { state: ended[status], view, waitsFor: null };
    if (isElsewhere) {
      const state = status === 'waiting' || status === 'paused' ? status : 'running';
      return { state, view, waitsFor: view.waitingFor };
    }
    const isWaiting = record.status === 'waiting';
    return { state: isWaiting ? 'waiting' : 'interrupted', view, waitsFor: isWaiting ? waitsFor(view) : null };
  }

  /** The window closes: interrupts every run, which can be resumed. */
  async leave(): Promise<void> {
    await Promise.all([...this.#own].map((run) => run.session.leave()));
  }
}

/** What a run waits for that no process has. */
function waitsFor({ waitingFor, pending, plan }: RunView): RunView['waitingFor'] {
  if (waitingFor !== null) return waitingFor;
  if (pending !== null) return 'answer';
  return plan?.approved === false ? 'plan' : null;
}

function reasonOf(reason: string): ErrorReason {
  return errorReasons.find((known) => known === reason) ?? 'bug';
}
