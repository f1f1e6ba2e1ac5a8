/** What a run, or many, used. */
export interface Figures {
  /** In and out. */
  readonly tokens: number;
  /** In US dollars; null: the model has no known price. */
  readonly cost: number | null;
  /** Milliseconds in which it was running, over all its processes. */
  readonly ms: number;
}

export const noFigures: Figures = { tokens: 0, cost: 0, ms: 0 };

export function sumOf(all: Iterable<Figures>): Figures {
  let sum = noFigures;
  for (const { tokens, cost, ms } of all)
    sum = {
      tokens: sum.tokens + tokens,
      cost: sum.cost === null || cost === null ? null : sum.cost + cost,
      ms: sum.ms + ms,
    };
  return sum;
}

/** Limits of a batch, or of one of its questions. Absent: none. */
export interface Budget {
  readonly maxTokens?: number;
  /** Of running: questions in progress at once count each. */
  readonly maxMinutes?: number;
  /** In US dollars. */
  readonly maxCost?: number;
}

/** What a question counts for while it may still use its part of the budget. */
export function reserved(
  { tokens, cost, ms }: Figures,
  { maxTokens = 0, maxMinutes = 0, maxCost = 0 }: Budget,
): Figures {
  return {
    tokens: Math.max(tokens, maxTokens),
    ms: Math.max(ms, maxMinutes * 60_000),
    cost: cost === null && maxCost === 0 ? null : Math.max(cost ?? 0, maxCost),
  };
}

/**
 * An equal part of what is left of a batch's budget for each of the questions that haven't begun. Undefined: nothing is left.
 * @param used By all runs, with what those in progress may still use.
 */
export function shareOf(budget: Budget, used: Figures, questions: number): Budget | undefined {
  const left = (most: number | undefined, spent: number): number | undefined =>
    most === undefined ? undefined : (most - spent) / questions;
  const tokens = left(budget.maxTokens, used.tokens);
  const minutes = left(budget.maxMinutes, used.ms / 60_000);
  const cost = left(budget.maxCost, used.cost ?? 0);
  if ([tokens, minutes, cost].some((part) => part !== undefined && part <= 0)) return undefined;
  return {
    ...(tokens !== undefined && { maxTokens: Math.ceil(tokens) }),
    ...(minutes !== undefined && { maxMinutes: minutes }),
    ...(cost !== undefined && { maxCost: cost }),
  };
}
