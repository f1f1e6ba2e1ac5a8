import { estimateTokens } from '../research/text/estimateTokens.ts';
import type { ChatRequest } from '../research/ports.ts';
import { isRecord, parseJson } from '../research/text/json.ts';

/** The length of a repeated end from which a text counts as a loop: in tokens, and in UTF-16 units for blanks, which have none. */
const loopTokens = 200;
const loopLength = 1_600;
/** Tables and lists repeat themselves twice; more often, word for word, nothing does for as long. */
const leastRepeats = 3;
/** The end that is looked at, and how much is new each time, in UTF-16 units. */
const reach = 6_000;
const every = 100;

/** Watches a growing text for a cycle at its end. */
export class LoopWatch {
  #tail = '';
  #fresh = 0;

  /** The length of what the text now ends in and has said before; 0 when it is no cycle. */
  push(piece: string): number {
    this.#fresh += piece.length;
    this.#tail = (this.#tail + piece).slice(-reach);
    if (this.#fresh < every) return 0;
    this.#fresh = 0;
    return repeatedEnd(this.#tail);
  }
}

/**
 * The length of a text's end that repeats what precedes it; 0 when that is too little to be a loop. By the smallest period of
 * each suffix, from the prefix function of the reversed text (Knuth, Morris, Pratt 1977), in linear time. Numbers that count lines or
 * entries up are no difference, by which the length may be off.
 */
export function repeatedEnd(text: string): number {
  const counted = withoutCounters(text.slice(-reach));
  const end = counted.length - 1;
  const borders = new Int32Array(counted.length);
  let longest = 0;
  let period = 0;
  for (let at = 1; at <= end; at += 1) {
    let border = borders[at - 1]!;
    while (border > 0 && counted[end - border] !== counted[end - at]) border = borders[border - 1]!;
    if (counted[end - border] === counted[end - at]) border += 1;
    borders[at] = border;
    const length = at + 1;
    if (length < leastRepeats * (length - border)) continue;
    longest = length;
    period = length - border;
  }
  // A rule of dashes has fewer tokens than estimated.
  const hasTokens = period > 1 && longest > loopTokens / 2 && estimateTokens(counted.slice(-longest)) >= loopTokens;
  return hasTokens || longest >= loopLength ? longest - period : 0;
}

/** The first number of a line, or of an object in JSON, that is one more than the one before it, is a `#`. */
function withoutCounters(text: string): string {
  let before = Number.NaN;
  return text.replace(
    /(^|[\n{])([^\n{\d]{0,80})(\d{1,9})(?!\d)/g,
    (whole, start: string, words: string, digits: string) => {
      const counts = Number(digits) === before + 1;
      before = Number(digits);
      return counts ? `${start}${words}#` : whole;
    },
  );
}

/** White space and a closing fence behind an object are no reason to end a stream that ends by itself. In UTF-16 units. */
const afterword = 40;

/** Watches an answer that must be one JSON object for its end. What begins otherwise, like braces in prose, is passed over. */
export class ObjectWatch {
  readonly #names: ReadonlySet<string>;
  #text = '';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #after = 0;
  /** The object is complete. */
  isWhole = false;

  constructor({ schema }: NonNullable<ChatRequest['json']>) {
    this.#names = new Set(isRecord(schema['properties']) ? Object.keys(schema['properties']) : []);
  }

  /** Whether enough came behind the complete object to be sure that the server does not stop by itself. */
  push(piece: string): boolean {
    if (this.isWhole) this.#after += piece.length;
    else for (let at = 0; at < piece.length && !this.isWhole; at += 1) this.#take(piece[at]!, piece.length - at - 1);
    return this.#after > afterword;
  }

  #take(char: string, rest: number): void {
    if (this.#depth > 0) this.#text += char;
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString) {
      if (char === '\\') this.#escaped = true;
      else if (char === '"') this.#inString = false;
    } else if (char === '"') this.#inString = this.#depth > 0;
    else if (char === '{') {
      if (this.#depth === 0) this.#text = char;
      this.#depth += 1;
    } else if (char === '}' && this.#depth > 0) {
      this.#depth -= 1;
      if (this.#depth > 0) return;
      this.isWhole = this.#isAnswer();
      this.#after = this.isWhole ? rest : 0;
    }
  }

  #isAnswer(): boolean {
    const value = parseJson(this.#text);
    return isRecord(value) && (this.#names.size === 0 || hasAny(value, this.#names) || wraps(value, this.#names));
  }
}

function hasAny(value: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): boolean {
  return Object.keys(value).some((key) => names.has(key));
}

/** {"result": {…}}. */
function wraps(value: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): boolean {
  const [inner, ...others] = Object.values(value);
  return others.length === 0 && isRecord(inner) && hasAny(inner, names);
}

/** Why an answer is ended though its server would continue. */
export type EndedBy = 'loop' | 'whole';

/** Ends an answer that has nothing more to say: one that goes round in circles, or whose JSON object is complete. */
export class AnswerEnd {
  readonly #loop = new LoopWatch();
  readonly #object: ObjectWatch | undefined;
  /** Of the text at its end, in UTF-16 units. */
  #repeated = 0;

  constructor({ json }: Pick<ChatRequest, 'json'>) {
    this.#object = json && new ObjectWatch(json);
  }

  get isWhole(): boolean {
    return this.#object?.isWhole ?? false;
  }

  push(piece: string): EndedBy | undefined {
    if (this.#object?.push(piece)) return 'whole';
    if (this.isWhole) return undefined;
    this.#repeated = this.#loop.push(piece);
    return this.#repeated > 0 ? 'loop' : undefined;
  }

  /** The text with what it repeats once. */
  withoutLoop(text: string): string {
    return this.#repeated === 0 ? text : text.slice(0, -this.#repeated).trimEnd();
  }
}
