import { arxivIdentity } from '../../research/evidence/paperIdentity.ts';
import { isStopword } from '../../research/text/stopwords.ts';
import { fold, isPairedScript, termsOf, tokensOf } from '../../research/text/tokenize.ts';
import { trimEnd } from '../../research/text/trimEnd.ts';
import { stem } from '../../research/text/stem.ts';
import { digitsOf, type FolderWords, formsOf, hashOf, joinedForm, phraseLength, phrasesOf } from './folderWords.ts';
import type { KnownWords } from './knownWords.ts';
import type { LanguageWords } from './languageWords.ts';
import {
  decoded,
  disguises,
  isNumber,
  joinedScript,
  partsWithin,
  plainForm,
  reversed,
  unitsOf,
  valuesOf,
} from './spellings.ts';
import { hasWords, type Vocabulary } from './vocabulary.ts';

/** A longer run of letters and digits is no word: a key, or something packed. */
const longestWord = 28;
const longestMixed = 15;
/** Single letters one after the other spell something. */
const spelled = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[^\p{L}\p{N}]{1,3}[\p{L}\p{N}](?![\p{L}\p{N}])){3,}/gu;
/** Words of a name, groups of a number. */
const mostJoined = 24;
/** UTF-16 units between two of them: `"Zephyr" "Quill"`. */
const mostBetween = 3;
/** Groups of a number, and what is at least half of one. */
const isOfDigits = /^\d{7,}$|\d{8}/;
/** Shorter numbers are in every folder, as versions of up to {@link leastDigits} digits are. */
const leastDigits = 5;
const isShort = /^(?:\p{N}\P{N}*){1,3}$/u;
const isVersion = /^v\p{N}{1,3}(?:\.\p{N}{1,3}){0,3}$/iu;
/** Letters of a private word within a longer one, and of what may be joined to it without being a word. */
const leastWithin = 6;
const mostBeside = 3;
const isHangul = /^\p{Script=Hangul}+$/u;
/** Scripts of whose words the segmenter doesn't say whether they are in its dictionary. */
const isUncertain = /^[\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+$/u;
/** Sound by sound, as Japanese writes words and names of other languages. */
const katakana = /[\p{Script=Katakana}ー]{3,}/gu;
const pairedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]+/gu;
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** A longer word, in UTF-16 units, is no name whose characters are set apart, and too much for an expression. */
const longestSpaced = 200;

/**
 * Finds the words of a text that only the user's files contain. A word is private when the files have it and neither the user
 * asked it, nor a public source of this run says it, nor the vocabulary has it; a word of the vocabulary, when the files write
 * it as a name; a row of words, when the files have it as a sentence. So is what spells, reverses or encodes such a word.
 */
export class PrivateWords {
  readonly #folder: FolderWords;
  readonly #known: KnownWords;
  readonly #vocabulary: Vocabulary;
  /** Names that stay here although they may be ordinary words. */
  readonly #own: ReadonlySet<string>;

  constructor(folder: FolderWords, known: KnownWords, vocabulary: Vocabulary, own: readonly string[]) {
    this.#folder = folder;
    this.#known = known;
    this.#vocabulary = vocabulary;
    this.#own = new Set(own.map(fold));
  }

