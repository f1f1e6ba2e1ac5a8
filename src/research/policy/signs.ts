import type { AskingWords } from '../languages/asking/askingWords.ts';
import { findLanguage, languages } from '../languages/languages.ts';
import { isStopword } from '../text/stopwords.ts';
import { detectLanguage } from '../text/language.ts';
import type { WorkspaceFacts } from '../tools.ts';
import { isWellKnown } from './wellKnownNames.ts';

/** What a question shows by its words alone, whatever any model makes of it. */
export interface Signs {
  /**
   * `none`: no word names anything. `reference`: it points at something that nothing around it resolves. `broad`: a whole field.
   * `named`: it can be searched for.
   */
  readonly subject: 'none' | 'reference' | 'broad' | 'named';
  /** The phrase that points, or the words that name the field; as they were written. "" for `none` and `named`. */
  readonly phrase: string;
  /** The kind of thing that a phrase points at. */
  readonly pointsAt?: 'paper' | 'here' | 'thing';
  /** Whose words the signs were read by: the language in which the user is asked. */
  readonly language: string;
  /** What the open folder, an attached document or an open file makes of the phrase that points. */
  readonly resolved?: { readonly phrase: string; readonly meaning: string; readonly adds?: boolean };
  /** Identifiers that are no common knowledge: they are looked up. */
  readonly terms: readonly string[];
  /** No question for research. */
  readonly refusal?: 'task' | 'harm' | 'smallTalk';
}

/** More of a question than this is told with it, in UTF-16 units. */
const longestRead = 600;
/** With so many words that say something, a pointing word is a turn of speech. */
const manyWords = 6;
/** Up to so many words may be of another language than the one that was detected. */
const fewWords = 5;
/** Documents that are named as what a phrase means. */
const mostNamed = 3;

/** What a question may point at. */
export interface Surroundings {
  readonly workspace?: WorkspaceFacts | undefined;
  /** A folder can be searched, though little may be known of it. */
  readonly hasFolder?: boolean | undefined;
}

/** Reads the mechanical signs of a question. Pure. */
export function readSigns(question: string, language = detectLanguage(question), around: Surroundings = {}): Signs {
  const text = question.normalize('NFKC').slice(0, longestRead).trim();
  const { tag, words, parts } = readWords(text, language);
  const refusal = refusalOf(text, words);
  const terms = termsIn(parts, text);
  const found = subjectOf(text, parts, words, around);
  return { ...found, language: tag, terms: found.subject === 'named' ? terms : [], ...(refusal && { refusal }) };
}

/** Whether research can start without a look-up or a question, by the signs alone. */
export function isComplete(question: string, language?: string, around?: Surroundings): boolean {
  const { subject, terms, refusal } = readSigns(question, language, around);
  return subject === 'named' && terms.length === 0 && refusal === undefined;
}

/** A few words do not show their language ("Krebs"): the one whose lists know all of them is taken. */
function readWords(
  text: string,
  language: string,
): { readonly tag: string; readonly words: AskingWords; readonly parts: readonly Part[] } {
  const first = askingWords(language);
  const parts = partsOf(text, first, language);
  const isOpen = (read: readonly Part[]): boolean => read.some(({ kinds }) => kinds.has('content'));
  if (isOpen(parts) && parts.length <= fewWords) {
    for (const { tag, asking } of languages) {
      if (asking === undefined || asking === first) continue;
      const other = partsOf(text, asking, tag);
      if (!isOpen(other)) return { tag, words: asking, parts: other };
    }
  }
  return { tag: language, words: first, parts };
}

export function askingWords(language: string): AskingWords {
  return findLanguage(language)?.asking ?? languages[0]!.asking!;
}

// ------------------------------------------------------------------------------------------------------------- refusals

