/** White space is bounded: the matcher's stack grows with it. */
const opening = /^\s{0,1000}<(?:think|thinking|reasoning)>/i;
const closing = /<\/(?:think|thinking|reasoning)>/i;
/** One less than the longest closing tag: so much of it may have come with the piece before. */
const tagRest = '</reasoning>'.length - 1;
/** A tag's beginning that may still become one, at the start of an answer. */
const undecided =
  /^\s*(?:<(?:t|th|thi|thin|think|thinki|thinkin|thinking|r|re|rea|reas|reaso|reason|reasoni|reasonin|reasoning)?)?$/i;

/** So much white space in front of an answer is part of it. In UTF-16 units. */
const mostUndecided = 1_000;

/**
 * Takes reasoning text in front of an answer (`<think>…</think>`) out of a stream. With `open` the answer begins inside the
 * reasoning. When no end comes, an answer that really began with a tag has no text, one that was only taken to be open is
 * given whole. Time and, without `open`, memory don't depend on how long the reasoning is.
 */
export class ThinkingFilter {
  #state: 'start' | 'thinking' | 'gap' | 'answer';
  /** Beginning of the answer, or the last characters of the reasoning, that are not decided yet. */
  #held = '';
  /** The answer began with reasoning that was taken out. */
  thought = false;
  /** What may turn out not to be reasoning. */
  #undecided: string[] | undefined;

  constructor(open: boolean) {
    this.#state = open ? 'thinking' : 'start';
    this.#undecided = open ? [] : undefined;
  }

  /** Gives the part of the answer that is settled by this piece; "" when none is. */
  push(text: string): string {
    if (this.#state === 'answer') return text;
    if (this.#state === 'gap') return this.#afterGap(text);
    this.#held += text;
    if (this.#state === 'start') {
      if (this.#held.length < mostUndecided && undecided.test(this.#held)) return '';
      if (!opening.test(this.#held)) return this.#release();
      this.#state = 'thinking';
      this.thought = true;
    }
    this.#undecided?.push(text);
    const end = closing.exec(this.#held);
    if (end) {
      this.thought = true;
      const rest = this.#held.slice(end.index + end[0].length);
      this.#held = '';
      this.#state = 'gap';
      return this.#afterGap(rest);
    }
    this.#held = this.#held.slice(-tagRest);
    return '';
  }

  end(): string {
    if (this.#state === 'start') return this.#release();
    const whole = this.#state === 'thinking' ? (this.#undecided?.join('') ?? '') : '';
    this.#state = 'answer';
    return opening.test(whole) ? '' : whole;
  }

  /** White space between the reasoning and the answer belongs to neither. */
  #afterGap(text: string): string {
    const answer = text.trimStart();
    if (answer !== '') this.#state = 'answer';
    return answer;
  }

  #release(): string {
    const text = this.#held;
    this.#held = '';
    this.#state = 'answer';
    return text;
  }
}

/**
 * The whole answer without its reasoning, for a closing tag without an opening one. A closing tag in the middle of
 * prose about such tags is rare; it is taken for the end of reasoning only when nothing opened before it.
 */
export function afterThinking(text: string): { readonly text: string; readonly unopened: boolean } {
  const end = /<\/think(?:ing)?>\s*/i.exec(text);
  if (!end || /<think(?:ing)?>/i.test(text.slice(0, end.index)) || /`$/.test(text.slice(0, end.index)))
    return { text, unopened: false };
  return { text: text.slice(end.index + end[0].length), unopened: true };
}
