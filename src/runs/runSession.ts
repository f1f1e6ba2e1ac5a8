import type { ResearchEvent } from '../protocol/events.ts';
import { isLive, type RunView } from '../protocol/runView.ts';
import { emptyView, reduceRun, resuming } from '../protocol/reduceRun.ts';
import type { RunControls, SteerOutcome } from '../protocol/steering.ts';
import type {
  Attachment,
  EditedPlan,
  EngineOptions,
  Log,
  PlanRemark,
  ResearchEngine,
  ReviewDecision,
  RunResult,
  TakePage,
  WantedEntity,
} from '../protocol/ports.ts';
import type { RunChoices } from './runChoices.ts';
import type { WindowFacts } from './runEntry.ts';
import { describeError } from './describeError.ts';
import { logEvent } from './log.ts';

/**
 * The user's decision on the cards of one kind. The event that shows the card comes before the engine asks (its
 * checkpoint and record are written in between, and a resumed run shows its question first), so a click may come first: it counts for
 * that card and for no later one.
 */
class CardDecision<T> {
  #asked: { readonly card: string | undefined; readonly resolve: (value: T) => void } | undefined;
  #early: { readonly card: string | undefined; readonly value: T } | undefined;

  /** The engine asks. @param card What identifies the card; undefined: none of this kind is shown. */
  ask(card: string | undefined, resolve: (value: T) => void): void {
    const early = this.#early;
    this.#early = undefined;
    if (early && early.card === card) resolve(early.value);
    else this.#asked = { card, resolve };
  }

  /** The user decides. */
  give(card: string | undefined, value: T, isShown: boolean): void {
    const asked = this.#asked;
    if (asked && asked.card === card) {
      this.#asked = undefined;
      asked.resolve(value);
    } else if (isShown) this.#early = { card, value };
  }
}

/** What a run needs of its window, which follows it. */
export interface SessionHost {
  loadEngine(): Promise<Pick<ResearchEngine, 'research'>>;
  /** Of a run that starts now. @param place Absolute path in the folder that it researches, where that is open. */
  options(place?: string): EngineOptions;
  readonly log: Log;
  /** Default: the time of this machine. */
  now?(): Date;
  /** The view is replaced as a whole: a run starts, an earlier one is shown, or none. */
  onReplaced?(view: RunView): void;
  /** `options` are those that the run was started with. */
  onEvent?(event: ResearchEvent, view: RunView, options: EngineOptions): void;
  /** The run has a report. Called after its last event. */
  onReport?(result: RunResult, options: EngineOptions): void;
  /** The engine has ended, whatever the outcome, and no other run was started since. */
  onEnd(view: RunView): void;
}

/** A new question, or a run to resume. */
type Task =
  | { readonly question: string; readonly choices: RunChoices }
  | {
      readonly resume: string;
      readonly workspaceFolder: string | undefined;
      /** Texts of pages that the user gave since. */
      readonly pages: readonly Attachment[];
    };

/** What the user decides on each kind of card. */
interface Decided {
  readonly entities: readonly WantedEntity[];
  readonly plan: EditedPlan | PlanRemark;
  readonly review: ReviewDecision;
}

interface ActiveRun {
  readonly abort: AbortController;
  readonly finish: AbortController;
  readonly answerNow: AbortController;
  /** Settles when the engine has ended; never rejects. */
  readonly ended: Promise<void>;
  readonly answer: CardDecision<string | null>;
  readonly cards: { readonly [K in keyof Decided]: CardDecision<Decided[K]> };
  /** Resolves when the run's sections accept remarks. */
  readonly controls: PromiseWithResolvers<RunControls>;
  /** Resolves when the run takes pages. */
  readonly take: PromiseWithResolvers<TakePage>;
}

/**
 * The one run of this window, and its view. It knows neither the panel nor the editor: the user's actions arrive as
 * method calls, and its host follows the run.
 */
export class RunSession {
  readonly #host: SessionHost;
  #active: ActiveRun | undefined;
  #shown: RunView = emptyView();
  /** What the user attached to the shown run, as far as this session started or resumed it. */
  #attached: readonly Attachment[] = [];
  readonly #listeners = new Set<(event?: ResearchEvent) => void>();

  constructor(host: SessionHost) {
    this.#host = host;
  }

  get view(): RunView {
    return this.#shown;
  }

  get attached(): readonly Attachment[] {
    return this.#attached;
  }

