/** Characters at the end of the written text in which a repetition is looked for. */
const seamLength = 400;

/** Text at the end that may be half a word, or a citation that is not closed. */
const openEnd = /(?:\[[^\]\s]{0,80}|[\p{L}\p{N}]{1,80})$/u;
/** A continuation that begins with this much of the beginning, in characters, was restarted by the model. */
const sameStart = 24;

/** Removes what a model repeats when it continues: the end of what it had written, or all of it. */
export class Seam {
  readonly #written: string;
  readonly #before: string;
  #held = '';
  closed = false;

  constructor(written: string) {
    this.#written = written;
    this.#before = written.slice(-seamLength);
  }

  push(text: string): string {
    if (this.closed) return text;
    this.#held += text;
    // A restarted text has to reach the length of the old one before it is known where it continues.
    const wanted = this.#restarts() ? this.#written.length + seamLength : seamLength;
    return this.#held.length < wanted ? '' : this.end();
  }

  end(): string {
    if (this.closed) return '';
    this.closed = true;
    if (this.#restarts()) return this.#afterCommonPassage();
    const head = this.#held.replace(/^(?:\.{3}|…)/, '');
    const most = Math.min(this.#before.length, head.length);
    for (let length = most; length >= 12; length -= 1) {
      if (this.#before.endsWith(head.slice(0, length))) return head.slice(length);
    }
    return withoutOpenEnd(this.#before, head);
  }

  #restarts(): boolean {
    const start = this.#written.trimStart().slice(0, sameStart);
    return start.length === sameStart && this.#held.trimStart().startsWith(start);
  }

  /** What follows the latest passage that both have, so that nothing appears twice. */
  #afterCommonPassage(): string {
    for (let length = Math.min(80, this.#before.length); length >= 12; length -= 1) {
      const at = this.#held.lastIndexOf(this.#before.slice(-length));
      if (at >= 0) return this.#held.slice(at + length);
    }
    // The wording differs. Only sections that were not begun yet are new.
    const known = new Set(headingsOf(this.#written).map(({ title }) => title));
    const next = headingsOf(this.#held).find(({ title }) => !known.has(title));
    return next ? `\n\n${this.#held.slice(next.at)}` : '';
  }
}

/** The half word, or half marker, before the break is often repeated as a whole. */
function withoutOpenEnd(before: string, head: string): string {
  const open = openEnd.exec(before)?.[0] ?? '';
  if (open.length > 1 && head.startsWith(open)) return head.slice(open.length);
  // A heading needs a line of its own.
  return /^#{1,6} /.test(head) && !before.endsWith('\n') ? `\n\n${head}` : head;
}

function headingsOf(text: string): { readonly title: string; readonly at: number }[] {
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map((match) => ({
    title: match[1]!.trim().toLowerCase(),
    at: match.index,
  }));
}
