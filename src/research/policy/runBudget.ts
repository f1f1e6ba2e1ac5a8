import type { Phase } from '../../protocol/events.ts';
import { ResearchError } from '../errors.ts';
import type { TokenUsage } from '../ports.ts';
import { costOf, type Price } from '../settings/prices.ts';

/** Part of a budget that only the report may use. */
export const reportReserve = 0.15;
/** Part of what is left for the research from which on it narrows: nothing is sent back, no further round begins. */
const narrowFrom = 0.7;
/** Real tokens of a prompt for each estimated one, until a model has shown its own ratio. */
const usualRatio = 1.1;

export interface BudgetLimits {
  /** Infinity: none. */
  readonly tokens: number;
  /** US dollars. Infinity: none. */
  readonly cost: number;
}

export interface Spent {
  readonly tokens: number;
  readonly cost: number;
}

/** A call before it is sent. */
export interface PlannedCall {
  readonly model: string;
  readonly phase: Phase;
  /** Estimated tokens of the prompt. */
  readonly promptTokens: number;
  /** Limit of the answer; undefined: none is known. */
  readonly maxTokens: number | undefined;
  readonly price: Price | undefined;
}

/** What one call takes at most. */
interface Reservation extends Spent {
  readonly call: PlannedCall;
}

/** An answer whose limit is unknown. In tokens. */
const unknownAnswer = 8_000;

/**
 * The run's budget of tokens and money. Every call reserves what it may take at most before it is sent, so that all calls in
 * progress together stay within it; what they really took is counted when they end. Calls of the research are refused while a
 * part is left for the report.
 */
export class RunBudget {
  readonly #limits: BudgetLimits;
  /** What was spent so far, runs before a resume included. */
  readonly #spent: () => Spent;
  readonly #onReached: () => void;
  readonly #open = new Set<Reservation>();
  /** The largest ratio of real to estimated tokens of a prompt, and what answers took beyond their limit, by model. */
  readonly #ratios = new Map<string, number>();
  readonly #excess = new Map<string, number>();
  #isReached = false;
  #isClosed = false;

  /** @param onReached Called once, when the first call is refused. */
  constructor(limits: BudgetLimits, spent: () => Spent, onReached: () => void) {
    this.#limits = limits;
    this.#spent = spent;
    this.#onReached = onReached;
  }

  /** Near the limit: what is in progress ends, nothing optional begins. */
  get isNarrow(): boolean {
    const { tokens, cost } = this.#taken();
    const share = (1 - reportReserve) * narrowFrom;
    return (
      this.#isReached || this.#isClosed || tokens > this.#limits.tokens * share || cost > this.#limits.cost * share
    );
  }

  /** Tokens that a prompt and its answer may still take: of the research, or of the report. */
  tokensLeft(phase: Phase): number {
    const { tokens } = this.#taken();
    return Math.max(0, (this.#limits.tokens * this.#share(phase) - tokens) / usualRatio);
  }

  /** From now on only the report's calls are made. */
  close(): void {
    this.#isClosed = true;
  }

  /** Reserves what the call may take. Throws `budget` when that is not left. The returned function settles what it really took. */
  reserve(call: PlannedCall): (usage?: TokenUsage) => void {
    if (this.#isClosed && call.phase !== 'report') throw reached();
    const reservation = this.#most(call);
    const taken = this.#taken();
    const share = this.#share(call.phase);
    if (
      taken.tokens + reservation.tokens > this.#limits.tokens * share ||
      taken.cost + reservation.cost > this.#limits.cost * share
    ) {
      if (!this.#isReached) this.#onReached();
      this.#isReached = true;
      throw reached();
    }
    this.#open.add(reservation);
    return (usage) => {
      this.#open.delete(reservation);
      if (usage && !usage.estimated) this.#learn(call, usage);
    };
  }

  #share(phase: Phase): number {
    return phase === 'report' ? 1 : 1 - reportReserve;
  }

  #most(call: PlannedCall): Reservation {
    const tokensIn = Math.ceil(call.promptTokens * (this.#ratios.get(call.model) ?? usualRatio));
    const out = (call.maxTokens ?? unknownAnswer) + (this.#excess.get(call.model) ?? 0);
    const cost = call.price ? costOf({ in: tokensIn, out, cached: 0 }, call.price) : 0;
    return { call, tokens: tokensIn + out, cost };
  }

  #taken(): Spent {
    let { tokens, cost } = this.#spent();
    for (const open of this.#open) {
      tokens += open.tokens;
      cost += open.cost;
    }
    return { tokens, cost };
  }

  #learn({ model, promptTokens, maxTokens }: PlannedCall, { in: tokensIn, out }: TokenUsage): void {
    // A short prompt says little: a server's own template is a large part of it.
    if (promptTokens > 200)
      this.#ratios.set(model, Math.max(this.#ratios.get(model) ?? usualRatio, tokensIn / promptTokens));
    const over = out - (maxTokens ?? unknownAnswer);
    if (over > (this.#excess.get(model) ?? 0)) this.#excess.set(model, over);
  }
}

function reached(): ResearchError {
  return new ResearchError('budget', 'What is left of the budget of this run is not enough for this call.', {
    next: 'Raise deepResearch.budget.maxTokens, deepResearch.budget.maxCost or deepResearch.budget.maxMinutes.',
  });
}
