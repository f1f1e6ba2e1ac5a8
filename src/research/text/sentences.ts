/** A sentence with its place in the text; `text` keeps its trailing white space, so that all of them joined are the text. */
export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const wideTerminators = '。！？｡．';
const terminators = '.!?…。！？｡．؟۔।';
const closers = '"\'”’»)]】」』）*_';
const vowelless = /^[B-DF-HJ-NP-TV-XZb-df-hj-np-tv-xz][b-df-hj-np-tv-xz]{1,3}$/;
/** Where something other than words may begin. */
const special = /[`\n.!?…。！？｡．؟۔।]/g;

/**
 * Splits Markdown or plain text into sentences. A blank line, and a line break before a heading, list item, quote or table
 * row, end a sentence as well. Source markers that follow the full stop (`… text. [S3f9a1]`) belong to the sentence before.
 * The cut is stable under appending, except for what {@link settledLength} still holds back.
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  const push = (end: number): void => {
    if (end > start) sentences.push({ text: text.slice(start, end), start, end });
    start = end;
  };
  let at = 0;
  while (at < text.length) {
    special.lastIndex = at;
    at = special.exec(text)?.index ?? text.length;
    const char = text[at];
    if (char === undefined) break;
    if (char === '`') {
      at = afterCode(text, at);
      continue;
    }
    if (char === '\n') {
      const next = blockBreak(text, at);
      if (next > at) {
        push(next);
        at = next;
      } else at += 1;
      continue;
    }
    const end = sentenceEnd(text, start, at);
    if (end === undefined) {
      // What one mark of a run does not end, the others do not end either.
      while (at < text.length && terminators.includes(text[at]!)) at += 1;
      continue;
    }
    push(end);
    at = end;
  }
  push(text.length);
  return sentences;
}

/**
 * How much of a text that is still growing is settled: the length of the sentences that no further text can change.
 * The rest has to be held back.
 */
export function settledLength(text: string, sentences = splitSentences(text)): number {
  const last = sentences.at(-1);
  if (last === undefined) return 0;
  // An opening bracket right after a full stop may become a marker of the sentence before it.
  if (/^[\s([【（"'”’»)*_\]]*$/u.test(last.text) || /^\s*[[【（(][^\]】\n]*$/u.test(last.text)) {
    return sentences.at(-2)?.start ?? 0;
  }
  return last.start;
}

/** End of the code span that begins at `at`; an unclosed one reaches to the end of its line. */
function afterCode(text: string, at: number): number {
  let run = at;
  while (text[run] === '`') run += 1;
  const fence = text.slice(at, run);
  const lineEnd = text.indexOf('\n', run);
  const limit = lineEnd < 0 ? text.length : lineEnd;
  for (let close = text.indexOf(fence, run); close >= 0 && close < limit; close = text.indexOf(fence, close)) {
    let end = close;
    while (text[end] === '`') end += 1;
    if (end - close === fence.length) return end;
    close = end;
  }
  return limit;
}

/** Where the next block begins if the line break at `at` ends a block; else `at`. */
function blockBreak(text: string, at: number): number {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  if (/^ {0,3}(?:#{1,6}\s|\|)/.test(line)) return at + 1;
  const rest = /^\n[ \t]*(?:\n\s*|(?=#{1,6}\s|[-*+]\s|\d{1,3}[.)]\s|>|\|))/.exec(text.slice(at, at + 400));
  return rest ? at + rest[0].length : at;
}

const markers = /^(?:[ \t]*(?:\[[^[\]()（）【】\n]{1,80}\](?!\()|【[^[\]()（）【】\n]{1,80}】))+/u;
const blanks = ' \t\n';
const gap = /^[ \t]*\n?(?![ \t]*\n)[ \t]*|^[ \t]*/;

/** End of the sentence whose terminator is at `at`, white space and following markers included. */
function sentenceEnd(text: string, start: number, at: number): number | undefined {
  let end = at;
  while (end < text.length && terminators.includes(text[end]!)) end += 1;
  // A mark before any word ends nothing: "!!! note", "...".
  if (at - start < 8 && !/[\p{L}\p{N}\]]/u.test(text.slice(start, at))) return undefined;
  // A full-width point between Latin letters is part of a name ("Node．js").
  if (text[at] === '．' && /^\w．\w/.test(text.slice(Math.max(0, at - 1), at + 2))) return undefined;
  const wide = wideTerminators.includes(text[end - 1]!);
  while (end < text.length && closers.includes(text[end]!)) end += 1;
  const next = text[end];
  const marker =
    next === ' ' || next === '\t' || next === '[' || next === '【' ? markers.exec(text.slice(end, end + 400)) : null;
  const afterMarker = marker ? end + marker[0].length : end;
  // A marker may itself be followed by a full stop: "… text. [S1]." stays one sentence.
  if (marker && /^[.。](?:\s|$)/u.test(text.slice(afterMarker, afterMarker + 2))) end = afterMarker + 1;
  else end = afterMarker;
  const space = blanks.includes(text[end] ?? '') ? gap.exec(text.slice(end, end + 200))![0] : '';
  if (end < text.length && space === '' && text[end] !== '\n' && !wide) return undefined;
  if (!wide && text[at] === '.' && isAbbreviation(text, start, at, end + space.length)) return undefined;
  const lineBreak = space.indexOf('\n');
  // A line break that begins a new block is left to the block rule.
  return lineBreak >= 0 ? end + lineBreak : end + space.length;
}

function isAbbreviation(text: string, start: number, dot: number, next: number): boolean {
  const before = text.slice(Math.max(start, dot - 24), dot);
  const word = /[\p{L}\p{N}.]+$/u.exec(before)?.[0] ?? '';
  // An initial, but not the unit of a temperature; letters with stops between ("z.B", "Ph.D"), but no file ("main.c").
  if (/^\p{L}$/u.test(word)) return !/°\s?\p{Lu}$/u.test(before);
  if (/^\p{L}{1,2}(?:\.\p{L}{1,2})+$/u.test(word)) return true;
  // "Dr", "vs", "bzw": without a vowel. A unit behind a figure ends a sentence as other words do.
  if (vowelless.test(word)) return !/\d\s?$/.test(before.slice(0, -word.length));
  // "Fig. 3", "Art. 12"
  if (/^\p{L}{2,4}$/u.test(word) && /^ \d{1,3}(?!\d)/.test(text.slice(dot + 1, dot + 6))) return true;
  // "1. First item" at the beginning of a line.
  if (/^\d{1,3}$/.test(word) && /^\s*$/.test(before.slice(0, before.length - word.length)) && dot - start <= 6)
    return true;
  // "am 31. März", "des 16. Jahrhunderts". "is 2. The", but not "is 2. It", is taken for one too: two sentences are joined.
  const isOrdinal = /(?<![\p{L}\p{N}])\p{Ll}{1,3} \d{1,2}$/u.test(before) && dot + 1 < next;
  if (isOrdinal && !/^\p{L}{1,2}\P{L}/u.test(text.slice(next, next + 3))) return true;
  // A small letter continues the sentence, but for names like nDCG and iOS.
  const following = /^\p{Ll}[\p{L}\p{N}]*/u.exec(text.slice(next, next + 40))?.[0];
  return following !== undefined && !/\p{Lu}/u.test(following);
}
