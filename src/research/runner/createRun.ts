import type { EventBody, ResearchEvent } from '../../protocol/events.ts';
import type { Analyst } from '../analyst/analyst.ts';
import { withFallback } from '../analyst/withFallback.ts';
import { Prefetch } from '../run/prefetch.ts';
import { Calls } from '../calls/calls.ts';
import { Replay } from '../calls/replay.ts';
import { Semaphore } from '../calls/semaphore.ts';
import { Watchdog } from '../calls/watchdog.ts';
import { watched } from './watchedAnalyst.ts';
import type { Settings } from '../settings/config.ts';
import { ResearchError } from '../errors.ts';
import { Admission } from '../evidence/admission.ts';
import { EvidencePool } from '../evidence/pool.ts';
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
import { budgetLimits, budgetText, knownPrices, limitTime, type TimeLimit } from './limits.ts';
import { Reachability } from '../run/reachability.ts';
import type { RunContext } from '../run/runContext.ts';
import { RunEvents } from '../run/runEvents.ts';
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
  readonly provider: string;
  readonly model: string | null;
  /** What the provider charges. Absent: nothing is published. */
  readonly prices?: PriceTable | undefined;
  readonly tools: readonly ResearchTool[];
  /** Kinds that documents of the tools may have; any other becomes one from outside. Absent: not checked. */
  readonly sourceKinds?: ReadonlySet<SourceKind> | undefined;
  readonly workspace?: WorkspaceFacts | undefined;
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
  /** The connection is back after a pause: sources that could not be reached may be tried again. */
  readonly onReconnected?: (() => void) | undefined;
  /** Lines of the journal of a resumed run: its completed calls are not repeated. */
  readonly journal?: Iterable<string>;
  /** Lines of the checkpoints of a resumed run. */
  readonly checkpoints?: Iterable<string>;
  /** Events of a resumed run: numbers, tokens, time and warnings continue from there. */
  readonly events?: readonly ResearchEvent[];
}

export interface Run {
  readonly context: RunContext;
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
  const { clock, folder, log, settings, reading = unwatched } = parts;
  const idleMs = settings['limits.idleSeconds'] * 1000;
  // Between one call's end and the next one's start, code only computes: twice a model's silence is ample.
  const watchdog = new Watchdog({ stallMs: 2 * idleMs, isBusy: (path) => calls.isBusy(path) });
  const sources = new SourceChoice(parts.tools);
  const steering = new Steering();
  const events = new RunEvents({
    ...{ run, language, clock, log, folder },
    observers: [
      sources.see.bind(sources),
      (event) => steering.see(event),
      () => watchdog.progress(),
      askedObserver(parts.outgoing),
    ],
    onEvent: parts.onEvent,
    earlier: parts.events,
  });
  const { warnings, tokens, storageProblem } = events;
  const reachability = new Reachability(parts.tools, events.warn);
  const warn = (warning: Warning, section?: string): void => {
    const said = withoutRepeats(warning);
    reachability.warn(said, said === warning ? section : undefined);
  };
  const emit = (event: EventBody): void => {
    reachability.see(event);
    events.emit(event);
  };
  const registry = new EvidenceRegistry();
  const local = parts.tools.filter(({ traits }) => traits?.isLocal).map(({ source }) => source);
  const admission = new Admission(settings, new Set([attachedKind, ...local]));
  const finish = finishing(parts.finishSignal, controller.signal);
  const journal = new Journal((line) => folder.appendCall(line).catch(storageProblem), parts.journal ?? []);
  const replay = new Replay(journal, clock);
  steering.begin({ replay, emit });
  const budgetReached = (what: string) => (): void => warn({ kind: 'budget.reached', what });
  const budget = new RunBudget(budgetLimits(settings), events.spent, budgetReached(budgetText(settings)));
  let isOutOfTime = false;
  const timeLimit: TimeLimit = {
    elapsedMs: () => events.ms,
    onNear: () => {
      isOutOfTime = true;
      budgetReached(`${settings['budget.maxMinutes']} min`)();
      // What is still to be found is searched for without the model.
      budget.close();
    },
    hasFound: () => registry.all().length > 0,
    onEnd: () => finish.abort(finishReason()),
  };
  const timeLeft = limitTime(settings, timeLimit, controller.signal);
  const calls: Calls = new Calls({
    ...{ budget, timeLeft, priceOf: knownPrices(settings, parts.prices ?? {}, warn) },
    ...{ clock, log, replay, registry, emit, warn, idleMs, reading },
    saveEvidence: (source) => folder.saveEvidence(source.id, source.text).catch(storageProblem),
    finishSignal: finish.signal,
    answeredBefore: events.modelAnswered,
    counted: events.counted,
    maxContextTokens: settings['limits.maxContextTokens'],
    sourceKinds: parts.sourceKinds,
    admission,
    outgoing: parts.outgoing,
    failRun: (error) => controller.abort(error),
    onReconnected: parts.onReconnected,
  });
  // Journalled like every decision of the user: a resumed run finishes early too.
  const observeFinish = (): void => void (isOutOfTime || replay.observed('finish', () => true));
  finish.signal.addEventListener('abort', observeFinish, { once: true });
  const context: RunContext = {
    ...{
      run,
      created,
      settings,
      registry,
      replay,
      steering,
      calls,
      folder,
      clock,
      log,
      watchdog,
      emit,
      warn,
      warnings,
      tokens,
      reading,
    },
    budget,
    usage: () => events.usage,
    isOffline: () => reachability.isOffline(),
    texts: textsIn(language, 'run'),
    analyst: watched(
      withFallback(parts.analyst, parts.fallback, { hasAnswered: () => calls.modelHasAnswered }),
      watchdog,
    ),
    fallback: watched(parts.fallback, watchdog),
    models: parts.models,
    tools: parts.tools,
    sources,
    workspace: parts.workspace,
    attached: [],
    prefetch: new Prefetch(controller.signal),
    pool: new EvidencePool(registry),
    supplied: new SuppliedPages(parts.events),
    admission,
    researchers: new Semaphore(settings['limits.maxConcurrentResearchers']),
    drafts: new Drafts(),
    sink: boundedSink(parts.sink),
    provider: parts.provider,
    model: parts.model,
    prices: parts.prices ?? {},
    signal: controller.signal,
    finishSignal: finish.signal,
  };
  const appendCheckpoint = (line: string) => folder.appendCheckpoint(line).catch(storageProblem);
  return {
    context,
    checkpoints: new CheckpointLog(appendCheckpoint, parts.checkpoints ?? []),
    elapsedMs: () => events.ms,
    flushed: () => events.flushed(),
    finishAgain: () => finish.abort(finishReason()),
    forgetWarnings: (isVoid) => events.forgetWarnings(isVoid),
  };
}

/** What the user wrote in this run: the question, answers, and what they changed in the plan. */
function askedObserver(outgoing: OutgoingGuard | undefined): (event: EventBody) => void {
  let proposed: ReadonlySet<string> = new Set();
  return (event) => {
    if (event.type === 'run/started') outgoing?.asked(event.question);
    if (event.type === 'clarify/answered') outgoing?.asked(event.answer ?? '');
    if (event.type === 'section/remark') outgoing?.asked(event.text ?? '');
    if (event.type === 'plan/proposed') proposed = new Set(wordsOfPlan(event.sections));
    if (event.type === 'plan/approved')
      outgoing?.asked(
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
