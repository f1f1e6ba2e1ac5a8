/**
 * The user's decision on the cards of one kind. The event that shows the card comes before the engine asks (its
 * checkpoint and record are written in between), so a click may come first: it counts for that card and for no later
 * one.
 */
export class CardDecision<T> {
  #asked: ((value: T) => void) | undefined;
  #early: { readonly card: string; readonly value: T } | undefined;

  /**
   * The engine asks. @param card What the shown card says, which identifies it; undefined: none of this kind is shown.
   */
  ask(card: string | undefined, resolve: (value: T) => void): void {
    const early = this.#early;
    this.#early = undefined;
    if (early && early.card === card) resolve(early.value);
    else this.#asked = resolve;
  }

  /** The user decides. @param card As above. */
  give(card: string | undefined, value: T): void {
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked) asked(value);
    else if (card !== undefined) this.#early = { card, value };
  }
}
