import type { PriceTable } from '../../research/settings/prices.ts';

/** Published prices of OpenAI, as of `pricesAsOf`. */
export const prices: PriceTable = {
  'gpt-4o': { in: 2.5, cached: 1.25, out: 10 },
  'gpt-4o-mini': { in: 0.15, cached: 0.075, out: 0.6 },
  'gpt-4.1': { in: 2, cached: 0.5, out: 8 },
  'gpt-4.1-mini': { in: 0.4, cached: 0.1, out: 1.6 },
  'gpt-4.1-nano': { in: 0.1, cached: 0.025, out: 0.4 },
  'gpt-5': { in: 1.25, cached: 0.125, out: 10 },
  'gpt-5-mini': { in: 0.25, cached: 0.025, out: 2 },
  'gpt-5-nano': { in: 0.05, cached: 0.005, out: 0.4 },
  'gpt-5-pro': { in: 15, out: 120 },
  'gpt-5.1': { in: 1.25, cached: 0.125, out: 10 },
  'gpt-5.2': { in: 1.75, cached: 0.175, out: 14 },
  'gpt-5.2-pro': { in: 21, out: 168 },
  'gpt-5.4': { in: 2.5, cached: 0.25, out: 15 },
  'gpt-5.4-mini': { in: 0.75, cached: 0.075, out: 4.5 },
  'gpt-5.4-nano': { in: 0.2, cached: 0.02, out: 1.25 },
  'gpt-5.4-pro': { in: 30, out: 180 },
  'gpt-5.5': { in: 5, cached: 0.5, out: 30 },
  'gpt-5.5-pro': { in: 30, out: 180 },
  o3: { in: 2, cached: 0.5, out: 8 },
  'o3-mini': { in: 1.1, cached: 0.55, out: 4.4 },
  'o4-mini': { in: 1.1, cached: 0.275, out: 4.4 },
};
