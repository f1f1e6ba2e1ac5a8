import { findLanguage, languages, listed } from '../languages/languages.ts';
import { detectLanguage } from '../text/language.ts';
import { isStopword } from '../text/stopwords.ts';
import type { WorkspaceFacts } from '../tools.ts';

/** What a question shows by the form of its words alone. */
export interface Signs {
  /**
   * `none`: no word names anything. `reference`: a pronoun or demonstrative, with one plain word at most, that nothing around it
   * resolves. `broad`: one plain word alone. `named`: it can be searched for.
   */
  readonly subject: 'none' | 'reference' | 'broad' | 'named';
  /** A word that carries a subject, or something around the question that a pointing word resolves to. */
  readonly hasContent: boolean;
  /** The word that points, or the one word; as it was written. "" for `none` and `named`. */
  readonly phrase: string;
  /** In which the user is asked. */
  readonly language: string;
  /** What the open folder, an attached document or an open file makes of the phrase that points. */
  readonly resolved?: { readonly phrase: string; readonly meaning: string; readonly adds?: boolean };
}

/** What a question may point at. */
export interface Surroundings {
  readonly workspace?: WorkspaceFacts | undefined;
  /** A folder can be searched, though little may be known of it. */
  readonly hasFolder?: boolean | undefined;
}

/** A longer question is read by its beginning, in UTF-16 units. */
const longestRead = 600;
/** With more words of content, a pointing word refers to something within the question. */
const mostPointing = 3;
/** Documents that are named as what a phrase means. */
const mostNamed = 3;

/** Reads the signs of a question. Pure. */
export function readSigns(question: string, language = detectLanguage(question), around: Surroundings = {}): Signs {
  const text = question.normalize('NFKC').slice(0, longestRead).trim();
  const words = wordsOf(text, language);
  const content = words.filter(({ kind }) => kind === 'content' || kind === 'name');
  const pointer = words.find(({ kind }) => kind === 'pointing');
  const named: Signs = { subject: 'named', hasContent: true, phrase: '', language };
  if (content.some(({ kind }) => kind === 'name') || content.length > mostPointing) return named;
  const hasAttached = (around.workspace?.attached ?? []).length > 0;
  if (pointer || (content.length === 0 && hasAttached)) {
    const phrase = pointer?.text ?? text;
    const meaning = meaningOf(around);
    if (meaning) return { ...named, resolved: { phrase, ...meaning } };
    if (content.length <= 1) return { ...named, subject: 'reference', hasContent: content.length === 1, phrase };
  }
  const [only, another] = content;
  if (only === undefined) return { ...named, subject: 'none', hasContent: false };
  const isQuestion = /[?？؟]/.test(text) && words.length > 1;
  // "Explain our repo": a folder is asked for what it says of the word.
  const narrows = ({ kind, at }: Word): boolean =>
    kind === 'interrogative' || kind === 'figure' || (kind === 'asking' && at === 0 && around.hasFolder === true);
  const isAlone = another === undefined && !isQuestion && !words.some(narrows);
  return isAlone ? { ...named, subject: 'broad', phrase: only.text } : named;
}

interface Word {
  readonly text: string;
  /** In the text. */
  readonly at: number;
  readonly kind: 'grammar' | 'asking' | 'pointing' | 'interrogative' | 'figure' | 'name' | 'content';
}

/** The words of a text, and what each is by its form and by the closed classes of the language. */
export function wordsOf(text: string, language: string): Word[] {
  const known = { ...languages[0]!, ...findLanguage(language) };
  const [asking, pointing, interrogatives] = [known.askingWords, known.pointing, known.interrogatives].map(listed);
  const isGrammar = (word: string): boolean => requests.has(word) || isStopword(word, language) || letter.test(word);
  const kindOf = (word: string, at: number): Word['kind'] => {
    const lower = word.toLowerCase();
    if (pointing!.includes(lower)) return 'pointing';
    if (interrogatives!.includes(lower)) return 'interrogative';
    if (/^[\p{N}.,]+$/u.test(word)) return 'figure';
    if (isGrammar(lower)) return 'grammar';
    if (asking!.includes(lower)) return 'asking';
    // Nouns of German begin with a capital letter.
    const isCapital = at > 0 && language !== 'de' && /^\p{Lu}\p{Ll}/u.test(word);
    return isCapital || codeLike.test(word) ? 'name' : 'content';
  };
  const words: Word[] = [];
  for (const { segment, index, isWordLike } of new Intl.Segmenter(language, { granularity: 'word' }).segment(text)) {
    if (!isWordLike) continue;
    const last = words.at(-1);
    // A dictionary cuts the last character off a compound that it does not have.
    const isEnd = /^\p{Script=Han}$/u.test(segment) && last?.kind === 'content' && last.at + last.text.length === index;
    if (isEnd && kindOf(segment, index) === 'content') {
      const whole = last.text + segment;
      words[words.length - 1] = { text: whole, at: last.at, kind: kindOf(whole, last.at) };
    } else for (const part of segment.split(/['’]/)) words.push({ text: part, at: index, kind: kindOf(part, index) });
  }
  return words;
}

const requests = new Set(languages.flatMap(({ requests: words }) => listed(words)));
/** A letter of an alphabet alone. */
const letter = /^[\p{Script=Latin}\p{Script=Cyrillic}]$/u;
/** KRAS, AlphaFold, BM25, clusterAbove, max_body, Node.js. */
const codeLike = /[\d_.]|\p{Ll}\p{Lu}|\p{Lu}{3}/u;

/** What a pointing word means by what surrounds the question. */
function meaningOf({ workspace, hasFolder }: Surroundings): Omit<NonNullable<Signs['resolved']>, 'phrase'> | undefined {
  const { attached = [], repos = [], name = '', fileCount = 0, openFile, earlierQuestion } = workspace ?? {};
  if (attached.length > 0) {
    const titles = attached.slice(0, mostNamed).map(({ title }) => title);
    return { meaning: titles.join(', ') };
  }
  const near = openFile ?? earlierQuestion;
  if (near !== undefined) return { meaning: near, adds: true };
  return hasFolder || fileCount > 0 || repos.length > 0 ? { meaning: repos[0] ?? name } : undefined;
}
