import { type ReadStatement, type Scope, statementNumber, type Verdict } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import type { Judgement, Statement, UnverifiedReason } from '../evidence/statement.ts';
import type { AnalystPort, CallPort, EventPort, LimitPort, ScopePlace, Turn } from '../run/runContext.ts';
import { verificationOf } from '../settings/config.ts';
import { estimateTokens } from '../text/estimateTokens.ts';
import { type Control, controlsOf, isReader, shuffled, type Tally, wantedControls } from './controls.ts';

/** What it needs of a run. */
export type ReaderPorts = Pick<AnalystPort, 'analyst'> &
  Pick<CallPort, 'replay' | 'clock'> &
  Pick<EventPort, 'tokens' | 'log'> &
  Pick<LimitPort, 'settings' | 'budget' | 'signal' | 'finishSignal'>;

export interface ReaderOptions {
  /** The scope of a step, with the signal that ends its calls. */
  readonly scopeAt: (place: ScopePlace, signal: AbortSignal) => Scope;
  /** How many texts it is expected to judge: the controls are spread over them. */
  readonly texts: number;
  /** The run does nothing but this check: no share of its tokens bounds it. */
  readonly isAlone?: boolean;
  /** Further passages that controls are made of. */
  readonly others?: readonly (readonly string[])[];
  /** How many controls the run has at least. Default: those of a report. */
  readonly controls?: number;
}

/** Readings of one statement in `thorough`. */
const readings = 3;
/** Tokens of the checks for each token of the rest of the run at `standard`: a quarter of all. */
const shareOfRest = 1 / 3;
/** Tokens of a call beside what it reads, and of the answer about one statement. */
const [fixedTokens, answerTokens] = [1_100, 45];
/** Tokens of statements and passages for each token of the statements, roughly. */
const passagesPerText = 4;
/** Waits before a call that failed is made again, in milliseconds; the call has been retried before, see `ModelTries`. */
const waits = [5_000, 20_000];
/** From what passages leave room for to what they don't: the middle one of three is the majority where there is one. */
const severity = [
  'supported',
  'inferred',
  'partly',
  'disputed',
  'absent',
  'contradicted',
] as const satisfies readonly Verdict['verdict'][];

/**
 * Judges the statements of a run's report beside their passages, in a context of its own. Controls are mixed in, which the model can't
 * tell: their answers, pooled over the run, decide at its end whether its judgements count.
 */
export class SecondReader {
  readonly #run: ReaderPorts;
  readonly #options: ReaderOptions;
  /** By section, or by path: a text that is written again takes the place of the one before, as it does when the run is resumed. */
  readonly #texts = new Map<string, Read>();
  /** Of its own calls, and what those in progress may take. */
  #tokens = 0;
  #planned = 0;

  constructor(run: ReaderPorts, options: ReaderOptions) {
    this.#run = run;
    this.#options = options;
  }

