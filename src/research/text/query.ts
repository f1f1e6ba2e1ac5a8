import { findLanguage } from '../languages/languages.ts';
import { dateTerms } from './dates.ts';
import { detectLanguage } from './language.ts';
import { splitSentences } from './sentences.ts';
import { isStopword } from './stopwords.ts';
import { fold, isPairedScript, termsOf, tokensOf } from './words.ts';

/** A word of a question with the terms that it is looked for by. */
export interface QueryWord {
  /** As it was asked. */
  readonly word: string;
  readonly terms: readonly string[];
  /** 1 for a word of the asking sentence, less for the background that was told with it. */
  readonly weight: number;
}

export interface Query {
  /** Without words of grammar; each once. */
  readonly words: readonly QueryWord[];
  /** Neighbours as one word ("body limit": bodylimit), dates in one form: they count where the folder has them. */
  readonly extra: readonly string[];
  readonly language: string;
  /** The sentence that asks. */
  readonly asking: string;
  /** It asks for several things of one kind. */
  readonly wantsList: boolean;
}

/** What is told with a question counts this much of what is asked. */
const backgroundWeight = 0.15;
/** A text up to this many words is all question, and a sentence up to the second number is. */
const shortText = 12;
const shortQuestion = 25;
/** More of a question than this is material, in UTF-16 units. */
const longestRead = 4_000;

/** Reads a question for a search: every word of it that carries a subject, those of the asking sentence first. */
export function readQuery(question: string, language = detectLanguage(question)): Query {
  const text = question.slice(0, longestRead);
  const asking = askingPart(text);
  const words = new Map<string, QueryWord>();
  const extra = new Set<string>();
  for (const [part, weight] of [
    [asking, 1],
    ...(asking === text ? [] : [[text, backgroundWeight] as const]),
  ] as const) {
    let before = '';
    for (const token of tokensOf(part)) {
      const found = wordsOf(token, language);
      for (const word of found) {
        const key = fold(word);
        if (!words.has(key)) words.set(key, { word, terms: [...new Set(termsOf(word))], weight });
      }
      const joined = found.length === 1 && !isPairedScript(token) ? fold(token).replace(/[^\p{L}\p{N}]/gu, '') : '';
      if (before !== '' && joined !== '') for (const term of termsOf(before + joined)) extra.add(term);
      before = joined;
    }
    if (weight === 1) for (const term of [...dateTerms(part), ...acronymsOf(part, language)]) extra.add(term);
  }
  return { words: [...words.values()], extra: [...extra], language, asking, wantsList: wantsList(asking, language) };
}

/** Initials of words that stand together ("retrieval-augmented generation": rag). */
function acronymsOf(text: string, language: string): string[] {
  const runs: string[][] = [[]];
  for (const token of tokensOf(text)) {
    for (const part of token.split('-')) {
      if (!/^\p{L}{2,}$/u.test(part) || isPairedScript(part) || isGrammar(part, language)) runs.push([]);
      else runs.at(-1)!.push(fold(part)[0]!);
    }
  }
  return runs
    .flatMap((initials) =>
      initials.flatMap((_, at) => [3, 4].map((size) => initials.slice(at, at + size)).filter((run) => run.length > 2)),
    )
    .map((run) => run.join(''));
}

/** A compound of two words, either of which may stand alone; not a name (PD-1, e-mail, UTF-8). */
const hyphened = /^\p{L}{3,}(?:-\p{L}{3,})+$/u;

/** Articles and particles that French and Italian write before a vowel. */
const elided = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|un|dell|dall|nell|sull|all)['’](?=\p{L})/iu;

/** Words of a token that say something; a run of a script without spaces has several. */
function wordsOf(token: string, language: string): string[] {
  if (!isPairedScript(token))
    return (hyphened.test(token) || (language === 'fr' && !/\d/.test(token)) ? token.split('-') : [token])
      .map((word) => word.replace(elided, ''))
      .filter((word) => word !== '' && !isGrammar(word, language));
  const words: string[] = [];
  let single = '';
  const endSingle = (): void => {
    if (single !== '') words.push(single);
    single = '';
  };
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'word' }).segment(token)) {
    const isWord = !isGrammar(segment, language);
    // Characters that no dictionary joins are often a name.
    if (isWord && [...segment].length === 1) single += segment;
    else {
      endSingle();
      if (isWord) words.push(segment);
    }
  }
  endSingle();
  return words;
}

function isGrammar(word: string, language: string): boolean {
  const lower = word.toLowerCase().replace(/['’](?:s|t|re|ve|ll|d|m)$/, '');
  return isStopword(lower, language) || (findLanguage(language)?.askingWords?.split(/\s+/).includes(lower) ?? false);
}

function wantsList(asking: string, language: string): boolean {
  const words = findLanguage(language)?.listWords?.split(/\s+/) ?? [];
  const lower = ` ${asking.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return words.some((word) => lower.includes(isPairedScript(word) ? word : ` ${word} `));
}

/** The sentences that ask; of a long ramble without a question mark, its end. */
function askingPart(text: string): string {
  if (wordsIn(text) <= shortText) return text;
  const sentences = splitSentences(text).map((sentence) => sentence.text.trim());
  const asking = sentences.filter((sentence) => /[?？؟;]["'”’)\]]*$/u.test(sentence));
  const chosen = asking.length > 0 ? asking : sentences.length > 1 && text.length > 200 ? sentences.slice(-1) : [text];
  return chosen
    .map((sentence) => {
      // "…, so what I'd like to know is: who did it?"
      const colon = /^[\s\S]*[:：](?=\s?[^\s\d])/u.exec(sentence)?.[0].length ?? 0;
      const rest = sentence.slice(colon).trim();
      return wordsIn(sentence) > shortQuestion && wordsIn(rest) >= 4 ? rest : sentence;
    })
    .join(' ');
}

/** About as many words as a text has; where no spaces are written, a word has two characters. */
function wordsIn(text: string): number {
  return tokensOf(text).reduce((sum, token) => sum + (isPairedScript(token) ? Math.ceil(token.length / 2) : 1), 0);
}
