import type { Phase } from '../../protocol/events.ts';
import type { Connection, Ticket } from './connection.ts';
import { isUnreachable, ResearchError } from '../errors.ts';
import type { ChatAnswer, ChatListener, ChatPort, ChatRequest, Clock, Log, SharedTurn, SharedTurns } from '../ports.ts';
import type { Warning } from '../languages/warning.ts';
import { estimateRequest, estimateTokens } from '../text/estimateTokens.ts';
import { RateLimit } from './rateLimit.ts';
import { untilAborted } from './waiting.ts';
import { Watch } from './watch.ts';

/** Limit of one model call, whatever it sends. */
const modelDeadlineMs = 15 * 60_000;
/** A longer wait that a model's server asks for pauses the whole run; see {@link longestHoldMs}. */
const longestWaitMs = 60_000;
/** Beyond this the run fails and can be resumed later. */
const longestHoldMs = 15 * 60_000;
/** How long a person waits without a sign of progress, in milliseconds. */
const newsMs = 15_000;
/** A call whose server answers small questions between, but stalls with this one, is at fault itself after so many pauses. */
const mostStalls = 3;
/** Steps in a row that a model may fail before it is not asked for more in its role. */
const mostInARow = 3;
/** "Finish now" waits for a writer only while so many tokens a second arrive, looked at each 2 s. */
const hurriedPace = 20;
const hurriedMs = 2_000;
/** For the first token of a model that is not known to write slower. One on the user's own machine that doesn't think has {@link hurriedMs}. */
const beginningMs = 10_000;
/** Tokens of an answer, before it is known. */
const usualAnswer = 1_000;

export interface ModelCall {
  /** Deterministic place of the call in the run: its key in the journal. */
  readonly key: string;
  readonly role: string;
  readonly phase: Phase;
  readonly port: ChatPort;
  readonly request: ChatRequest;
  readonly onText?: ((text: string) => void) | undefined;
  /** As a `ChatListener` is told. */
  readonly onWaiting?: (why: WaitReason) => void;
}

export type WaitReason = Parameters<NonNullable<ChatListener['onWaiting']>>[0];

export interface ModelTriesOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly warn: (warning: Warning) => void;
  /** Silence after which a call times out, in milliseconds. */
  readonly idleMs: number;
  /** "Finish now": research calls end at once, those of the report continue. */
  readonly finishSignal: AbortSignal;
  /** A model answered before the run was resumed, so that one that can't be reached is not a mistake in the settings. */
  readonly answeredBefore?: boolean;
  readonly random?: () => number;
  /** A call is slow: the tokens that have arrived, or what it waits for. */
  readonly onProgress?: (call: ModelCall, tokens: number, waiting?: WaitReason) => void;
  /** A try broke off after the server had begun to answer: what it took until then is lost. `text` is what came. */
  readonly onLost?: (call: ModelCall, text: string) => void;
  /** What other processes with the same key share. Absent: nothing. */
  readonly turns?: SharedTurns | undefined;
  /** Milliseconds that the run may still take; the report's calls end then. Absent: any. */
  readonly timeLeft?: () => number;
}

/** Makes one model call until it is answered or another try is pointless: deadline, silence, "finish now", retries, pause. */
export class ModelTries {
  readonly #options: ModelTriesOptions;
  readonly #connection: Connection;
  /**
   * What no further call to a model could change, by its name: a wrong key, no quota, no such model, no server; and by its role and
   * name, what a step failed with last that got nothing of use {@link mostInARow} times. A circuit breaker (Nygard, Release It!, 2007)
   * that stays open.
   */
  readonly #refused = new Map<string, ResearchError>();
  /** Steps in a row that got nothing of use, by the role and name of the model. */
  readonly #useless = new Map<string, number>();
  /** Tokens a second, between the first and the last of an answer, by the name of the model. */
  readonly #paces = new Map<string, number>();
  /** By the name of a model. */
  readonly #limits = new Map<string, RateLimit>();
  /** Until a model has answered in this run, one that can't be reached counts as a mistake in the settings. */
  hasAnswered: boolean;

  constructor(options: ModelTriesOptions, connection: Connection) {
    this.#options = options;
    this.#connection = connection;
    this.hasAnswered = options.answeredBefore ?? false;
  }

  /** The trial is made before the run: a model that answers nothing behind it is a mistake in the settings still. */
  noteAnswer(key: string): void {
    if (!key.startsWith('trial/')) this.hasAnswered = true;
  }

