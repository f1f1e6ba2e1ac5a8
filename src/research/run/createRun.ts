import type { EventBody, ResearchEvent } from '../../protocol/events.ts';
import type { Analyst } from '../analyst/analyst.ts';
import { boundedSink } from '../persistence/boundedStorage.ts';
import { Calls } from '../calls/calls.ts';
import { CheckpointLog } from '../persistence/checkpointLog.ts';
import type { Settings } from '../config.ts';
import { ResearchError } from '../errors.ts';
import { EvidencePool } from '../evidence/pool.ts';
import { EvidenceRegistry } from '../evidence/registry.ts';
import { Journal } from '../persistence/journal.ts';
import type { ChatModels, Clock, Log, ReportSink, RunFolder } from '../ports.ts';
import type { RunContext } from './runContext.ts';
import { SourceChoice } from '../section/sourceChoice.ts';
import { Semaphore } from '../calls/semaphore.ts';
import type { ResearchTool, SourceKind, WorkspaceFacts } from '../tools.ts';
import { watched, Watchdog } from '../calls/watchdog.ts';

/** What a run is made of: the host brings the ports, the sources bring the tools. */
export interface RunParts {
  readonly settings: Settings;
  readonly analyst: Analyst;
  /** Without a model; arranges what was found when the analyst's model fails. */
  readonly fallback: Analyst;
  readonly models?: ChatModels | undefined;
  readonly provider: string;
  readonly model: string | null;
  readonly tools: readonly ResearchTool[];
  /** Kinds that documents of the tools may have; any other becomes one from outside. Absent: not checked. */
  readonly sourceKinds?: ReadonlySet<SourceKind> | undefined;
  readonly workspace?: WorkspaceFacts | undefined;
  readonly folder: RunFolder;
  readonly sink: ReportSink;
  readonly clock: Clock;
  readonly log: Log;
  readonly onEvent?: ((event: ResearchEvent) => void) | undefined;
  readonly finishSignal?: AbortSignal | undefined;
  /** The connection is back after a pause: what was found out of reach meanwhile may be tried again. */
  readonly onReconnected?: (() => void) | undefined;
  /** Lines of the journal of an earlier life of the run: its finished calls are not made again. */
  readonly journal?: Iterable<string>;
  /** Lines of the checkpoints of an earlier life. */
  readonly checkpoints?: Iterable<string>;
  /** Events of an earlier life: numbers, tokens and warnings go on from there. */
  readonly events?: readonly ResearchEvent[];
}

export interface Run {
  readonly context: RunContext;
  readonly checkpoints: CheckpointLog;
  /** Resolves when every event so far is stored. */
  flushed(): Promise<void>;
  /** "Finish now" was said in an earlier life of the run: it stands. */
  finishAgain(): void;
  /** Forgets warnings of an earlier life, by their codes: what they tell of is tried again. */
  forgetWarnings(codes: RegExp): void;
}

/** Warnings that mean something else in each life of a run: a disk that is full again, another setting that has changed. */
const aboutLife = /^(?:storage$|resume\.|settings\.)/;

