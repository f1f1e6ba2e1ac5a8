import type { EventBody, ResearchEvent } from '../../protocol/events.ts';
import type { Tried, Trust } from '../../protocol/ports.ts';
import type { Analyst } from '../analyst/analyst.ts';
import { withFallback } from '../analyst/withFallback.ts';
import { Prefetch } from '../run/prefetch.ts';
import { Calls, type CallsOptions } from '../calls/calls.ts';
import { Replay } from '../calls/replay.ts';
import { Semaphore } from '../calls/semaphore.ts';
import { Watchdog } from '../calls/watchdog.ts';
import { watched } from './watchedAnalyst.ts';
import type { Settings } from '../settings/config.ts';
import { ResearchError } from '../errors.ts';
import { Admission } from '../evidence/admission.ts';
import { EvidenceRegistry } from '../evidence/registry.ts';
import { textsIn } from '../languages/texts.ts';
import { boundedSink } from '../calls/boundedStorage.ts';
import { CheckpointLog } from '../persistence/checkpointLog.ts';
import { Journal } from '../persistence/journal.ts';
import {
  type AttachedPort,
  type ChatModels,
  type Clock,
  type Log,
  type Reading,
  type ReportSink,
  type RunFolder,
  type SharedTurns,
  unwatched,
  attachedKind,
  type SourceKind,
} from '../ports.ts';
import type { OutgoingGuard } from '../policy/outgoing.ts';
import type { PriceTable } from '../settings/prices.ts';
import { RunBudget } from '../policy/runBudget.ts';
import { Drafts } from '../report/drafts.ts';
import { SourceChoice } from '../policy/sourceChoice.ts';
import type { ResearchTool, WorkspaceFacts } from '../tools.ts';
import { budgetLimits, budgetText, knownPrices, limitTime } from './limits.ts';
import { Reachability } from '../run/reachability.ts';
import type { RunContext } from '../run/runContext.ts';
import { RunEvents, type RunEventsOptions } from '../run/runEvents.ts';
import { Steering } from '../run/steering.ts';
import { SuppliedPages, type SuppliedPort } from '../run/supplied.ts';
import { type EmittedWarning, type Warning, withoutRepeats } from '../languages/warning.ts';

/** What a run is made of: the host brings the ports, the sources bring the tools. */
export interface RunParts {
  readonly settings: Settings;
  readonly analyst: Analyst;
  /** Without a model; arranges what was found when the analyst's model fails. */
  readonly fallback: Analyst;
  readonly models?: ChatModels | undefined;
  /** What is known of the model's trial. Absent: there is none, and the model leads. */
  readonly trial?: TrialPort | undefined;
  /** Default: every role's model does what the role needs. */
  readonly roleTrials?: readonly RoleTrial[] | undefined;
  readonly provider: string;
  readonly model: string | null;
  /** The program found the model's server by itself: a run without the model is as good. Default: the user chose it. */
  readonly isModelFound?: boolean | undefined;
  /**
   * Nobody watches: after a minute without the model's server the run continues without the model, and no plan is shown for what a model
   * makes of a question about a report. Default: false.
   */
  readonly isUnattended?: boolean | undefined;
  /** See `ModelTriesOptions`. */
  readonly turns?: SharedTurns | undefined;
  /** What the provider charges. Absent: nothing is published. */
  readonly prices?: PriceTable | undefined;
  readonly tools: readonly ResearchTool[];
  /** Kinds that documents of the tools may have; any other becomes one from outside. Absent: not checked. */
  readonly sourceKinds?: ReadonlySet<SourceKind> | undefined;
  readonly workspace?: WorkspaceFacts | undefined;
  /** See `RunContext`. */
  readonly isRareWord?: RunContext['isRareWord'];
  /** What of a tool call may leave the machine. Absent: everything. */
  readonly outgoing?: OutgoingGuard | undefined;
  /** What the user attached to the question. Absent for a resumed run, which has it in its journal. */
  readonly attached?: AttachedPort | undefined;
  /** Absent: no pages are given. */
  readonly supplied?: SuppliedPort | undefined;
  readonly folder: RunFolder;
  /** Default: what is read is not noted. */
  readonly reading?: Reading | undefined;
  readonly sink: ReportSink;
  readonly clock: Clock;
  readonly log: Log;
  readonly onEvent?: ((event: ResearchEvent) => void) | undefined;
  readonly finishSignal?: AbortSignal | undefined;
  /** See `ResearchCallbacks`. */
  readonly answerSignal?: AbortSignal | undefined;
  /** The connection is back after a pause: sources that could not be reached may be tried again. */
  readonly onReconnected?: (() => void) | undefined;
  /** Lines of the journal of a resumed run: its completed calls are not repeated. */
  readonly journal?: Iterable<string>;
  /** Lines of the checkpoints of a resumed run. */
  readonly checkpoints?: Iterable<string>;
  /** Events of a resumed run: numbers, tokens, time and warnings continue from there. */
  readonly events?: readonly ResearchEvent[];
}