  /** A step got something of use from a model in a role, or failed with `error`. */
  noteUse(role: string, model: string, error?: ResearchError): void {
    // Time, money and the length of a prompt say nothing about the model.
    if (error?.hasReason('abort', 'finish', 'budget', 'contextLength', 'bug')) return;
    const name = `${role} ${model}`;
    const failures = error ? (this.#useless.get(name) ?? 0) + 1 : 0;
    this.#useless.set(name, failures);
    if (error && failures >= mostInARow) this.#refuse(name, error);
  }

  /** Whether this is why no further call is made to a model. */
  refuses(error: ResearchError): boolean {
    return [...this.#refused.values()].includes(error);
  }

  #refuse(name: string, error: ResearchError): ResearchError {
    const first = this.#refused.get(name) ?? error;
    this.#refused.set(name, first);
    return first;
  }

  /** Rejects with a `ResearchError`, or with `signal.reason` when stopped. */
  async answer(call: ModelCall, signal: AbortSignal): Promise<ChatAnswer> {
    const { finishSignal } = this.#options;
    // "Finish now" waits for the report: only a request that arrives while it is being written affects it.
    const hurried = call.phase === 'report' && finishSignal.aborted;
    const quit = hurried ? signal : AbortSignal.any([signal, finishSignal]);
    const ticket: Ticket = {};
    const tries: Tries = { network: 0, broken: 0, stalled: 0 };
    const refused = this.#refused.get(call.port.model) ?? this.#refused.get(`${call.role} ${call.port.model}`);
    if (refused) throw refused;
    if (hurried && this.#isSlow(call.port)) throw tooSlow(call);
    try {
      for (;;) {
        await this.#connection.pass(ticket, quit);
        const limit = this.#limitOf(call.port);
        const turn = hurried ? limit.pass() : await limit.enter(quit);
        // A caller that reads an object while it arrives has its beginning already, and gets the next one with the answer.
        const heard = this.#hear(call, tries.broken === 0 || call.request.json === undefined);
        const watch = this.#watchOf(call, signal, () => heard.received());
        try {
          const answer = await this.#once(call, heard, ticket, watch);
          this.#connection.reached(ticket);
          this.noteAnswer(call.key);
          this.#notePace(call, heard, answer.usage.out);
          turn.answered();
          heard.shared?.used(answer.usage.in + answer.usage.out);
          return answer;
        } catch (error) {
          if (signal.aborted) turn.left();
          signal.throwIfAborted();
          const thrown = ResearchError.from(error);
          const isFinal = thrown.hasReason('auth', 'quota', 'notFound');
          const failure = isFinal ? this.#refuse(call.port.model, thrown) : thrown;
          if (failure.reason === 'finish' && call.phase === 'report') this.#paces.set(call.port.model, 0);
          const limited = failure.reason === 'rateLimit' ? turn.refused(failure) : turn.left();
          if (failure.reason === 'rateLimit') heard.shared?.refused(failure.retryAfterMs ?? limited ?? longestWaitMs);
          if (heard.firstAt !== undefined && failure.hasReason('streamBroken', 'timeout'))
            this.#options.onLost?.(call, heard.shown);
          // Text that was shown must not appear twice: the caller decides how to continue. The beginning of an object may be read again.
          const isReadAgain = call.request.json !== undefined && failure.reason === 'streamBroken';
          if (heard.shown !== '' && !isReadAgain) throw failure;
          // "Finish now" waits for no other try: the report is made from the quotes. A call that took all of its time would again.
          if ((call.phase === 'report' && finishSignal.aborted) || watch.isExpired) throw failure;
          // A connection that died while the computer slept does not count as a try.
          if (watch.slept) tries.broken = 0;
          await this.#beforeNextTry(call, failure, limited ?? undefined, tries, ticket, quit);
        } finally {
          heard.shared?.arrived();
          watch.end();
        }
      }
    } finally {
      this.#connection.leave(ticket);
    }
  }

  /** Listens to one try, and notes what has arrived of it. */
  #hear(call: ModelCall, isPassedOn: boolean): Heard {
    const { clock } = this.#options;
    const news = this.#newsOf(call);
    const heard: Heard = {
      shown: '',
      firstAt: undefined,
      received: () => estimateTokens(heard.shown),
      onText:
        call.onText &&
        ((text) => {
          heard.shown += text;
          if (isPassedOn) call.onText!(text);
        }),
      onAlive: (received) => {
        heard.firstAt ??= clock.monotonic();
        heard.shared?.arrived();
        heard.received = received ?? heard.received;
        news(() => ({ tokens: received?.() ?? 0 }));
      },
      onWaiting: (why) => news(() => ({ tokens: 0, why })),
    };
    return heard;
  }

  #limitOf({ model }: ChatPort): RateLimit {
    const known = this.#limits.get(model);
    if (known) return known;
    const limit = new RateLimit(this.#options.clock, this.#options.random ?? Math.random);
    this.#limits.set(model, limit);
    return limit;
  }

  /** Waits before the next try. Rejects with the failure when another try is pointless. */
  async #beforeNextTry(
    call: ModelCall,
    failure: ResearchError,
    limitedMs: number | undefined,
    tries: Tries,
    ticket: Ticket,
    signal: AbortSignal,
  ): Promise<void> {
    const connection = this.#connection;
    // While the gate is closed, a stream that breaks or falls silent is one more sign that the server is gone.
    const isStalled =
      failure.reason === 'timeout' && tries.stalled < mostStalls && !(await this.#responds(call, signal));
    const isGone =
      isUnreachable(failure) || isStalled || (connection.isPaused && failure.hasReason('timeout', 'streamBroken'));
    const isKnown = isGone && (isStalled || connection.isPaused || !connection.isHopeful);
    const wait = isKnown ? undefined : (limitedMs ?? this.#waitBefore(failure, tries));
    if (wait !== undefined) {
      this.#options.log.info(`${call.key}: ${failure.reason}, again in ${Math.round(wait)} ms`);
      if (isUnreachable(failure)) connection.doubt(ticket);
      if (wait >= 2_000 && !isUnreachable(failure)) {
        this.#options.warn({ kind: 'model.retry', error: failure, seconds: Math.ceil(wait / 1000) });
      }
      // A limited model has a queue, in which the call waits for its turn.
      return limitedMs === undefined ? await this.#options.clock.sleep(wait, signal) : undefined;
    }
    if (!(isGone || isLongLimit(failure)) || !this.hasAnswered || !connection.isPatient) {
      connection.reached(ticket);
      throw isGone && (!connection.isHopeful || !this.hasAnswered) ? this.#refuse(call.port.model, failure) : failure;
    }
    this.#options.log.info(`${call.key}: ${failure.reason}, paused`);
    if (isStalled) tries.stalled += 1;
    // A server that takes connections and answers nothing gets a small question before the whole prompt again.
    do await connection.lost(ticket, failure, signal);
    while (isStalled && connection.isProbing(ticket) && !(await this.#responds(call, signal)));
    tries.network = 0;
  }

  /** Of a port that can't ask, and before the first answer, a silent call alone is at fault. */
  async #responds({ port }: ModelCall, signal: AbortSignal): Promise<boolean> {
    if (!port.responds || !this.hasAnswered || signal.aborted) return true;
    const responds = await port.responds(signal);
    // That an aborted question has no answer says nothing of the server.
    return responds || signal.aborted;
  }

  #watchOf(call: ModelCall, signal: AbortSignal, received: () => number): Watch {
    const { idleMs, finishSignal, clock } = this.#options;
    const writes = call.phase === 'report';
    const watch = new Watch(clock, writes ? [signal] : [signal, finishSignal]);
    const timeLeft = Math.max(1, this.#options.timeLeft?.() ?? Infinity);
    watch.deadline(
      Math.min(modelDeadlineMs, timeLeft),
      timeLeft < modelDeadlineMs
        ? 'The time of this run is used up (deepResearch.budget.maxMinutes).'
        : `The model "${call.port.model}" took longer than ${modelDeadlineMs / 60_000} minutes.`,
    );
    watch.idle(idleMs, `The model "${call.port.model}" was silent for ${Math.round(idleMs / 1000)} s.`);
    if (!writes) return watch;
    const least = (hurriedPace * hurriedMs) / 1000;
    const hurry = (): void => {
      // It has read its prompt, or thinks, before it writes: a model that is not known to be slow is given time to begin.
      const begins = received() === 0 && !this.#isSlow(call.port);
      const isLate = call.port.isLocal === true && call.port.thinks !== true;
      const first = begins ? { ms: isLate ? hurriedMs : beginningMs, least: 1 } : { ms: hurriedMs, least };
      watch.pace({ first, next: { ms: hurriedMs, least }, received }, tooSlow(call).message);
    };
    if (finishSignal.aborted) hurry();
    else finishSignal.addEventListener('abort', hurry, { once: true, signal: watch.ended });
    return watch;
  }

  #isSlow({ model }: ChatPort): boolean {
    return (this.#paces.get(model) ?? hurriedPace) < hurriedPace;
  }

  #notePace({ port }: ModelCall, { firstAt }: Heard, tokens: number): void {
    const writtenMs = this.#options.clock.monotonic() - (firstAt ?? Infinity);
    // Several answers at a time share a server: the fastest counts.
    if (writtenMs < hurriedMs / 2) return;
    this.#paces.set(port.model, Math.max(this.#paces.get(port.model) ?? 0, (tokens * 1000) / writtenMs));
  }

  async #once(call: ModelCall, heard: Heard, ticket: Ticket, watch: Watch): Promise<ChatAnswer> {
    const { onText } = heard;
    const { turns } = this.#options;
    const onSend =
      turns &&
      (async () => {
        heard.shared = await watch.hold(turns.take(estimateRequest(call.request) + usualAnswer, watch.signal));
      });
    const alive = (received?: () => number): void => {
      heard.onAlive(received);
      watch.alive();
      if (!this.#connection.isLimited) this.#connection.reached(ticket);
    };
    const onWaiting = (why: WaitReason): void => {
      heard.onWaiting(why);
      call.onWaiting?.(why);
      // Silence that is no fault: a queue at the server, a model that is being loaded, the first byte of a slow machine.
      watch.waiting();
      if (why === 'loading') this.#options.warn({ kind: 'model.loading', model: call.port.model });
    };
    const listen = {
      onAlive: alive,
      onWaiting,
      onSend,
      ...(onText ? { onText: (text: string) => (alive(), onText(text)) } : {}),
    };
    return await untilAborted(call.port.complete(call.request, listen, watch.signal), watch.signal);
  }

  /** Reports each 15 s what has arrived of a call. Text that is shown needs no report. */
  #newsOf(call: ModelCall): (state: () => { readonly tokens: number; readonly why?: WaitReason }) => void {
    const { clock, onProgress } = this.#options;
    let last = clock.monotonic();
    return (state) => {
      if (call.onText || clock.monotonic() - last < newsMs) return;
      last = clock.monotonic();
      const { tokens, why } = state();
      onProgress?.(call, tokens, why);
    };
  }

  /** How long to wait before the next try, in milliseconds; undefined: don't try again. Counts the tries of each kind. */
  #waitBefore(failure: ResearchError, tries: Tries): number | undefined {
    const jitter = 1 + 0.25 * (this.#options.random ?? Math.random)();
    switch (failure.reason) {
      case 'network': {
        const tried = tries.network++;
        // Until a model has answered once, an unreachable one is a mistake in the settings: reported within seconds.
        if (tried >= 2) return undefined;
        // A server that answers with an error gets more time than one that can't be reached: for the latter the run can pause.
        return (
          (this.hasAnswered ? (isUnreachable(failure) ? 500 * 3 ** tried : 1_000 * 4 ** tried) : 400 * 2 ** tried) *
          jitter
        );
      }
      case 'timeout':
      case 'streamBroken':
        return tries.broken++ < 1 ? 500 * jitter : undefined;
      default:
        return undefined;
    }
  }
}

/** One try as it is heard. */
interface Heard extends Required<Pick<ChatListener, 'onAlive' | 'onWaiting'>> {
  readonly onText: ChatListener['onText'] | undefined;
  /** Its text so far, when that is listened to. */
  shown: string;
  /** Its first sign of life, by the clock, in milliseconds. */
  firstAt: number | undefined;
  /** Of its last request. */
  shared?: SharedTurn;
  /** Tokens that have arrived. */
  received: () => number;
}

function tooSlow({ port }: ModelCall): ResearchError {
  return new ResearchError('finish', `The model "${port.model}" was too slow while the report was being finished.`);
}

/** Retries of one call so far, by their cause. */
interface Tries {
  network: number;
  broken: number;
  stalled: number;
}

/** The server asks for a wait that is long, but acceptable as a pause. */
function isLongLimit(failure: ResearchError): boolean {
  const wait = failure.retryAfterMs ?? 0;
  return failure.reason === 'rateLimit' && wait > longestWaitMs && wait <= longestHoldMs;
}
