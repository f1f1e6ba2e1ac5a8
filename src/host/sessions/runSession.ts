import type { PlanSection, ResearchEvent } from '../../protocol/events.ts';
import { emptyView, reduceRun } from '../../protocol/reduceRun.ts';
import type { RunView } from '../../protocol/runView.ts';
import type { WantedStrategy } from '../../protocol/strategy.ts';
import type { EngineOptions, Log, ProposedPlan, ResearchEngine, RunResult } from '../../protocol/ports.ts';
import { logEvent } from '../log.ts';
import { CardDecision } from './cardDecision.ts';

/** Who wants to know how the one run goes. */
export interface RunListener {
  /** Another picture as a whole: a run begins, an earlier one is shown, or none. */
  onReplaced(view: RunView): void;
  /** `options` are those that the run was begun with, whatever a new run would use by now. */
  onEvent(event: ResearchEvent, view: RunView, options: EngineOptions): void;
  /** The run gave a report. Called after its last event. */
  onReport(result: RunResult, options: EngineOptions): void;
  /** Nothing of the run is at work any more, however it ended. */
  onEnd(view: RunView): void;
}

/** A new question, or a run to go on with. */
type Begun =
  | { readonly question: string; readonly strategy: WantedStrategy | undefined }
  | { readonly resume: string; readonly workspaceFolder: string | undefined };

interface ActiveRun {
  readonly abort: AbortController;
  readonly finish: AbortController;
  /** Settles when the engine has let go; never rejects. */
  readonly ended: Promise<void>;
  readonly answers: Map<string, (answer: string | null) => void>;
  /** Answers to questions of the run's earlier life, which the panel shows before the engine asks them again. */
  readonly early: Map<string, string | null>;
  readonly plan: CardDecision<readonly PlanSection[]>;
  readonly review: CardDecision<'continue' | 'report'>;
}

/**
 * The one research run of this window, and the picture of it. It knows neither the panel nor the editor: what a user does
 * arrives through the methods, what happens goes to the listener.
 */
export class RunSession {
  readonly #engine: () => Promise<Pick<ResearchEngine, 'research'>>;
  readonly #options: () => EngineOptions;
  readonly #listener: RunListener;
  readonly #log: Log;
  readonly #now: () => Date;
  #active: ActiveRun | undefined;
  #shown: RunView = emptyView();

  constructor(
    engine: () => Promise<Pick<ResearchEngine, 'research'>>,
    options: () => EngineOptions,
    listener: RunListener,
    log: Log,
    now = () => new Date(),
  ) {
    this.#engine = engine;
    this.#options = options;
    this.#listener = listener;
    this.#log = log;
    this.#now = now;
  }

  get view(): RunView {
    return this.#shown;
  }

  get running(): boolean {
    return this.#active !== undefined;
  }

