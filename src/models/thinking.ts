const opening = /^\s*<(think|thinking|reasoning)>/i;
const closing = /<\/(?:think|thinking|reasoning)>\s*/i;
const longestTag = 16;
/** A tag's beginning that may still become one, at the start of an answer. */
const undecided = /^\s*(?:<(?:t|th|thi|thin|think|thinki|thinkin|thinking|r|re|rea|reas|reaso|reason|reasoni|reasonin|reasoning)?)?$/i;

/**
 * Takes reasoning text in front of an answer (`<think>…</think>`) out of a stream. With `open` the answer begins inside the
 * reasoning. When no end comes, an answer that really began with a tag has no text, one that was only taken to be open is
 * given whole.
 */
export class ThinkingFilter {
  #state: 'start' | 'thinking' | 'answer';
  readonly #open: boolean;
  #held = '';
  #searched = 0;

  constructor(open: boolean) {
    this.#open = open;
    this.#state = open ? 'thinking' : 'start';
  }

  /** Gives the part of the answer that is settled by this piece; "" when none is. */
  push(text: string): string {
    if (this.#state === 'answer') return text;
    this.#held += text;
    if (this.#state === 'start') {
      if (undecided.test(this.#held)) return '';
      if (!opening.test(this.#held)) return this.#release();
      this.#state = 'thinking';
    }
    // Only what is new, and a tag that the last piece may have begun, is searched: reasoning can be very long.
    const from = Math.max(0, this.#searched - longestTag);
    const end = closing.exec(this.#held.slice(from));
    // White space after the tag goes with it, so wait until something else comes.
    if (!end || from + end.index + end[0].length === this.#held.length) {
      if (!end) this.#searched = this.#held.length;
      return '';
    }
    this.#held = this.#held.slice(from + end.index + end[0].length);
    return this.#release();
  }

  end(): string {
    if (this.#state === 'answer') return '';
    if (this.#state === 'start') return this.#release();
    const end = closing.exec(this.#held);
    if (end) this.#held = this.#held.slice(end.index + end[0].length);
    else if (!this.#open || opening.test(this.#held)) this.#held = '';
    return this.#release();
  }

  #release(): string {
    const text = this.#held;
    this.#held = '';
    this.#state = 'answer';
    return text;
  }
}

/**
 * The whole answer without its reasoning, for a closing tag that came without an opening one. A closing tag in the middle of
 * prose about such tags is rare; it is taken for the end of reasoning only when nothing opened before it.
 */
export function afterThinking(text: string): { readonly text: string; readonly unopened: boolean } {
  const end = /<\/think(?:ing)?>\s*/i.exec(text);
  if (!end || /<think(?:ing)?>/i.test(text.slice(0, end.index)) || /`$/.test(text.slice(0, end.index))) return { text, unopened: false };
  return { text: text.slice(end.index + end[0].length), unopened: true };
}