/** A role with a model of its own, but for the second reader's: its controls say whether it counts. */
export type RoleTrial = TrialPort & { readonly role: 'research' | 'compression' | 'report'; readonly model: string };

/** Remembers the trials of models across runs. */
export interface TrialPort {
  /** Of the server and the model: another one has a trial of its own. */
  readonly name: string;
  /** Its server has the speed of the user's hardware. */
  readonly isLocal: boolean;
  /** Undefined: this model has had none. */
  readonly known: () => Promise<Tried | undefined>;
  /** Never rejects. */
  readonly learnt: (tried: Tried) => Promise<void>;
  /** What the folder has that a model may see: the tasks are made of it. Empty: nothing. Rejects only when aborted. */
  readonly texts: (signal: AbortSignal) => Promise<readonly string[]>;
}

export interface Run {
  readonly context: RunContext;
  /** Who thinks, with a model that is trusted so far. `wasRead`: see {@link FallbackOptions}. */
  readonly analystOf: (trust: Trust, wasRead: boolean) => Analyst;
  readonly checkpoints: CheckpointLog;
  /** Running time, the time before the run was resumed included, in milliseconds. */
  elapsedMs(): number;
  /** Resolves when every event so far is stored. */
  flushed(): Promise<void>;
  /** "Finish now" was requested before the run was resumed: it still holds. */
  finishAgain(): void;
  /** Forgets warnings from before the run was resumed, because what they are about is tried again. */
  forgetWarnings(isVoid: (warning: EmittedWarning) => boolean): void;
}

/**
 * @param language BCP 47, of the report.
 * @param controller Its signal ends every call of the run; the caller tunes and aborts it.
 */
export function createRun(
  parts: RunParts,
  run: string,
  created: string,
  language: string,
  controller: AbortController,
): Run {
  const { clock, folder, log, settings, tools, provider, model, models, isUnattended } = parts;
  const { workspace, isRareWord, reading = unwatched } = parts;
  const { signal } = controller;
  const sources = new SourceChoice(tools);
  const registry = new EvidenceRegistry();
  const steering = new Steering();
  // Between one call's end and the next one's start, code only computes: twice a model's silence is ample.
  const watchdog = new Watchdog({ stallMs: 2 * idleMsOf(settings), isBusy: (path) => calls.isBusy(path) });
  const { events, reachability, emit, warn } = reporting(parts, run, language, (error) => calls.refuses(error), [
    sources.see.bind(sources),
    (event) => steering.see(event),
    () => watchdog.progress(),
    askedObserver(parts.outgoing, registry),
  ]);
  const { storageProblem, warnings, tokens } = events;
  const finish = finishing(parts.finishSignal, signal);
  const journal = new Journal((line) => folder.appendCall(line).catch(storageProblem), parts.journal ?? []);
  const replay = new Replay(journal, clock);
  steering.begin({ replay, emit });
  const bounds = boundsOf(settings, { events, warn, hasFound: () => registry.all().length > 0, finish, signal });
  const { budget } = bounds;
  const local = tools.filter(({ traits }) => traits?.isLocal).map(({ source }) => source);
  const admission = new Admission(settings, new Set([attachedKind, ...local]));
  const calls = callsOf(parts, events, controller, {
    ...{ budget, timeLeft: bounds.timeLeft, replay, registry, emit, warn, reading, admission },
    finishSignal: finish.signal,
  });
  // Journalled like every decision of the user: a resumed run finishes early too.
  const observeFinish = (): void => void (bounds.isOutOfTime() || replay.observed('finish', () => true));
  finish.signal.addEventListener('abort', observeFinish, { once: true });
  const hasAnswered = (): boolean => calls.modelHasAnswered;
  const analystOf = thinking(parts, watchdog, hasAnswered);
  const context: RunContext = {
    ...{ run, created, settings, provider, model, models, prices: parts.prices ?? {}, texts: textsIn(language, 'run') },
    ...{ isUnattended, analyst: analystOf('leads', false), fallback: watched(parts.fallback, watchdog) },
    ...{ tools, isRareWord, sources, workspace, attached: [], calls, replay, watchdog, budget, clock, log, reading },
    prefetch: new Prefetch(signal),
    researchers: new Semaphore(settings['limits.maxConcurrentResearchers']),
    ...{ registry, supplied: new SuppliedPages(parts.events), admission },
    ...{ steering, drafts: new Drafts(), folder, sink: boundedSink(parts.sink) },
    ...{ emit, warn, warnings, tokens, usage: () => events.usage, isOffline: () => reachability.isOffline() },
    ...{ signal, finishSignal: finish.signal },
  };
  const appendCheckpoint = (line: string) => folder.appendCheckpoint(line).catch(storageProblem);
  return {
    ...{ context, analystOf },
    checkpoints: new CheckpointLog(appendCheckpoint, parts.checkpoints ?? []),
    elapsedMs: () => events.ms,
    flushed: () => events.flushed(),
    finishAgain: () => finish.abort(finishReason()),
    forgetWarnings: (isVoid) => events.forgetWarnings(isVoid),
  };
}

