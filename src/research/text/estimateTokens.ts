import type { ChatRequest } from '../ports.ts';

/**
 * Tokens by class of character: least squares over the counts of o200k and of Llama 3 on documentation, code, JSON and
 * messages in 14 languages (`docs/decisions/008-tokens-are-estimated.md`). A word costs the same however long it is, up to a
 * length that words have; longer are keys, hashes, encoded data. Arabic, Hebrew, Greek and the scripts of India and South-East
 * Asia were not in the set: theirs are the published ratios, rounded up.
 */
const [word, letter, longLetter, longWord] = [0.9, 0.07, 0.4, 12];
const [digit, sign, line, blank, accented] = [0.8, 0.4, 1, 0.06, 0.7];
/** Further scripts: the first code unit beyond them, and what a unit of them costs. */
const scripts: readonly (readonly [below: number, tokens: number])[] = [
  ...([
    [0x400, 0.5],
    [0x530, 0.28],
    [0x900, 0.5],
    [0x1100, 0.65],
    [0x1200, 0.75],
    [0x2000, 0.65],
  ] as const), // alphabets
  ...([
    [0x2e80, 1.5],
    [0x3040, 0.5],
    [0x3100, 0.69],
    [0xac00, 0.79],
    [0xd7b0, 0.75],
  ] as const), // signs, kana, han, hangul
  ...([
    [0xff00, 1.5],
    [0x10000, 0.5],
  ] as const), // surrogates, wide signs
];

/**
 * About how many tokens a text has, counted without a tokeniser: on average 7 % beside o200k and Llama 3, a quarter below the
 * older cl100k for scripts other than Latin. Linear, and never 0 for a text that is not empty.
 */
export function estimateTokens(text: string): number {
  const counter = new TokenCounter();
  for (let at = 0; at < text.length; at += 1) counter.add(text.charCodeAt(at));
  return Math.ceil(counter.tokens);
}

/** About how many tokens a prompt has, its tools and the schema of its answer included. */
export function estimateRequest({ messages, tools, json }: Pick<ChatRequest, 'messages' | 'tools' | 'json'>): number {
  const perMessage = 4;
  const texts = messages.reduce((sum, message) => {
    const calls = message.role === 'assistant' && message.toolCalls ? JSON.stringify(message.toolCalls) : '';
    return sum + estimateTokens(message.content) + estimateTokens(calls) + perMessage;
  }, 0);
  const inJson = [...(tools && tools.length > 0 ? [tools] : []), ...(json ? [json.schema] : [])];
  return inJson.reduce((sum, value) => sum + estimateTokens(JSON.stringify(value)), texts);
}

/** The beginning of a text that has at most so many tokens, cut at a line or word when one is near. */
export function cutToTokens(text: string, tokens: number): string {
  if (tokens <= 0) return '';
  const counter = new TokenCounter();
  let low = 0;
  for (; low < text.length; low += 1) {
    counter.add(text.charCodeAt(low));
    if (counter.tokens > tokens) break;
  }
  if (low === text.length) return text;
  const hard = text.slice(0, low);
  const space = Math.max(hard.lastIndexOf('\n'), hard.lastIndexOf(' '));
  const cut = space > low * 0.8 ? hard.slice(0, space) : hard;
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** Counts a text unit by unit; what a unit costs depends on the one before it alone. */
class TokenCounter {
  tokens = 0;
  #before: 'none' | 'lower' | 'upper' | 'blank' | 'line' = 'none';
  #length = 0;

  add(unit: number): void {
    if (unit >= 0x61 && unit <= 0x7a) this.#letter('lower', 0);
    else if (unit >= 0x41 && unit <= 0x5a) this.#letter('upper', 0);
    else if (unit === 0x0a || unit === 0x0d) {
      this.tokens += this.#before === 'line' ? blank : line;
      this.#before = 'line';
    } else if (unit <= 0x20) {
      // One blank belongs to the word behind it.
      if (this.#before === 'blank' || this.#before === 'line') this.tokens += blank;
      else this.#before = 'blank';
    } else if (unit >= 0x80 && (unit < 0x370 || (unit >= 0x1e00 && unit < 0x1f00))) this.#letter('lower', accented);
    else {
      this.tokens +=
        unit < 0x80 ? (unit >= 0x30 && unit <= 0x39 ? digit : sign) : scripts.find(([below]) => unit < below)![1];
      this.#before = 'none';
    }
  }

  #letter(kind: 'lower' | 'upper', extra: number): void {
    const continues = this.#before === kind || (this.#before === 'upper' && kind === 'lower');
    this.#length = continues ? this.#length + 1 : 1;
    this.tokens += extra + (continues ? 0 : word) + (this.#length > longWord ? longLetter : letter);
    this.#before = kind;
  }
}