  /** The units of a text (words, names, numbers between spaces) that may not be sent, as the text spells them. */
  privateIn(text: string, languages: readonly LanguageWords[] = []): Set<string> {
    const found = new Set<string>();
    const read = plainForm(text);
    const units = unitsOf(joinedScript(read));
    for (const unit of units) {
      for (const run of unit.match(pairedRuns) ?? [])
        for (const part of this.#privateRuns(run, languages)) found.add(part);
      if (isPairedScript(unit)) continue;
      if (this.isPrivate(unit, languages) && !this.#isOrdinary(unit, languages)) found.add(unit);
    }
    for (const [run] of read.matchAll(spelled)) {
      const word = fold(run.replace(/[^\p{L}\p{N}]+/gu, ''));
      if (!this.#known.has(word) && !this.#known.has(fold(run))) found.add(run);
    }
    for (const unit of this.#privatePhrases(units)) found.add(unit);
    for (const run of this.#privateJoined(read)) found.add(run);
    return found;
  }

  /** The units of a text that neither the user wrote nor a public source has, function words and ids of papers aside. */
  unaskedIn(text: string): Set<string> {
    const found = new Set<string>();
    for (const token of tokensOf(plainForm(text))) {
      if (isPairedScript(token)) for (const run of this.#unaskedRuns(token)) found.add(run);
      else if (arxivIdentity(token) === undefined) {
        const unit = /^[a-z]{2,12}:(.+)$/i.exec(token)?.[1] ?? token;
        const parts = unit.split(/[^\p{L}\p{N}\p{M}]+/u).map(fold);
        const isAsked = (part: string): boolean => part.length < 2 || isStopword(part) || this.#isKnown(part);
        if (!this.#known.has(fold(unit)) && !parts.every(isAsked)) found.add(unit);
      }
    }
    return found;
  }

  /** Of a script without spaces: segments one after the other whose pairs of characters are not all known. */
  #unaskedRuns(run: string): string[] {
    const isAsked = (word: string): boolean => termsOf(word).every((pair) => this.#known.has(pair));
    const found: string[] = [];
    let [name, at] = ['', 0];
    for (const { segment } of segmenter.segment(run)) {
      // A character alone is asked with one beside it.
      const beside = [run.slice(Math.max(0, at - 1), at + segment.length), run.slice(at, at + segment.length + 1)];
      // A Korean word may have an ending.
      const endings = isHangul.test(segment) ? [0, 1, 2] : [0];
      const isWord = [...segment].length > 1;
      const forms = isWord ? endings.map((ending) => segment.slice(0, segment.length - ending)) : beside;
      at += segment.length;
      if (isStopword(segment) || forms.some((form) => form.length > 1 && isAsked(form))) {
        if (name !== '') found.push(name);
        name = '';
      } else name += segment;
    }
    return name === '' ? found : [...found, name];
  }

  /** Words and groups of digits that together are a name or a number of the files. */
  #privateJoined(text: string): string[] {
    const found: string[] = [];
    const words = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)];
    for (const [from, first] of words.entries()) {
      let joined = fold(first[0]);
      for (let to = from + 1; to < Math.min(words.length, from + mostJoined); to += 1) {
        const next = words[to]!;
        const end = words[to - 1]!.index + words[to - 1]![0].length;
        if (next.index - end > mostBetween) break;
        joined += fold(next[0]);
        const isHeld =
          this.#folder.hasJoined(joined) ||
          (isOfDigits.test(joined) && this.#folder.has(joined)) ||
          (to === from + 1 && this.#isCut(joined, [fold(first[0]), fold(next[0])]));
        const parts = words.slice(from, to + 1).map(([word]) => word);
        const forms = parts.map(fold);
        // Two words that the files write as words alone: "load balancing", not "Night Owl".
        const isPlain = (word: string): boolean => word === fold(word);
        const isPair = parts.length === 2 && parts.some(isPlain);
        const isRow = parts.every(isPlain) && hasWords(forms);
        const isKnown =
          this.#known.has(joined) ||
          this.#vocabulary.isName(joined) ||
          forms.every((form) => this.#isKnown(form) || (isPair && this.#folder.isWrittenPlain(form))) ||
          (isRow && forms.every((form) => this.#isKnown(form) || this.#isTerm(form)));
        if (isHeld && !isKnown) found.push(text.slice(first.index, next.index + next[0].length));
      }
    }
    return found;
  }

  /** A private word in two parts of which one is no word. */
  #isCut(joined: string, parts: readonly string[]): boolean {
    const isOfLetters = /^\p{L}{6,}$/u.test(joined) && !isPairedScript(joined);
    return (
      isOfLetters &&
      this.#folder.has(joined) &&
      parts.some((part) => !this.#vocabulary.hasStem(stem(part)) && !this.#isKnown(part)) &&
      this.#isPrivateWord(joined, joined)
    );
  }

  /** The text without these units. */
  without(text: string, units: ReadonlySet<string>): string {
    let rest = plainForm(text);
    for (const unit of [...units].sort((a, b) => b.length - a.length))
      if (unit.length > longestSpaced) rest = rest.includes(unit) ? rest.replaceAll(unit, ' ') : '';
      else
        rest = isPairedScript(unit)
          ? rest.replace(new RegExp([...unit].map(escaped).join('[^\\p{L}\\p{N}]{0,2}'), 'gu'), ' ')
          : rest.replace(new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(unit)}(?![\\p{L}\\p{N}_])`, 'gu'), ' ');
    return rest
      .replace(/\b\w+:(?=\s|$)|(["'(])\s*["')]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  }

  /** A word of another language that anybody knows. */
  #isOrdinary(unit: string, languages: readonly LanguageWords[]): boolean {
    if (this.#own.has(fold(unit)) || !/^\p{L}[\p{L}\p{M}'’-]*$/u.test(unit) || /\p{Ll}\p{Lu}/u.test(unit)) return false;
    const parts = unit.split(/['’-]/u).filter((part) => part.length > 2);
    return (
      parts.length > 0 &&
      parts.every((part) => languages.some((one) => one.isOrdinary(part, this.#folder.isWrittenAsName(fold(part)))))
    );
  }

  isPrivate(unit: string, languages: readonly LanguageWords[] = []): boolean {
    const whole = fold(unit);
    if (this.#known.has(whole)) return false;
    if (this.#own.has(whole)) return true;
    const parts = whole.split(/[^\p{L}\p{N}\p{M}]+/u).filter((part) => part !== '');
    const isPlain = /^\p{L}[\p{L}\p{M}'’-]*$/u.test(unit) && !/\p{Ll}\p{Lu}/u.test(unit);
    // Letters of two scripts that look alike.
    if (parts.some((part) => /\p{Script=Latin}/u.test(part) && /\p{Script=Cyrillic}/u.test(part))) return true;
    if (parts.length === 1 && isPlain) return this.#isPrivateWord(unit, whole, languages);
    if (isVersion.test(unit) || this.#isStandard(unit, whole)) return false;
    if (this.#vocabulary.isName(whole) || this.#vocabulary.isName(parts.join(''))) return false;
    if (isPlain) {
      if (this.#folder.isName(whole) && !parts.every((part) => this.#isKnown(part))) return true;
      return parts.some((part) => this.#isPrivateWord(part, part, languages)) || this.#isPacked(unit);
    }
    if (isNumber(unit)) {
      const groups = unit.split(/[/:-]+/);
      return this.#isPrivateNumber(unit, whole) || groups.some((group) => this.#isPrivateNumber(group, group));
    }
    // An identifier, a host, a path, an address: as a whole, then by its parts.
    if (this.#folder.has(whole)) return !this.#isPublicCompound(unit);
    const isPlural = unit.endsWith('s') && /\p{Ll}\p{Lu}|_/u.test(unit);
    if (isPlural && this.#folder.hasJoined(joinedForm(unit).slice(0, -1))) return true;
    const isWithin = (part: string): boolean =>
      isNumber(part)
        ? this.#isPrivateNumber(part, part)
        : part.length >= leastWithin && this.#isPrivateWord(part, fold(part));
    const isJoined = partsWithin(unit).some((part) => part !== unit && isWithin(part));
    return (
      isJoined ||
      this.#isPacked(unit) ||
      (parts.length > 1
        ? parts.some((part) => this.isPrivate(part, languages))
        : this.#hasPrivatePart(whole, languages))
    );
  }

  /** Whether an address may be opened: it was named in this run, or is made of nothing but words that anybody knows. */
  mayOpen(address: string): boolean {
    const fragment = address.slice(address.split('#', 1)[0]!.length);
    if (this.#known.hasAddress(address)) return this.privateIn(decoded(fragment).replace(/[-_]/g, ' ')).size === 0;
    const bare = trimEnd(address.replace(/^www\./i, 'https://www.'), '.,;:!?)]');
    if (!URL.canParse(bare)) return false;
    const url = new URL(bare);
    // A name of several words, each of which may be ordinary.
    const segments = decoded(`${url.pathname}/${url.search}`).split(/[/?&=]+/);
    if (segments.some((one) => this.#privateJoined(one.replace(/[-_.+]/g, ' ')).length > 0)) return false;
    const parts = decoded(
      `${url.hostname} ${url.port} ${url.pathname} ${url.search} ${url.hash} ${url.username} ${url.password}`,
    )
      .split(/[^\p{L}\p{N}\p{M}]+/u)
      .filter((part) => part !== '');
    let odd = 0;
    return parts.every((part) => {
      if (this.#known.has(fold(part))) return true;
      if (this.isPrivate(part)) return false;
      if (part.length <= 3 && (odd += 1) <= 4) return true;
      if (/^\d{4,6}$/.test(part)) return (odd += 1) <= 4;
      return termsOf(part).every((term) => this.#vocabulary.hasStem(term) || this.#known.has(term));
    });
  }

  #isPrivateWord(unit: string, whole: string, languages: readonly LanguageWords[] = []): boolean {
    if (whole.length <= 2 || this.#isKnown(whole)) return false;
    const stemmed = stem(whole);
    const isPublicName = this.#vocabulary.isName(whole);
    if (!this.#folder.has(whole) && !this.#folder.has(stemmed))
      return (
        !isPublicName &&
        !this.#vocabulary.isEnglish(whole) &&
        (this.#isPacked(unit) || this.#hasPrivatePart(whole, languages) || this.#isSpelledOut(whole, languages))
      );
    if (isPublicName) return false;
    return !this.#vocabulary.isEnglish(whole) || this.#folder.isWrittenAsName(whole);
  }

  /** A name of the files whose umlauts are two letters: Hoelzenbein. */
  #isSpelledOut(word: string, languages: readonly LanguageWords[]): boolean {
    const plain = word.replace(/(?<=[aou])e/g, '');
    const isName = plain !== word && !this.#isKnown(plain) && this.#folder.isWrittenAsName(plain);
    return isName && !languages.some((one) => one.isOrdinary(plain, true));
  }

  /** Acronyms that anybody knows, with short numbers: `HTTP/2`, `SOCKS5`, `TLS-ALPN-01`. */
  #isStandard(unit: string, whole: string): boolean {
    const acronyms = unit.match(/\p{L}+/gu) ?? [];
    return (
      /^\p{Lu}{2}/u.test(unit) &&
      !/[^\p{Lu}\p{N}./-]|\p{N}{4}/u.test(unit) &&
      // A host of the files has the form of one too: SQL-PROD-03.
      (acronyms.length === 1 || !this.#folder.has(whole)) &&
      acronyms.every((part) => this.#vocabulary.isName(part))
    );
  }

  /** A private word of the files with something joined to it, at either end or both: another word, or a few letters. */
  #hasPrivatePart(word: string, languages: readonly LanguageWords[]): boolean {
    const isBeside = (rest: string): boolean =>
      rest.length <= mostBeside || this.#folder.has(rest) || this.#vocabulary.hasStem(stem(rest));
    const read = word.slice(0, 2 * longestWord);
    for (let from = 0; from <= read.length - leastWithin; from += 1) {
      if (!isBeside(word.slice(0, from))) continue;
      for (let to = from + leastWithin; to <= read.length; to += 1) {
        const part = word.slice(from, to);
        const isWhole = part === word || !this.#folder.has(part) || !isBeside(word.slice(to));
        if (!isWhole && this.#isPrivateWord(part, part) && !this.#isOrdinary(part, languages)) return true;
      }
    }
    return false;
  }

  /** All its words are public: an identifier of a public library, a compound of the field. */
  #isPublicCompound(unit: string): boolean {
    if (this.#vocabulary.isName(joinedForm(unit)) || formsOf(unit).every((form) => this.#known.has(form))) return true;
    const words = this.#vocabulary.wordsOf(unit);
    return words !== undefined && words.every((word) => this.#isTerm(word));
  }

  /** An identifier, or a row of words, that is made of such words alone says nothing of the files. */
  #isTerm(word: string): boolean {
    return this.#vocabulary.isCoined(word) || (this.#vocabulary.isTerm(word) && !this.#folder.isWrittenAsName(word));
  }

  #isKnown(word: string): boolean {
    return this.#known.has(word) || this.#known.has(stem(word));
  }

  #isPrivateNumber(unit: string, whole: string): boolean {
    const isYear = (value: string): boolean => /^(?:19|20)\d\d(?:-\d\d){0,2}$/.test(value);
    const digits = digitsOf(whole);
    const values = [whole, ...valuesOf(whole)].filter((value) => !isYear(value));
    // With a fraction, with zeros in front of a country's code, backwards.
    const forms = [
      digits,
      digitsOf(whole.replace(/[.,]\p{N}{1,2}$/u, '')),
      digits.replace(/^0+/, ''),
      reversed(digits),
    ];
    const isOfFolder = (form: string): boolean =>
      form.length >= leastDigits && (this.#folder.has(form) || this.#folder.hasJoined(form));
    const isHeld = values.some((value) => this.#folder.has(value)) || forms.some(isOfFolder);
    return !isShort.test(unit) && !isYear(unit) && isHeld && ![digits, ...values].some((one) => this.#known.has(one));
  }

  /** Whether a token looks like a key, or encodes one of the files' words. */
  #isPacked(unit: string): boolean {
    const isMixed = /\p{N}/u.test(unit) && /\p{L}/u.test(unit);
    const longest = unit.split(/[^\p{L}\p{N}]+/u).reduce((most, { length }) => Math.max(most, length), 0);
    if (longest > (isMixed ? longestMixed : longestWord)) return true;
    return disguises(unit).some((word) => word.length > 3 && this.#folder.has(word) && this.#isPrivateWord(word, word));
  }

  /** Chinese and the like: rows of characters that are no words of a dictionary are names. */
  #privateRuns(run: string, languages: readonly LanguageWords[]): string[] {
    const found: string[] = [];
    const isOrdinary = (name: string): boolean => languages.some((one) => one.isOrdinary(name, false));
    const isPrivateName = (name: string): boolean => {
      if ([...name].length < 2 || termsOf(name).every((pair) => this.#known.has(pair))) return false;
      const isOfFolder = this.#folder.has(fold(name)) || termsOf(name).every((pair) => this.#folder.has(pair));
      return isOfFolder && !isOrdinary(name);
    };
    let name = '';
    const end = (): void => {
      for (const part of this.#partsOfFolder(name)) if (isPrivateName(part)) found.push(part);
      name = '';
    };
    for (const [loan] of run.matchAll(katakana)) if (isPrivateName(loan) && !isLoanWord(loan)) found.push(loan);
    for (const { segment } of segmenter.segment(run)) {
      if (isUncertain.test(segment)) {
        end();
        const isOfFolder = [0, 1, 2].some((ending) => isPrivateName(segment.slice(0, segment.length - ending)));
        if (isOfFolder && !isOrdinary(segment)) found.push(segment);
      } else if ([...segment].length === 1) name += segment;
      else end();
    }
    end();
    return found;
  }

  /** The parts of a row of characters whose pairs the files have, cut at function words. */
  #partsOfFolder(row: string): string[] {
    const parts: string[] = [];
    let last = '';
    for (const character of row) {
      if (isStopword(character)) last = '';
      else if (last !== '' && this.#folder.has(last + character)) parts[parts.length - 1] += last = character;
      else parts.push((last = character));
    }
    return parts;
  }

  #privatePhrases(units: readonly string[]): string[] {
    const tokens = units.flatMap((unit) => tokensOf(unit).map((token) => ({ unit, form: fold(token) })));
    const found = new Set<string>();
    for (const [at, phrase] of phrasesOf(tokens.map(({ form }) => hashOf(form))).entries()) {
      if (!this.#folder.hasPhrase(phrase) || this.#known.hasPhrase(phrase)) continue;
      const row = tokens.slice(at, at + phraseLength);
      for (const { unit, form } of row) if (!this.#isKnown(form)) found.add(unit);
    }
    return [...found];
  }
}

/**
 * Whether the segmenter's dictionary has a word in katakana, or the words that it is made of. A run that it does not have is one segment
 * like a word; written twice it is cut within.
 */
function isLoanWord(run: string): boolean {
  let at = 0;
  const starts = new Set<number>();
  for (const { segment } of segmenter.segment(run + run)) {
    if (segment.length === 1 && segment !== 'ー') return false;
    starts.add(at);
    at += segment.length;
  }
  return starts.has(run.length);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