function thinking(
  { analyst, fallback, isModelFound = false }: RunParts,
  watchdog: Watchdog,
  hasAnswered: () => boolean,
): Run['analystOf'] {
  return (trust, wasRead) =>
    watched(withFallback(analyst, fallback, { trust, hasAnswered, wasRead, isModelFound }), watchdog);
}

function idleMsOf(settings: Settings): number {
  return settings['limits.idleSeconds'] * 1000;
}

/** The run's events and warnings, and what they say of the services. */
function reporting(
  { clock, log, folder, tools, onEvent, events: earlier }: RunParts,
  run: string,
  language: string,
  isRefused: (error: ResearchError) => boolean,
  observers: RunEventsOptions['observers'],
) {
  const events = new RunEvents({ run, language, clock, log, folder, observers, onEvent, earlier });
  const reachability = new Reachability(tools, events.warn);
  const warn = (warning: Warning, section?: string): void => {
    const said = withoutRepeats(warning, isRefused);
    reachability.warn(said, said === warning ? section : undefined);
  };
  const emit = (event: EventBody): void => {
    reachability.see(event);
    events.emit(event);
  };
  return { events, reachability, emit, warn };
}

interface Bounded {
  readonly events: RunEvents;
  readonly warn: (warning: Warning) => void;
  readonly hasFound: () => boolean;
  readonly finish: AbortController;
  /** Of the run. */
  readonly signal: AbortSignal;
}

/** The budget, and the time that is left; near its end the run narrows, at its end it finishes. */
function boundsOf(settings: Settings, { events, warn, hasFound, finish, signal }: Bounded) {
  const reached = (what: string) => (): void => warn({ kind: 'budget.reached', what });
  const budget = new RunBudget(budgetLimits(settings), events.spent, reached(budgetText(settings)));
  let isOutOfTime = false;
  const onNear = (): void => {
    isOutOfTime = true;
    reached(`${settings['budget.maxMinutes']} min`)();
    // What is still to be found is searched for without the model.
    budget.close();
  };
  const onEnd = (): void => finish.abort(finishReason());
  const timeLeft = limitTime(settings, { elapsedMs: () => events.ms, onNear, hasFound, onEnd }, signal);
  return { budget, timeLeft, isOutOfTime: () => isOutOfTime };
}

function callsOf(
  parts: RunParts,
  events: RunEvents,
  controller: AbortController,
  ports: Pick<
    CallsOptions,
    'budget' | 'timeLeft' | 'replay' | 'registry' | 'emit' | 'warn' | 'reading' | 'admission' | 'finishSignal'
  >,
): Calls {
  const { settings, prices = {}, clock, log, folder, sourceKinds, outgoing } = parts;
  const { answerSignal, onReconnected, isUnattended, turns } = parts;
  return new Calls({
    ...ports,
    ...{ clock, log, idleMs: idleMsOf(settings), sourceKinds, outgoing, answerSignal },
    ...{ onReconnected, isUnattended, turns },
    priceOf: knownPrices(settings, prices, ports.warn),
    saveEvidence: (source) => folder.saveEvidence(source.id, source.text).catch(events.storageProblem),
    answeredBefore: events.modelAnswered,
    counted: events.counted,
    maxContextTokens: settings['limits.maxContextTokens'],
    failRun: (error) => controller.abort(error),
  });
}

/** Passes on what the user wrote in this run, or has chosen: the question, answers, and what they changed in the plan. */
function askedObserver(...hearers: (Pick<OutgoingGuard, 'asked'> | undefined)[]): (event: EventBody) => void {
  const asked = (text: string): void => hearers.forEach((one) => one?.asked(text));
  let proposed: ReadonlySet<string> = new Set();
  return (event) => {
    if (event.type === 'run/started') asked(event.question);
    if (event.type === 'clarify/answered' && !event.isTaken) asked(event.answer ?? '');
    if (event.type === 'section/remark') asked(event.text ?? '');
    if (event.type === 'plan/proposed') proposed = new Set(wordsOfPlan(event.sections));
    if (event.type === 'plan/approved')
      asked(
        wordsOfPlan(event.sections)
          .filter((word) => !proposed.has(word))
          .join(' '),
      );
  };
}

function wordsOfPlan(sections: readonly { readonly title: string; readonly description: string }[]): string[] {
  return sections.flatMap(({ title, description }) => `${title} ${description}`.split(/\s+/));
}

/** "Finish now" with one reason, whatever requested it. It ends with the run. */
function finishing(requested: AbortSignal | undefined, ended: AbortSignal): AbortController {
  const finish = new AbortController();
  const pass = (): void => finish.abort(finishReason());
  if (requested?.aborted) pass();
  requested?.addEventListener('abort', pass, { once: true, signal: ended });
  return finish;
}

function finishReason(): ResearchError {
  return new ResearchError('finish', 'The research was finished early.');
}