function refusalOf(text: string, words: AskingWords): Signs['refusal'] {
  const bare = /[\p{L}\p{N}].*[\p{L}\p{N}\p{M}]/su.exec(text)?.[0] ?? text;
  // People who write in one language greet in another, and few words do not show theirs.
  const all = [words, ...languages.flatMap(({ asking }) => (asking === undefined || asking === words ? [] : [asking]))];
  for (const { harm, task, smallTalk } of all) {
    if (new RegExp(harm, 'iu').test(text)) return 'harm';
    if (new RegExp(`^(?:${smallTalk})$`, 'iu').test(bare)) return 'smallTalk';
    if (new RegExp(`^(?:${task})`, 'iu').test(bare)) return 'task';
  }
  return undefined;
}

// ---------------------------------------------------------------------------------------------------------------- words

type Kind =
  | 'grammar'
  | 'request'
  | 'pointing'
  | 'private'
  | 'article'
  | 'general'
  | 'thing'
  | 'here'
  | 'part'
  | 'paper'
  | 'field'
  | 'identifier'
  | 'content';

interface Part {
  readonly text: string;
  /** A word may belong to several ("drug" is a thing to point at and a whole field); content to none. */
  readonly kinds: ReadonlySet<Kind>;
  /** In the text. */
  readonly at: number;
}

interface Lexicon {
  readonly kinds: ReadonlyMap<string, ReadonlySet<Kind>>;
  /** Of a word without spaces around it, in characters. */
  readonly longest: number;
  readonly endings: readonly string[];
  readonly named: ReadonlySet<string>;
}

const lexicons = new WeakMap<AskingWords, Lexicon>();

function lexiconOf(words: AskingWords): Lexicon {
  const made = lexicons.get(words);
  if (made) return made;
  const kinds = new Map<string, Set<Kind>>();
  const add = (kind: Kind, list = ''): void => {
    for (const word of split(list)) kinds.set(word, (kinds.get(word) ?? new Set()).add(kind));
  };
  add('request', words.requests);
  add('pointing', words.pointing);
  add('private', words.private);
  add('article', words.articles);
  add('general', words.general);
  add('thing', words.things);
  add('here', words.here);
  add('part', words.parts);
  add('paper', words.papers);
  add('field', words.fields);
  const longest = Math.max(...[...kinds.keys()].map((word) => word.length));
  const lexicon = { kinds, longest, endings: split(words.endings ?? ''), named: new Set(split(words.named)) };
  lexicons.set(words, lexicon);
  return lexicon;
}

function split(list: string): string[] {
  return list
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.replaceAll('_', ' '));
}

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+/gu;
/** Words, with what joins their parts ("left-pad", "aide-moi", "C++"). */
const spaced = /[\p{L}\p{N}\p{M}]+(?:[-'’.+#/&@_][\p{L}\p{N}\p{M}]+)*(?:\+\+|#)?/gu;
/** Capital letters with a digit among them, or three and more of them: "STATUS6", "XKB-204", "RLM", "PCSK9i". */
const identifier = /^\p{Lu}(?=[\p{Lu}\d-]*\d|\p{Lu}{2})[\p{Lu}\d-]+\p{Ll}?$/u;
const none: ReadonlySet<Kind> = new Set();

function partsOf(text: string, words: AskingWords, language: string): Part[] {
  const lexicon = lexiconOf(words);
  const parts: Part[] = [];
  const push = (part: string, kinds: ReadonlySet<Kind>, at: number): void => void parts.push({ text: part, kinds, at });
  // Runs of a script without spaces are cut at the longest words of the lists; what is left of them is content.
  const cut = (run: string, at: number): void => {
    let rest = '';
    const flush = (end: number): void => {
      if (rest !== '')
        push(
          rest,
          isStopword(rest, language) ? new Set<Kind>(['grammar']) : new Set<Kind>(['content']),
          end - rest.length,
        );
      rest = '';
    };
    for (let from = 0; from < run.length;) {
      let size = Math.min(lexicon.longest, run.length - from);
      while (size > 0 && !lexicon.kinds.has(run.slice(from, from + size))) size -= 1;
      const word = run.slice(from, from + Math.max(1, size));
      if (size > 0 && !(size === 1 && rest !== '' && !isGrammarCharacter(word, lexicon))) {
        flush(at + from);
        push(word, lexicon.kinds.get(word)!, at + from);
      } else rest += word;
      from += word.length;
    }
    flush(at + run.length);
  };
  const pieces = [
    ...[...text.matchAll(spaceless)].map((match) => ({ run: match[0], at: match.index, isSpaced: false })),
    ...[...text.replace(spaceless, (run) => ' '.repeat(run.length)).matchAll(spaced)].map((match) => ({
      run: match[0],
      at: match.index,
      isSpaced: true,
    })),
  ].sort((a, b) => a.at - b.at);
  const joined = joinedNames(pieces, lexicon);
  for (const { run, at, isSpaced } of joined) {
    if (!isSpaced) cut(run, at);
    else push(run, kindsOf(run, lexicon, language), at);
  }
  return parts;
}

/** A single character is cut off a run only when it is grammar: 癌 in 胰腺癌 belongs to its word. */
function isGrammarCharacter(character: string, { kinds }: Lexicon): boolean {
  const found = kinds.get(character) ?? none;
  return found.has('request') || found.has('pointing');
}

interface Piece {
  readonly run: string;
  readonly at: number;
  readonly isSpaced: boolean;
}

/** Neighbours that a list has as one ("machine learning"). */
function joinedNames(pieces: readonly Piece[], { kinds }: Lexicon): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const both = last?.isSpaced && piece.isSpaced ? `${last.run} ${piece.run}`.toLowerCase() : '';
    if (last && kinds.has(both))
      joined[joined.length - 1] = { run: `${last.run} ${piece.run}`, at: last.at, isSpaced: true };
    else joined.push(piece);
  }
  return joined;
}

