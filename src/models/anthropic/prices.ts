import type { PriceTable } from '../../research/settings/prices.ts';

/** Published prices of Anthropic, as of `pricesAsOf`. */
export const prices: PriceTable = {
  'claude-haiku-4-5': { in: 1, cached: 0.1, out: 5 },
  'claude-sonnet-4': { in: 3, cached: 0.3, out: 15 },
  'claude-opus-4': { in: 15, cached: 1.5, out: 75 },
  'claude-opus-4-5': { in: 5, cached: 0.5, out: 25 },
  'claude-opus-4-6': { in: 5, cached: 0.5, out: 25 },
  'claude-opus-4-7': { in: 5, cached: 0.5, out: 25 },
  'claude-opus-4-8': { in: 5, cached: 0.5, out: 25 },
};
