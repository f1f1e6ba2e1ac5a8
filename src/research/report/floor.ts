import { isPromptEcho } from '../analyst/llm/promptEcho.ts';
import { quoteBlock } from '../evidence/verbatim.ts';
import type { Finding } from '../evidence/source.ts';
import { isInOtherScript } from '../text/language.ts';
import { splitSentences } from '../text/sentences.ts';
import { tokenize } from '../text/tokenize.ts';

/** What a model wrote, without what has no place in a report. */
export interface Sifted {
  readonly text: string;
  /** Sentences that were taken out. */
  readonly removed: number;
  /** They were so many that the rest is no text either: more than half. */
  readonly isNonsense: boolean;
}

/** Shorter sentences ("Yes.") and cells may occur in a text more than once. In words, or pairs of characters. */
const leastRepeated = 4;
/** More than this share of the sentences taken out: the others are not worth reading. */
const mostRemoved = 0.5;

/** What leads over to a list, a table or a listing states nothing; before prose ("Here is the section:") it leads to nothing. */
const isLead = /[:：]\s*$|^\s*[|#]/;
const isProse = /^\s*[^\s\-*+|#>\d]/;
/** In the forms in which models write them. */
export const idMarkers =
  /\s{0,3}[[【(（]\s?(?:[a-z]{2,8}:\s?)?(?:\^?(?:S[0-9a-f]{5,64}|F\d{3,6})[\s,;]{0,3}){1,40}[\]】)）]/gi;

export interface Sieve {
  /** Of the report: what is written in another script is none of it. */
  readonly language?: string;
  /** The question, a line each: a sentence that only repeats one states nothing. */
  readonly given?: string;
  /** Whether a source speaks of what a sentence without a marker says. */
  readonly isSaid?: (sentence: string) => boolean;
}

/**
 * Removes from a text what a failing model writes: sentences that it contains already or that it was given, sentences of our prompts, pieces of JSON,
 * sentences in another script than the report's, and uncited ones of which no source speaks, as what an assistant says to a person.
 * Headings and fenced blocks (quotes, code) stay. Pure.
 */
export function sifted(markdown: string, { language, given = '', isSaid }: Sieve = {}): Sifted {
  const seen = new Set(given.split('\n').map((line) => tokenize(line).join(' ')));
  let total = 0;
  let removed = 0;
  const isKept = (sentence: string): boolean => {
    const plain = sentence.replace(idMarkers, '');
    if (!/[\p{L}\p{N}]/u.test(plain)) return true;
    total += 1;
    const words = tokenize(plain);
    const key = words.join(' ');
    const isRepeated = words.length >= leastRepeated && seen.has(key);
    seen.add(key);
    const isUncited = plain === sentence && !isLead.test(sentence);
    const isNonsense =
      isRepeated ||
      (language !== undefined && isInOtherScript(plain, language)) ||
      (isUncited && isSaid?.(plain) === false) ||
      isPromptEcho(plain) ||
      isJson(plain);
    if (isNonsense) removed += 1;
    return !isNonsense;
  };
  const text = outsideFences(markdown, (prose) =>
    splitSentences(prose)
      .filter(({ text: sentence }, index, all) => {
        if (isStructure(sentence)) return true;
        const isIdle = /[:：]\n/.test(sentence) && isProse.test(all[index + 1]?.text ?? '');
        return isKept(sentence) && !(isIdle && sentence.replace(idMarkers, '') === sentence);
      })
      .map(({ text: sentence }) => sentence)
      .join(''),
  );
  return { text, removed, isNonsense: removed > total * mostRemoved || isEcho(markdown) };
}

/** The fences of our prompts: what has them was copied from one as a whole. */
function isEcho(markdown: string): boolean {
  return /<(?:section(?:-\w{6})? id="\w|source(?:-\w{6})? id="S[0-9a-f]|\/?question(?:-\w{6})?>)/.test(markdown);
}

/** Headings and rules of tables, which hold no statement. */
function isStructure(sentence: string): boolean {
  return /^\s*#{1,6}\s/.test(sentence) || /^[\s|:+-]+$/.test(sentence);
}

function isJson(sentence: string): boolean {
  return /^\s*[[{]\s*["{[]|^\s*"\w{1,40}"\s*:/.test(sentence);
}

/** Changes the prose between fenced blocks. */
function outsideFences(markdown: string, change: (prose: string) => string): string {
  let out = '';
  let prose = '';
  let fence = '';
  for (const line of markdown.split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,20}|~{3,20})/.exec(line)?.[1];
    if (fence === '' && mark === undefined) {
      prose += line;
      continue;
    }
    if (fence === '') {
      out += change(prose);
      prose = '';
      fence = mark!;
    } else if (mark?.startsWith(fence) && line.trim() === mark) fence = '';
    out += line;
  }
  return out + change(prose);
}

/** Findings as quotes, word for word, each once. */
export function quotesText(findings: readonly Finding[]): string {
  return [...new Set(findings.map(({ source, quote }) => quoteBlock(source, quote)))].join('\n\n');
}