  /**
   * What is said of the statements of one text, by id. Nothing of it counts before {@link outcome}. Rejects only when the run is stopped.
   * @param place Of the text: a path of its own for each call.
   * @param turn With the last text the controls are mixed in that the run lacks so far; again: none.
   */
  async judge(
    place: ScopePlace,
    statements: readonly Statement[],
    turn: Turn = 'next',
  ): Promise<ReadonlyMap<string, Judgement>> {
    const { texts, controls: wanted = wantedControls } = this.#options;
    const share = Math.ceil(wanted / Math.max(1, texts) / 3) * 3;
    const lacking = Math.max(share, wanted - this.#answered().length);
    const controls = { next: share, last: lacking, again: 0 }[turn];
    const text: Read = { judged: new Map(), answered: [] };
    this.#texts.set(place.section ?? place.path, text);
    for (const [id, judgement] of await this.#judge(place, statements, controls, text.answered))
      text.judged.set(id, judgement);
    return text.judged;
  }

  /** Answers to controls so far, of each kind. */
  get controls(): Tally {
    const tally = (expected: Control['expected']) => {
      const all = this.#answered().filter((one) => one.expected === expected);
      return { right: all.filter(({ isRight }) => isRight).length, made: all.length };
    };
    return { supported: tally('supported'), absent: tally('absent'), contradicted: tally('contradicted') };
  }

  /** Whether the controls so far are answered as a reader answers them. */
  get isTrusted(): boolean {
    return isReader(this.controls);
  }

  /** All judgements, once the last text is judged: those of a reader that failed its controls are none. */
  outcome(): ReadonlyMap<string, Judgement> {
    const judged = [...this.#texts.values()].flatMap((text) => [...text.judged]);
    if (this.isTrusted) return new Map(judged);
    return new Map(judged.map(([id, one]) => [id, one.verdict === 'unverified' ? one : unverified('controls')]));
  }

  #answered(): Answered[] {
    return [...this.#texts.values()].flatMap(({ answered }) => answered);
  }

  async #judge(
    place: ScopePlace,
    statements: readonly Statement[],
    controls: number,
    answered: Answered[],
  ): Promise<ReadonlyMap<string, Judgement>> {
    const { analyst, settings, signal, finishSignal, log } = this.#run;
    const all = (reason: UnverifiedReason) => new Map(statements.map(({ id }) => [id, unverified(reason)]));
    const level = verificationOf(settings);
    if (level === 'off' || analyst.verify === undefined) return all('off');
    // Where nothing comes near a statement there is nothing to read.
    const read = statements.filter(({ passages }) => passages.length > 0);
    const judged = new Map<string, Judgement>(statements.map(({ id }) => [id, said('absent')]));
    if (read.length === 0) return judged;
    const asked = withControls(read, controls, place.path, this.#options.others);
    const answers = fixedTokens + asked.length * answerTokens;
    const { isOpen, most } = await this.#bounds(place.path, level, answers);
    if (!isOpen) return all('budget');
    const planned =
      answers + Math.min(most, estimateTokens(asked.map(({ text }) => text).join('\n')) * passagesPerText);
    this.#planned += planned;
    const count = level === 'thorough' ? readings : 1;
    try {
      const made = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          this.#read({ ...place, path: `${place.path}/check/${index + 1}` }, asked, most),
        ),
      );
      for (const entry of asked) {
        const verdict = middleOf(made.flatMap((one) => one.get(entry) ?? []));
        if (entry.id !== undefined) judged.set(entry.id, verdict ?? unverified('noAnswer'));
        else if (verdict) answered.push({ ...entry, isRight: verdict.verdict === entry.expected });
      }
      return judged;
    } catch (error) {
      signal.throwIfAborted();
      const failure = ResearchError.from(error);
      if (failure.hasReason('budget', 'finish') || finishSignal.aborted) return all('budget');
      log.warn(`The statements of ${place.path} could not be checked: ${failure.message}`);
      return all('noAnswer');
    } finally {
      this.#planned -= planned;
    }
  }

  /** Whether there is room for a check, and for how long a prompt; the same after a resume. */
  async #bounds(path: string, level: string, answers: number): Promise<Bounds> {
    const { replay, budget, finishSignal, tokens } = this.#run;
    const { value } = await replay.observed(`${path}/check`, (): Bounds => {
      const rest = tokens.in + tokens.out - this.#tokens;
      const left = Math.floor(rest * shareOfRest - this.#tokens - this.#planned - answers);
      return {
        isOpen: !budget.isNarrow && !finishSignal.aborted,
        most: level === 'thorough' || this.#options.isAlone ? Number.MAX_SAFE_INTEGER : Math.max(0, left),
      };
    });
    return value;
  }

  /** One reading, in an order of its own. */
  async #read(place: ScopePlace, asked: readonly Entry[], most: number): Promise<ReadonlyMap<Entry, Verdict>> {
    const { analyst, signal, finishSignal, clock } = this.#run;
    const groups = shuffled([...Map.groupBy(asked, ({ passages }) => keyOf(passages))], place.path, ([key]) => key);
    const order = groups.flatMap(([, entries]) => shuffled(entries, place.path, ({ text }) => text));
    const statements = order.map(({ text, passages }, place): ReadStatement => ({
      number: statementNumber(place),
      text,
      passages,
    }));
    const byNumber = new Map(order.map((entry, place) => [statementNumber(place), entry]));
    const ended = AbortSignal.any([signal, finishSignal]);
    const scope = this.#counted(this.#options.scopeAt(place, ended));
    for (let tried = 0; ; tried += 1) {
      try {
        const found = await analyst.verify!({ statements, most }, scope);
        scope.noteUse(found.size > 0 ? undefined : new ResearchError('badAnswer', 'The model judged nothing.'));
        return new Map([...found].map(([number, verdict]) => [byNumber.get(number)!, verdict]));
      } catch (error) {
        const wait = waits[tried];
        if (ended.aborted) throw error;
        if (wait === undefined || !ResearchError.is(error, 'rateLimit', 'network', 'streamBroken')) {
          scope.noteUse(ResearchError.from(error));
          throw error;
        }
        await clock.sleep(wait, ended);
      }
    }
  }

  #counted(scope: Scope): Scope {
    return {
      ...scope,
      model: async (...call) => {
        const answer = await scope.model(...call);
        this.#tokens += answer.usage.in + answer.usage.out;
        return answer;
      },
    };
  }
}

type Answered = Pick<Control, 'expected'> & { readonly isRight: boolean };

/** What was said of the statements of one text, and of its controls. */
interface Read {
  readonly judged: Map<string, Judgement>;
  readonly answered: Answered[];
}

/** A statement of the report, or a control. */
type Entry = { readonly text: string; readonly passages: readonly string[] } & (
  { readonly id: string; readonly expected?: never } | (Pick<Control, 'expected'> & { readonly id?: never })
);

function withControls(
  statements: readonly Statement[],
  count: number,
  salt: string,
  others: readonly (readonly string[])[] = [],
): readonly Entry[] {
  const own = statements.map(({ id, text, passages }) => ({ id, text, passages: passages.map((one) => one.text) }));
  const groups = new Map([...own.map(({ passages }) => passages), ...others].map((one) => [keyOf(one), one]));
  return [...own, ...controlsOf([...groups.values()], count, salt)];
}

interface Bounds {
  readonly isOpen: boolean;
  /** See `VerifyInput`. */
  readonly most: number;
}

const keyOf = (passages: readonly string[]): string => passages.join('\0');
const said = (verdict: Judgement['verdict']): Judgement => ({ verdict, words: '', correction: '' });
const unverified = (reason: UnverifiedReason): Judgement => ({ ...said('unverified'), reason });

/** Of two the severer one. */
function middleOf(verdicts: readonly Verdict[]): Verdict | undefined {
  const sorted = verdicts.toSorted((a, b) => severity.indexOf(a.verdict) - severity.indexOf(b.verdict));
  return sorted[Math.floor(sorted.length / 2)];
}
