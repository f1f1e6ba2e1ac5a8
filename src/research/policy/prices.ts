import type { TokenUsage } from '../ports.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly in: number;
  readonly out: number;
  /** Tokens of a prompt that the provider's cache had; absent: as any other. */
  readonly cached?: number | undefined;
}

/** The published prices of {@link published}, as far as they were known in this month. */
export const pricesAsOf = '2026-08';

/** By the beginning of a model's name: `gpt-4o` is also the price of `gpt-4o-2024-11-20`. The longest that fits counts. */
const published: Readonly<Record<string, Price>> = {
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
  'claude-haiku-4-5': { in: 1, cached: 0.1, out: 5 },
  'claude-sonnet-4': { in: 3, cached: 0.3, out: 15 },
  'claude-opus-4': { in: 15, cached: 1.5, out: 75 },
  'claude-opus-4-5': { in: 5, cached: 0.5, out: 25 },
  'claude-opus-4-6': { in: 5, cached: 0.5, out: 25 },
  'claude-opus-4-7': { in: 5, cached: 0.5, out: 25 },
  'claude-opus-4-8': { in: 5, cached: 0.5, out: 25 },
};

/** Providers to whom these prices are paid; a gateway or a server of one's own has prices of its own. */
const publishers: ReadonlySet<string> = new Set(['openai', 'anthropic']);

/**
 * The price of a model: the user's own by its name, or by the beginning of it, before the published one. Undefined when none is
 * known.
 * @param own The setting `prices`.
 */
export function priceOf(
  { provider, model }: { readonly provider: string; readonly model: string },
  own: Readonly<Record<string, Price>>,
): Price | undefined {
  const name = model.toLowerCase();
  const mine = longest(own, name, () => true);
  return mine ?? (publishers.has(provider) ? longest(published, name, isSnapshot) : undefined);
}

/** `gpt-5` is no price of `gpt-5.2` or `gpt-5-mini`: what follows is the date or the kind of a snapshot. */
const isSnapshot = (rest: string): boolean => rest === '' || /^[-@:](?:\d|latest|chat-latest|preview)/.test(rest);

function longest(
  prices: Readonly<Record<string, Price>>,
  name: string,
  fits: (rest: string) => boolean,
): Price | undefined {
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
