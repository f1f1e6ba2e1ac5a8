import { baseTag, languages, listed } from '../languages/languages.ts';
import { detectLanguage } from './language.ts';
import { splitSentences } from './sentences.ts';
import { isStopword } from './stopwords.ts';
import { fold, isPairedScript, termsOf, tokensOf } from './tokenize.ts';

/** A word of a question with the terms that it is looked for by. */
export interface QueryWord {
  /** As it was asked. */
  readonly word: string;
  readonly terms: readonly string[];
}

export interface Query {
  /** Without words of grammar; each once. */
  readonly words: readonly QueryWord[];
  /** Its questions; the whole text, where it has none. */
  readonly asking: string;
}

/** How much of a question is read, in UTF-16 units: the rest is material. */
const longestRead = 4_000;

/** Reads a question for a search: every word of it that carries a subject. */
export function readQuery(question: string, language = detectLanguage(question)): Query {
  const text = question.slice(0, longestRead);
  const words = new Map<string, QueryWord>();
  for (const word of tokensOf(text).flatMap((token) => wordsOf(token, language))) {
    const key = fold(word);
    if (!words.has(key)) words.set(key, { word, terms: [...new Set(termsOf(word))] });
  }
  return { words: [...words.values()], asking: questionsIn(text).join(' ') || text };
}

/** A compound of two words, either of which may occur alone; not a name (PD-1, e-mail, UTF-8). */
const hyphened = /^\p{L}{3,}(?:-\p{L}{3,})+$/u;

/** What an apostrophe joins to a word: "l'annulation", "what's". */
const clitic = /^\p{L}{1,2}['’](?=\p{L}{3})|['’]\p{L}{1,2}$/u;

/** In French and Portuguese a pronoun follows the verb of a question: "autorise-t-il", "doit-on", "encontra-se". */
const withPronoun = /^(\p{L}{3,})(?:-t)?-(\p{L}{1,5})$/u;

function withoutPronoun(token: string, language: string): string {
  const [, verb, pronoun = ''] = (/^(?:fr|pt)/.test(language) && withPronoun.exec(token)) || [];
  return verb !== undefined && isStopword(pronoun.toLowerCase(), language) ? verb : token;
}

/** Words of a token that say something; a run of a script without spaces has several. */
function wordsOf(token: string, language: string): string[] {
  if (!isPairedScript(token))
    return (hyphened.test(token) ? token.split('-') : [withoutPronoun(token, language)])
      .map((word) => word.replace(clitic, ''))
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

const askingWords = new Map(
  languages.map(({ tag, askingWords: asking, interrogatives }) => [
    tag,
    new Set([...listed(asking), ...listed(interrogatives)]),
  ]),
);

function isGrammar(word: string, language: string): boolean {
  const lower = word.toLowerCase();
  return isStopword(lower, language) || (askingWords.get(baseTag(language))?.has(lower) ?? false);
}

/** The sentences of a text that ask. */
export function questionsIn(text: string): string[] {
  const sentences = splitSentences(text).map((sentence) => sentence.text.trim());
  return sentences.filter((sentence) => /[?？؟]["'”’)\]]*$/u.test(sentence));
}
