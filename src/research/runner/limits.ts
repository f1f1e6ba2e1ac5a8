import type { Settings } from '../settings/config.ts';
import { priceOf, type Price, type PriceTable } from '../settings/prices.ts';
import { type BudgetLimits, reportReserve } from '../policy/runBudget.ts';
import type { ChatPort } from '../ports.ts';
import type { Warning } from '../languages/warning.ts';

/** How often the time is looked at beside the beginnings of calls, in milliseconds; sooner where the report's part is short. */
const lookMs = { most: 500, least: 10 } as const;

export function budgetLimits(settings: Settings): BudgetLimits {
  const orNone = (value: number): number => (value > 0 ? value : Infinity);
  return { tokens: orNone(settings['budget.maxTokens']), cost: orNone(settings['budget.maxCost']) };
}

/** The budgets in words, for a warning: "100,000 tokens, 0.5 USD". */
export function budgetText(settings: Settings): string {
  const { tokens, cost } = budgetLimits(settings);
  const parts = [
    ...(tokens === Infinity ? [] : [`${tokens.toLocaleString('en')} tokens`]),
    ...(cost === Infinity ? [] : [`${cost} USD`]),
  ];
  return parts.join(', ');
}

/** The price of a model's calls; one that is missing although the cost is limited is a warning. */
export function knownPrices(
  settings: Settings,
  published: PriceTable,
  warn: (warning: Warning) => void,
): (port: Pick<ChatPort, 'model'>) => Price | undefined {
  return (port) => {
    const price = priceOf(port.model, settings.prices, published);
    if (price === undefined && settings['budget.maxCost'] > 0) warn({ kind: 'budget.noPrice', model: port.model });
    return price;
  };
}

export interface TimeLimit {
  /** Running time, the time before a resume included, in milliseconds. */
  readonly elapsedMs: () => number;
  /** Only the report's part is left. */
  readonly onNear: () => void;
  /** Something was found, so that there is a report to write. */
  readonly hasFound: () => boolean;
  /** Called after `onNear`, as soon as something was found. */
  readonly onEnd: () => void;
}

/** Watches `budget.maxMinutes`. Returns how many milliseconds the run may still take. */
export function limitTime(
  settings: Settings,
  { elapsedMs, onNear, hasFound, onEnd }: TimeLimit,
  ended: AbortSignal,
): () => number {
  const limit = settings['budget.maxMinutes'] * 60_000;
  if (limit === 0) return () => Infinity;
  let state: 'running' | 'near' | 'ended' = 'running';
  const look = (): void => {
    if (state === 'running' && elapsedMs() >= limit * (1 - reportReserve)) {
      state = 'near';
      onNear();
    }
    if (state !== 'near' || !hasFound()) return;
    state = 'ended';
    clearInterval(timer);
    onEnd();
  };
  const timer = setInterval(look, Math.max(lookMs.least, Math.min(lookMs.most, (limit * reportReserve) / 4)));
  ended.addEventListener('abort', () => clearInterval(timer), { once: true });
  return () => {
    look();
    return limit - elapsedMs();
  };
}