  /**
   * Begins a run and gives a promise of its end. False, and nothing changes, while another run is on. A strategy counts for
   * this run alone; without one the settings say.
   */
  start(question: string, strategy?: WantedStrategy): Promise<void> | false {
    if (this.#active) return false;
    const abort = new AbortController();
    const at = this.#now().toISOString();
    this.#replace({ ...emptyView(), status: 'running', question, startedAt: at, updatedAt: at });
    return this.#begin({ question, strategy }, abort);
  }

  /**
   * Goes on with the run that is shown, where it stopped, in the folder that it researches, or without one when it has none.
   * False, and nothing changes, while a run is on or none is shown.
   */
  resume(workspaceFolder?: string): Promise<void> | false {
    const { run } = this.#shown;
    if (this.#active || run === '') return false;
    this.#replace({ ...this.#shown, status: 'running', end: null });
    return this.#begin({ resume: run, workspaceFolder }, new AbortController());
  }

  /** "Finish now": no more research; the report is written from what is there. */
  finish(): void {
    this.#active?.finish.abort(new DOMException('Finish now.', 'AbortError'));
  }

  #begin(what: Begun, abort: AbortController): Promise<void> {
    const run: ActiveRun = {
      abort,
      finish: new AbortController(),
      answers: new Map(),
      early: new Map(),
      plan: new CardDecision(),
      review: new CardDecision(),
      ended: Promise.resolve().then(() => this.#run(what, run)),
    };
    this.#active = run;
    return run.ended;
  }

  answer(id: string, answer: string | null): void {
    const resolve = this.#active?.answers.get(id);
    if (resolve) resolve(answer);
    else if (this.#shown.pending?.id === id) this.#active?.early.set(id, answer);
    this.#active?.answers.delete(id);
  }

  approvePlan(sections: readonly PlanSection[]): void {
    this.#active?.plan.give(this.#card('plan'), sections);
  }

  decideReview(decision: 'continue' | 'report'): void {
    this.#active?.review.give(this.#card('review'), decision);
  }

  /** Stops the run, if one is on, and resolves when it has let go. What it found stays in the picture. */
  async stop(): Promise<void> {
    this.#active?.abort.abort(new DOMException('Stopped.', 'AbortError'));
    await this.#active?.ended;
  }

  /** The window goes away: lets go of the run as it is, to be gone on with later. Resolves when the engine has let go. */
  async leave(): Promise<void> {
    this.#active?.abort.abort(Object.assign(new Error('The window closes.'), { name: 'AbortError', closing: true }));
    await this.#active?.ended;
  }

  /** Shows an earlier run, or an empty panel. Nothing changes while a run is on. */
  show(view: RunView = emptyView()): void {
    if (!this.#active) this.#replace(view);
  }

  async #run(what: Begun, run: ActiveRun): Promise<void> {
    try {
      const options =
        'resume' in what
          ? inFolder(this.#options(), what.workspaceFolder)
          : withStrategy(this.#options(), what.strategy);
      const engine = await this.#engine();
      const result = await engine.research({
        ...options,
        ...('resume' in what ? { resume: what.resume } : { question: what.question }),
        signal: run.abort.signal,
        finishSignal: run.finish.signal,
        onEvent: (event) => this.#fold(event, options),
        answer: ({ id }) =>
          this.#whileRunning(run, (resolve) => {
            if (run.early.has(id)) resolve(run.early.get(id) ?? null);
            else run.answers.set(id, resolve);
          }),
        approve: async (plan) => {
          const sections = await this.#whileRunning<readonly PlanSection[]>(run, (resolve) =>
            run.plan.ask(this.#card('plan'), resolve),
          );
          return { ...plan, sections: sections.map((section) => ({ ...section, queries: queriesFor(section, plan) })) };
        },
        decideReview: () => this.#whileRunning(run, (resolve) => run.review.ask(this.#card('review'), resolve)),
      });
      this.#listener.onReport(result, options);
    } catch (error) {
      this.#failed(error, run.abort.signal.aborted);
    } finally {
      this.#active = undefined;
      this.#listener.onEnd(this.#shown);
    }
  }

  /** What the card of this kind says that waits for the user. By its words: a run that goes on may tell of the same card twice. */
  #card(kind: 'plan' | 'review'): string | undefined {
    return this.#shown.waitingFor === kind ? JSON.stringify(this.#shown[kind]) : undefined;
  }

  /** A promise of what the user will decide, which a stop rejects. */
  #whileRunning<T>(run: ActiveRun, listen: (resolve: (value: T) => void) => void): Promise<T> {
    const { signal } = run.abort;
    return new Promise<T>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      listen(resolve);
    });
  }

  #fold(event: ResearchEvent, options: EngineOptions): void {
    logEvent(this.#log, event);
    const before = this.#shown;
    this.#shown = reduceRun(before, event);
    if (this.#shown !== before) this.#listener.onEvent(event, this.#shown, options);
  }

  /** The engine tells of its failures by events; what went wrong before or outside of them is told here. */
  #failed(error: unknown, stopped: boolean): void {
    if (this.#shown.end !== null) return;
    const { message, reason, next } = describeError(error);
    if (!stopped)
      this.#log.error(
        `research failed: ${reason}: ${message}${error instanceof Error && error.stack ? `\n${error.stack}` : ''}`,
      );
    this.#replace({
      ...this.#shown,
      status: stopped ? 'cancelled' : 'failed',
      waitingFor: null,
      pending: null,
      updatedAt: this.#now().toISOString(),
      end: stopped ? { reason: 'abort', message: '', next: '' } : { reason, message, next },
    });
  }

  #replace(view: RunView): void {
    this.#shown = view;
    this.#listener.onReplaced(view);
  }
}

function withStrategy(options: EngineOptions, strategy: WantedStrategy | undefined): EngineOptions {
  return strategy === undefined
    ? options
    : { ...options, settings: { ...options.settings, 'deepResearch.strategy': strategy } };
}

/** The folder that a run began with, unless none may be read at all; none when it began without. */
function inFolder(
  { workspaceFolder: readable, ...options }: EngineOptions,
  workspaceFolder: string | undefined,
): EngineOptions {
  return readable === undefined || workspaceFolder === undefined ? options : { ...options, workspaceFolder };
}

/** The plan's queries fit a section as long as it is about the same. */
function queriesFor({ id, title }: PlanSection, plan: ProposedPlan): readonly string[] {
  return plan.sections.find((planned) => planned.id === id && planned.title === title)?.queries ?? [];
}

/** Reads what was thrown by its shape: the engine's error class lives in another bundle. */
export function describeError(error: unknown): {
  readonly reason: string;
  readonly message: string;
  readonly next: string;
} {
  const { reason, message, next } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  return {
    reason: typeof reason === 'string' ? reason : 'bug',
    message: typeof message === 'string' ? message : String(error),
    next: typeof next === 'string' ? next : '',
  };
}