function kindsOf(word: string, lexicon: Lexicon, language: string): ReadonlySet<Kind> {
  const lower = word
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/'(?:s|d|m|re|ve|ll)$/, '');
  const listed = lexicon.kinds.get(lower) ?? withoutEnding(lower, lexicon);
  if (listed) return listed;
  if (identifier.test(word)) return new Set(['identifier', 'content']);
  if (isStopword(lower, language) || /^\p{N}+$/u.test(word) || /^\p{L}$/u.test(word)) return new Set(['grammar']);
  if (isKeyboardRow(lower)) return new Set(['request']);
  return new Set(['content']);
}

function withoutEnding(word: string, { endings, kinds }: Lexicon): ReadonlySet<Kind> | undefined {
  for (const ending of endings) {
    const found = word.endsWith(ending) ? kinds.get(word.slice(0, -ending.length)) : undefined;
    if (found) return found;
  }
  return endings.includes(word) ? new Set(['grammar']) : undefined;
}

/** Fingers on one row of the keyboard: "asdf", "qwertz". */
function isKeyboardRow(word: string): boolean {
  return (
    word.length >= 4 &&
    ['qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm', 'azertyuiop'].some((row) => row.includes(word))
  );
}

// -------------------------------------------------------------------------------------------------------------- subject

