import { fingerprint, isNearDuplicate, shownCount, type Fingerprint } from './choosePassages.ts';

/** Below this a section reads as if nothing much was found. */
const shortSection = 3;

interface Quote {
  readonly text: string;
  /** How well it suits the section. */
  readonly score: number;
}

/** A section that wants quotes. */
export interface Bidder<Q extends Quote> {
  /** Best first. */
  readonly candidates: readonly Q[];
  readonly target: number;
  /** What it gets, best first. */
  readonly shown: Q[];
}

/**
 * Gives each sentence to one section: in turns, every section takes the best sentence that suits no other one better and that
 * says nothing which stands in the report already. A section that would stay short takes what others would rather have.
 */
export function allocateQuotes<Q extends Quote>(bidders: readonly Bidder<Q>[], gone: readonly Quote[] = []): void {
  const prints: Fingerprint[] = gone.map(({ text }) => fingerprint(text));
  const scores = bidders.map(({ candidates }) => new Map(candidates.map(({ text, score }) => [text, score])));
  const taken = new Set(gone.map(({ text }) => text));
  const isWantedMore = (text: string, number: number): boolean =>
    bidders.some(
      (other, index) =>
        index !== number &&
        other.shown.length < other.target &&
        (scores[index]!.get(text) ?? 0) > scores[number]!.get(text)!,
    );
  const take = (number: number, leaves: (text: string) => boolean): boolean => {
    for (const quote of bidders[number]!.candidates) {
      if (taken.has(quote.text) || leaves(quote.text)) continue;
      taken.add(quote.text);
      const print = fingerprint(quote.text);
      if (prints.some((other) => isNearDuplicate(other, print))) continue;
      prints.push(print);
      bidders[number]!.shown.push(quote);
      return true;
    }
    return false;
  };
  // The poorest section chooses first: what it has to choose from is soon gone. With little in all nobody goes
  // begging, and a handful stays together in the section that comes first.
  const isThin = distinctQuotes(bidders) < bidders.length * shortSection;
  const isTiny = distinctQuotes(bidders) <= shownCount('quick', false);
  const order = [...bidders.keys()].sort(
    (a, b) => (isThin ? 0 : bidders[a]!.candidates.length - bidders[b]!.candidates.length) || a - b,
  );
  for (let open = true; open;) {
    open = false;
    for (const number of order) {
      const { shown, target } = bidders[number]!;
      if (shown.length >= target) continue;
      const took =
        take(number, (text) => !isTiny && isWantedMore(text, number)) ||
        (!isThin && shown.length < shortSection && take(number, () => false));
      open = took || open;
      if (took && isTiny) break;
    }
  }
}

export function distinctQuotes(bidders: readonly Bidder<Quote>[]): number {
  return new Set(bidders.flatMap(({ candidates }) => candidates.map(({ text }) => text))).size;
}