/** @param controller Its signal ends every call of the run; the caller tunes and aborts it. */
export function createRun(parts: RunParts, run: string, created: string, controller: AbortController): Run {
  const { clock, folder, log } = parts;
  const warnings: { code: string; message: string; section?: string }[] = [];
  const tokens = { in: 0, out: 0, cached: 0 };
  const told = new Set<string>();
  let seq = 0;
  let answeredBefore = false;
  const sources = new SourceChoice(parts.tools);
  const count = (event: ResearchEvent): void => {
    sources.see(event);
    seq = Math.max(seq, event.seq);
    if (event.type === 'source/added') told.add(event.id);
    if (event.type === 'usage') {
      answeredBefore = true;
      tokens.in += event.tokens.in;
      tokens.out += event.tokens.out;
      tokens.cached += event.tokens.cached;
    }
    if (event.type === 'run/warning') {
      const { code, message, section } = event;
      warnings.push({ code, message, ...(section === undefined ? {} : { section }) });
    }
  };
  parts.events?.forEach(count);
  /** Number of the warnings that an earlier life gave. */
  let earlier = warnings.length;
  // Between a call's end and the next one's beginning there is little but thinking of code: twice the silence of a model is ample.
  const watchdog = new Watchdog({
    stallMs: 2_000 * parts.settings['limits.idleSeconds'],
    isBusy: (path) => calls.isBusy(path),
  });
  let stored: Promise<void> = Promise.resolve();
  let storageFailed = false;
  let ended = false;

  const emit = (body: EventBody): void => {
    // A run that goes on finds the sources of its earlier life again.
    if (body.type === 'source/added' && told.has(body.id)) return;
    // Branches that a stop or a failure cut off may still say something: the run's end is its last word.
    if (ended) return;
    ended = isEnd(body);
    const event = { ...body, run, seq: seq + 1, at: clock.now().toISOString() };
    count(event);
    watchdog.progress();
    // The folder keeps the order: lines that come together are written together.
    const appended = folder.appendEvent(event).catch((error: unknown) => storageProblem(error));
    stored = Promise.all([stored, appended]).then(() => undefined);
    parts.onEvent?.(event);
  };
  const warn = (code: string, message: string, section?: string): void => {
    const isKnown = warnings.some(
      (warning, index) =>
        warning.code === code &&
        warning.section === section &&
        (index >= earlier || warning.message === message || !aboutLife.test(code)),
    );
    if (isKnown) return;
    emit({ type: 'run/warning', code, message, ...(section === undefined ? {} : { section }) });
  };
  // A full disk costs the run's history, not the run: it is said once, and the run goes on in memory.
  const storageProblem = (error: unknown): void => {
    const { message } = ResearchError.from(error);
    log.error(`run folder: ${message}`);
    if (storageFailed) return;
    storageFailed = true;
    warn('storage', `The run's folder can't be written, so this run is not kept: ${message}`);
  };

  const registry = new EvidenceRegistry();
  const journal = new Journal((line) => folder.appendCall(line).catch(storageProblem), parts.journal ?? []);
  const finish = finishing(parts.finishSignal, controller.signal);
  const finishSignal = finish.signal;
  const idleMs = parts.settings['limits.idleSeconds'] * 1000;
  const calls: Calls = new Calls({
    clock,
    log,
    journal,
    registry,
    emit,
    saveEvidence: (source) => folder.saveEvidence(source.id, source.text).catch(storageProblem),
    idleMs,
    finishSignal,
    answeredBefore,
    sourceKinds: parts.sourceKinds,
    giveUp: (error) => controller.abort(error),
    onBack: parts.onReconnected,
  });
  // Like every word of the user: a life of the run that ends before the report does not take it along.
  finishSignal.addEventListener('abort', () => void calls.observed('finish', () => true), { once: true });
  const context: RunContext = {
    run,
    settings: parts.settings,
    analyst: watched(parts.analyst, watchdog),
    fallback: watched(parts.fallback, watchdog),
    models: parts.models,
    tools: parts.tools,
    sources,
    workspace: parts.workspace,
    registry,
    pool: new EvidencePool(registry),
    calls,
    researchers: new Semaphore(parts.settings['limits.maxConcurrentResearchers']),
    folder,
    sink: boundedSink(parts.sink),
    clock,
    log,
    provider: parts.provider,
    model: parts.model,
    created,
    signal: controller.signal,
    finishSignal,
    watchdog,
    emit,
    warn,
    warnings,
    tokens,
  };
  return {
    context,
    finishAgain: () => finish.abort(finishReason()),
    forgetWarnings(codes) {
      const kept = warnings.slice(0, earlier).filter(({ code }) => !codes.test(code));
      warnings.splice(0, earlier, ...kept);
      earlier = kept.length;
    },
    checkpoints: new CheckpointLog(
      (line) => folder.appendCheckpoint(line).catch(storageProblem),
      parts.checkpoints ?? [],
    ),
    async flushed() {
      // Storing may itself add an event (the warning that storing failed).
      for (let before: Promise<void> | undefined; before !== stored;) {
        before = stored;
        await before;
      }
    },
  };
}

function isEnd({ type, ...body }: EventBody): boolean {
  return (
    type === 'run/finished' ||
    type === 'run/failed' ||
    type === 'run/cancelled' ||
    (type === 'run/paused' && 'reason' in body && body.reason === 'needsAnswer')
  );
}

/** "Finish now" with one reason, whoever says it and however. It ends with the run. */
function finishing(asked: AbortSignal | undefined, ended: AbortSignal): AbortController {
  const finish = new AbortController();
  const pass = (): void => finish.abort(finishReason());
  if (asked?.aborted) pass();
  asked?.addEventListener('abort', pass, { once: true, signal: ended });
  return finish;
}

function finishReason(): ResearchError {
  return new ResearchError('finish', 'The research was finished early.');
}