  /** A run is in progress. One that has ended is not, though its engine may still close what it opened. */
  get running(): boolean {
    return this.#active !== undefined && isLive(this.#shown);
  }

  /** Resolves when the engine of the last run has ended. */
  get ended(): Promise<void> {
    return this.#active?.ended ?? Promise.resolve();
  }

  /** What only this window knows of its runs. */
  facts(): WindowFacts {
    const { run, status } = this.#shown;
    return this.running && run !== '' ? { own: { run, state: status === 'waiting' ? 'waiting' : 'running' } } : {};
  }

  /** Starts a run; the promise resolves at its end. False, and nothing changes, while another run is in progress. */
  start(question: string, choices: RunChoices = {}): Promise<void> | false {
    if (this.running) return false;
    const at = this.#now().toISOString();
    const parent = choices.followUp && { parent: choices.followUp.run };
    this.#replace({ ...emptyView(), ...parent, status: 'running', question, startedAt: at, updatedAt: at });
    this.#attached = choices.attached ?? [];
    return this.#launch({ question, choices });
  }

  /**
   * Resumes the run that is shown, in the folder that it researches, or without one when it has none. False, and
   * nothing changes, while a run is in progress or none is shown.
   */
  resume(workspaceFolder?: string, pages: readonly Attachment[] = []): Promise<void> | false {
    const { run } = this.#shown;
    if (this.running || run === '') return false;
    this.#replace(resuming(this.#shown, this.#now()));
    this.#attached = [...this.#attached, ...pages];
    return this.#launch({ resume: run, workspaceFolder, pages });
  }

  /** Calls the listener after each change, until the signal is aborted. */
  follow(listener: (event?: ResearchEvent) => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => this.#listeners.delete(listener), { once: true });
  }

