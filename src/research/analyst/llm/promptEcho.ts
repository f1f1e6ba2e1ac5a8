import { isRecord } from '../../../protocol/json.ts';
import { shingles } from '../../evidence/similarity.ts';
import { splitSentences } from '../../text/sentences.ts';
import { sharesWord } from '../../text/sharesWord.ts';
import { tokenize } from '../../text/tokenize.ts';

/** What models are sent of our own words: prompts and descriptions of schemas, each once it is sent. */
const ownTexts = new Set([
  // Of `fencedSource`.
  '(only the title is known)',
]);
/** Words of one shingle. */
const ofSentence = 5;
/** Titles of fewer words are anyone's ("Main techniques"). */
const leastTitle = 5;
/** A description of one word is anyone's as well. */
const leastDescription = 2;
/** A sentence counts as a copy of a prompt from this share of its shingles on. */
const ownShare = 0.6;
/** Behind the descriptions of a schema in text, see `schemaOutline`. */
const bounds = /\bAt most \d+(?: characters)?\.?/g;

const knownRuns = new Map<number, Set<string>>();

/** Makes the descriptions of a JSON schema known as words of ours. */
export function knowDescriptions(schema: unknown): void {
  if (Array.isArray(schema)) schema.forEach(knowDescriptions);
  if (!isRecord(schema)) return;
  for (const [key, value] of Object.entries(schema))
    if (key === 'description' && typeof value === 'string') knowOwnText(value);
    else knowDescriptions(value);
}

/** Makes a text known as words of ours. */
export function knowOwnText(text: string): void {
  if (ownTexts.has(text)) return;
  const words = tokenize(text);
  if (words.length < leastDescription) return;
  ownTexts.add(text);
  for (const [width, known] of knownRuns) for (const run of shingles(words, width)) known.add(run);
}

/** Whether a sentence is one of our prompts or descriptions, in whole or for the most part (w-shingling, Broder 1997). */
export function isPromptEcho(sentence: string, width = ofSentence): boolean {
  const known = knownRuns.get(width) ?? new Set([...ownTexts].flatMap((own) => [...shingles(tokenize(own), width)]));
  knownRuns.set(width, known);
  const own = [...shingles(tokenize(sentence), width)];
  return own.length > 0 && own.filter((one) => known.has(one)).length >= own.length * ownShare;
}

/** Whether all sentences of a field of an answer are our own. */
export function isOwnText(field: string): boolean {
  const sentences = splitSentences(field.replace(bounds, '')).filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return sentences.length > 0 && sentences.every(({ text }) => isPromptEcho(text));
}

/** Whether a title is words of our prompts, and none of the question's; or one of our descriptions. */
export function isPromptTitle(title: string, question: string): boolean {
  if (isOwnText(title)) return true;
  return tokenize(title).length >= leastTitle && isPromptEcho(title, leastTitle - 1) && !sharesWord(title, [question]);
}
