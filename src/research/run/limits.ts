import type { Settings } from '../config.ts';
import { priceOf, type Price, type PriceTable } from '../policy/prices.ts';
import { type BudgetLimits, reportReserve } from '../policy/runBudget.ts';
import type { ChatPort } from '../ports.ts';
import type { Warning } from './warning.ts';

/** How often the time is looked at, in milliseconds. */
const lookMs = 500;

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

/**
 * Calls `onNear` when of `budget.maxMinutes` only the report's part is left. Returns how many milliseconds the run may still
 * take.
 * @param elapsedMs Running time, the time before a resume included.
 */
export function limitTime(
  settings: Settings,
  elapsedMs: () => number,
  onNear: () => void,
  ended: AbortSignal,
): () => number {
  const limit = settings['budget.maxMinutes'] * 60_000;
  if (limit === 0) return () => Infinity;
  const look = setInterval(() => {
    if (elapsedMs() < limit * (1 - reportReserve)) return;
    clearInterval(look);
    onNear();
  }, lookMs);
  ended.addEventListener('abort', () => clearInterval(look), { once: true });
  return () => limit - elapsedMs();
}