  /** Resolves when `test` holds, or the run has ended; rejects when aborted. */
  async until(test: (view: RunView) => boolean, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const waiting = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const check = (): void => void (test(this.#shown) && resolve());
    this.follow(check, waiting.signal);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: waiting.signal });
    check();
    try {
      await Promise.race([promise, this.#active?.ended]);
    } finally {
      waiting.abort();
    }
  }

  /** "Finish now": no more research; the report is written from what was found so far. */
  finish(): void {
    this.#active?.finish.abort(new DOMException('Finish now.', 'AbortError'));
  }

  /** "Answer now": the index of the folder is not waited for. */
  answerNow(): void {
    this.#active?.answerNow.abort(new DOMException('Answer now.', 'AbortError'));
  }

  #launch(task: Task): Promise<void> {
    const run: ActiveRun = {
      abort: new AbortController(),
      finish: new AbortController(),
      answerNow: new AbortController(),
      answer: new CardDecision(),
      cards: { entities: new CardDecision(), plan: new CardDecision(), review: new CardDecision() },
      controls: Promise.withResolvers<RunControls>(),
      take: Promise.withResolvers<TakePage>(),
      ended: Promise.resolve(this.#active?.ended).then(() => this.#run(task, run)),
    };
    this.#active = run;
    return run.ended;
  }

  answer(id: string, answer: string | null): void {
    this.#active?.answer.give(id, answer, this.#shown.pending?.id === id);
  }

  /** Gives the run in progress the text of a page; false when there is none, or it takes nothing more. Rejects with why it can't be used. */
  async givePage(page: Parameters<TakePage>[0]): Promise<boolean> {
    const run = this.#active;
    const take = run && (await Promise.race([run.take.promise, run.ended]));
    if (!take) return false;
    try {
      await take(page);
      return true;
    } catch (error) {
      if (describeError(error).reason === 'finish' || run.abort.signal.aborted) return false;
      throw error;
    }
  }

  approveEntities(wanted: readonly WantedEntity[]): void {
    this.#decide('entities', wanted);
  }

  /** @param round Of the plan that is answered: nothing happens when another one is shown by now. */
  answerPlan(round: number, answer: EditedPlan | PlanRemark): void {
    if (this.#shown.plan?.round === round) this.#decide('plan', answer);
  }

  decideReview(decision: ReviewDecision): void {
    this.#decide('review', decision);
  }

  /** Steers a section of the run in progress. Resolves with the outcome, and never rejects. */
  async steer(say: (controls: RunControls) => Promise<SteerOutcome>): Promise<SteerOutcome> {
    const run = this.#active;
    // A run that is being resumed is about to take it.
    const controls = run && (await Promise.race([run.controls.promise, run.ended]));
    return controls ? await say(controls) : 'notRunning';
  }

  /** Stops the run, if there is one, and resolves when the engine has ended. What it found stays in the view. */
  async stop(): Promise<void> {
    this.#active?.abort.abort(new DOMException('Stopped.', 'AbortError'));
    await this.#active?.ended;
  }

  /** The window closes: interrupts the run, which can be resumed later. Resolves when the engine has ended. */
  async leave(): Promise<void> {
    this.#active?.abort.abort(Object.assign(new Error('The window closes.'), { name: 'AbortError', closing: true }));
    await this.#active?.ended;
  }

  /** Shows an earlier run, or an empty panel. Nothing changes while a run is in progress. */
  show(view: RunView = emptyView()): void {
    if (!this.running) this.#replace(view);
  }

  async #run(task: Task, run: ActiveRun): Promise<void> {
    try {
      const now = this.#host.options(await this.#placeOf(task));
      const options =
        'resume' in task
          ? inFolder(now, task.workspaceFolder)
          : (await import('./runChoices.ts')).withChoices(now, task.choices);
      const engine = await this.#host.loadEngine();
      const result = await engine.research({
        ...options,
        ...('resume' in task ? { resume: task.resume, attached: task.pages } : asked(task)),
        signal: run.abort.signal,
        finishSignal: run.finish.signal,
        answerSignal: run.answerNow.signal,
        onTakePage: run.take.resolve,
        steer: run.controls.resolve,
        onEvent: (event) => this.#fold(event, options),
        answer: ({ id }) => this.#whileRunning(run, (resolve) => run.answer.ask(id, resolve)),
        approveEntities: () => this.#asked(run, 'entities'),
        approve: () => this.#asked(run, 'plan'),
        decideReview: () => this.#asked(run, 'review'),
      });
      this.#host.onReport?.(result, options);
    } catch (error) {
      if (this.#active === run) this.#failed(error, run.abort.signal.aborted);
    } finally {
      if (this.#active === run) {
        this.#active = undefined;
        this.#host.onEnd(this.#shown);
        this.#changed();
      }
    }
  }

  /** Where a run belongs that is resumed or asks about a report. */
  async #placeOf(task: Task): Promise<string | undefined> {
    if ('resume' in task) return task.workspaceFolder;
    const { followUp } = task.choices;
    if (!followUp?.run) return followUp?.file;
    const { readRecord } = await import('../files/amendRecord.ts');
    return (await readRecord(this.#host.options().runsFolder, followUp.run))?.workspace;
  }

  /**
   * What the card of this kind says while it waits for the user. Its text identifies it: a resumed run may show the
   * same card twice.
   */
  #card(kind: keyof Decided): string | undefined {
    return this.#shown.waitingFor === kind ? JSON.stringify(this.#shown[kind]) : undefined;
  }

  #decide<K extends keyof Decided>(kind: K, value: Decided[K]): void {
    const card = this.#card(kind);
    this.#active?.cards[kind].give(card, value, card !== undefined);
  }

  #asked<K extends keyof Decided>(run: ActiveRun, kind: K): Promise<Decided[K]> {
    return this.#whileRunning(run, (resolve) => run.cards[kind].ask(this.#card(kind), resolve));
  }

  #now(): Date {
    return this.#host.now?.() ?? new Date();
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
    logEvent(this.#host.log, event);
    const before = this.#shown;
    this.#shown = reduceRun(before, event);
    if (this.#shown === before) return;
    this.#host.onEvent?.(event, this.#shown, options);
    this.#changed(event);
  }

  /** The engine reports its failures as events; this is for what fails before or outside of them. */
  #failed(error: unknown, stopped: boolean): void {
    if (this.#shown.end !== null) return;
    const { message, reason, next } = describeError(error);
    if (!stopped)
      this.#host.log.error(
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
    if (view.run !== this.#shown.run) this.#attached = [];
    this.#shown = view;
    this.#host.onReplaced?.(view);
    this.#changed();
  }

  #changed(event?: ResearchEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function asked({ question, choices: { attached = [], around = {}, followUp } }: Extract<Task, { question: string }>) {
  return { question, attached, around, ...(followUp && { followUp }) };
}

/** The folder that a run started with, unless none may be read at all; none when it started without. */
function inFolder(
  { workspaceFolder: readable, ...options }: EngineOptions,
  workspaceFolder: string | undefined,
): EngineOptions {
  return readable === undefined || workspaceFolder === undefined ? options : { ...options, workspaceFolder };
}