function subjectOf(
  text: string,
  parts: readonly Part[],
  words: AskingWords,
  around: Surroundings,
): Pick<Signs, 'subject' | 'phrase' | 'pointsAt' | 'resolved'> {
  const has = (part: Part | undefined, ...kinds: Kind[]): boolean => kinds.some((kind) => part?.kinds.has(kind));
  const content = parts.filter((part) => has(part, 'content', 'identifier'));
  const nouns = parts.filter((part) => has(part, 'thing', 'here', 'part', 'paper', 'field'));
  const pointer = parts.findIndex((part) => has(part, 'pointing'));
  const named = { subject: 'named', phrase: '' } as const;
  const pointedAt = pointed(parts, content.length === 0);
  if (pointedAt) {
    const { phrase, noun } = pointedAt;
    const meaning = meaningOf(noun, around);
    if (meaning !== undefined) return { ...named, pointsAt: kindOfNoun(noun), resolved: { phrase, ...meaning } };
    // Something that was named before, or a name anywhere, is what the phrase points at.
    const before = content.some((part) => /[\p{P}]/u.test(text.slice(part.at + part.text.length, pointedAt.at)));
    const isName = (part: Part): boolean => has(part, 'identifier') || (/^\p{Lu}/u.test(part.text) && part.at > 0);
    const aName = words.capitalNouns !== true && content.some(isName);
    if (!before && !aName && content.length < manyWords)
      return { subject: 'reference', phrase, pointsAt: kindOfNoun(noun) };
    return named;
  }
  if (content.length > 0 && !isMerePronoun(parts, content, pointer, around, words)) return named;
  if (pointer !== -1 || (nouns.length === 0 && (around.workspace?.attached ?? []).length > 0)) {
    const meaning = meaningOf(undefined, around);
    const next = parts[pointer + 1];
    const phrase =
      pointer === -1 ? text : joinWords([parts[pointer]!.text, ...(content.includes(next!) ? [next!.text] : [])]);
    if (meaning !== undefined) return { ...named, resolved: { phrase, ...meaning } };
    if (pointer !== -1) return { subject: 'reference', phrase };
  }
  if (nouns.length === 0) return { subject: 'none', phrase: '' };
  if (new RegExp(words.definition, 'iu').test(text)) return named;
  const isInFolder = (around.workspace?.topics ?? []).some((topic) =>
    nouns.every(({ text: noun }) => topic.toLowerCase().includes(noun.toLowerCase())),
  );
  if (isInFolder) return named;
  const [first, last] = [nouns[0]!, nouns.at(-1)!];
  return { subject: 'broad', phrase: text.slice(first.at, last.at + last.text.length) };
}

/** "Is it safe?", "this enzyme": one word beside the one that points, and no name. In a folder it is about the folder. */
function isMerePronoun(
  parts: readonly Part[],
  [only, ...others]: readonly Part[],
  pointer: number,
  { workspace, hasFolder }: Surroundings,
  { capitalNouns }: AskingWords,
): boolean {
  if (pointer === -1 || only === undefined || others.length > 0 || only.kinds.has('identifier')) return false;
  if (hasFolder || (workspace?.fileCount ?? 0) > 0) return false;
  const isName = /^\p{Lu}/u.test(only.text) && only.at > 0 && !capitalNouns;
  const isLong = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(only.text) && only.text.length > 2;
  return !isName && !isLong && parts.length <= manyWords;
}

/** The first noun that a demonstrative stands before, or an article where nothing else is named. */
function pointed(
  parts: readonly Part[],
  isBare: boolean,
): { readonly phrase: string; readonly noun: Part; readonly at: number } | undefined {
  for (const [index, part] of parts.entries()) {
    if (!part.kinds.has('pointing') && !(isBare && part.kinds.has('article'))) continue;
    let next = index + 1;
    while (parts[next]?.kinds.has('general') && !isNoun(parts[next]!)) next += 1;
    const noun = parts[next];
    if (noun === undefined || !isNoun(noun)) continue;
    const phrase = parts.slice(index, next + 1).map(({ text }) => text);
    return { phrase: joinWords(phrase), noun, at: part.at };
  }
  return undefined;
}

function isNoun({ kinds }: Part): boolean {
  return kinds.has('thing') || kinds.has('here') || kinds.has('part') || kinds.has('paper');
}

function kindOfNoun({ kinds }: Part): NonNullable<Signs['pointsAt']> {
  return kinds.has('paper') ? 'paper' : kinds.has('here') || kinds.has('part') ? 'here' : 'thing';
}

function joinWords(words: readonly string[]): string {
  return words.reduce((text, word) =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text) ? text + word : `${text} ${word}`,
  );
}

