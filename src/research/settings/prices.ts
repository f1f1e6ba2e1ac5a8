import type { TokenUsage } from '../ports.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly in: number;
  readonly out: number;
  /** Tokens of a prompt that the provider's cache had; absent: as any other. */
  readonly cached?: number | undefined;
}

/** Prices by the beginning of a model's name: `gpt-4o` is also the price of `gpt-4o-2024-11-20`. The longest that fits counts. */
export type PriceTable = Readonly<Record<string, Price>>;

/** The month in which published prices were looked up. */
export const pricesAsOf = '2026-08';

/**
 * The price of a model: the user's own by its name, or by the beginning of it, before the published one. Undefined when none is
 * known.
 * @param own The setting `prices`.
 * @param published What the provider charges.
 */
export function priceOf(model: string, own: PriceTable, published: PriceTable): Price | undefined {
  const name = model.toLowerCase();
  return longest(own, name, () => true) ?? longest(published, name, isSnapshot);
}

/** `gpt-5` is no price of `gpt-5.2` or `gpt-5-mini`: what follows is the date or the kind of a snapshot. */
const isSnapshot = (rest: string): boolean => rest === '' || /^[-@:](?:\d|latest|chat-latest|preview)/.test(rest);

function longest(prices: PriceTable, name: string, fits: (rest: string) => boolean): Price | undefined {
  const keys = Object.keys(prices).filter((key) => {
    return name.startsWith(key.toLowerCase()) && fits(name.slice(key.length));
  });
  const [best] = keys.sort((a, b) => b.length - a.length);
  return best === undefined ? undefined : prices[best];
}

/** US dollars of a call. */
export function costOf({ in: tokensIn, out, cached }: Omit<TokenUsage, 'estimated'>, price: Price): number {
  const known = Math.min(cached, tokensIn);
  return ((tokensIn - known) * price.in + known * (price.cached ?? price.in) + out * price.out) / 1e6;
}