/** What a phrase means by what surrounds it. "" for a folder without a name. A noun is absent for a mere "this" or "it". */
function meaningOf(noun: Part | undefined, { workspace, hasFolder }: Surroundings): Resolved | undefined {
  const { attached = [], papers = [], repos = [], name = '', fileCount = 0 } = workspace ?? {};
  const { openFile, earlierQuestion } = workspace ?? {};
  if (attached.length > 0) return { meaning: attached.slice(0, mostNamed).map(titleOf).join(', ') };
  const isPart = noun === undefined || noun.kinds.has('part');
  if (isPart && openFile !== undefined) return { meaning: openFile, adds: true };
  if (noun?.kinds.has('paper') && papers.length === 1) return { meaning: papers[0]!, adds: true };
  if (noun && (noun.kinds.has('here') || noun.kinds.has('part')) && (hasFolder || fileCount > 0 || repos.length > 0))
    return { meaning: noun.kinds.has('part') ? '' : (repos[0] ?? name) };
  // The question before this one, where it speaks of such a thing.
  const speaksOfIt = noun === undefined || earlierQuestion?.toLowerCase().includes(noun.text.toLowerCase());
  return earlierQuestion !== undefined && speaksOfIt ? { meaning: earlierQuestion, adds: true } : undefined;
}

interface Resolved {
  readonly meaning: string;
  /** Its words belong into the queries. */
  readonly adds?: boolean;
}

function titleOf({ title }: { readonly title: string }): string {
  return title;
}

// ---------------------------------------------------------------------------------------------------------------- terms

/** Names of packages beside a word that says so: `zorbleflux-core`, `@scope/name`. */
const packageName = /^@?[a-z][a-z0-9]*(?:[-_./@][a-z0-9]+)+$/;
/** A change in a protein ("G12C", "V600E"): it belongs to the name before it. */
const variant = /^[ACDEFGHIKLMNPQRSTVWY]\d{1,4}[ACDEFGHIKLMNPQRSTVWY*]$/;
const published = /^(?:CVE-\d{4}-\d{4,}|NCT\d{8}|GHSA-[\w-]+)$/i;
/** A code as makers give it to a compound or a part: "XKB-2204". */
const maker = /^\p{Lu}{2,5}-\d{3,6}$/u;
const mostTerms = 5;

/**
 * Identifiers that may be unknown: registered numbers, codes of makers, one beside a word like "gene" or "package", and those of a question that has
 * nothing else. In a sentence that says more, what an abbreviation means shows by its company.
 */
function termsIn(parts: readonly Part[], text: string): string[] {
  const words = parts.filter(({ kinds }) => !kinds.has('grammar') && !kinds.has('article'));
  const isBare = words.every(({ kinds }) => !kinds.has('content') || kinds.has('identifier'));
  const lexiconNamed = (part: Part | undefined): boolean => part !== undefined && isNamedClass(part.text);
  const terms = words.filter((part, index) => {
    const { text: word, kinds } = part;
    if (published.test(word)) return true;
    const isBeside = lexiconNamed(words[index - 1]) || lexiconNamed(words[index + 1]);
    if (packageName.test(word)) return lexiconNamed(words[index - 1]) && !isOpenWord(word);
    if (!kinds.has('identifier') || isWellKnown(word)) return false;
    if (variant.test(word) && words.some((other) => other !== part && other.kinds.has('identifier'))) return false;
    // Shouting is no abbreviation.
    if (!/\d/.test(word) && (text === text.toUpperCase() || word.length > 6))
      return isBare && words.length === 1 && word.length <= 6;
    return isBare || isBeside || maker.test(word);
  });
  return [...new Set(terms.map(({ text: word }) => word))].slice(0, mostTerms);
}

const namedClasses = new Set(languages.flatMap(({ asking }) => split(asking?.named ?? '')));
const namedEndings = split(languages.find(({ tag }) => tag === 'ko')?.asking?.endings ?? '');

function isNamedClass(word: string): boolean {
  const lower = word.toLowerCase();
  return (
    namedClasses.has(lower) ||
    namedEndings.some((ending) => lower.endsWith(ending) && namedClasses.has(lower.slice(0, -ending.length)))
  );
}

/** "open-source": an adjective, not a name. */
function isOpenWord(word: string): boolean {
  return /^(?:open|real|high|low|multi|cross|third|built|long|short|zero|self|non|pre|re|well)-/.test(word);
}
