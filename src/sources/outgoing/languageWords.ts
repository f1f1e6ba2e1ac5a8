import { stem } from '../../research/text/stem.ts';
import { fold } from '../../research/text/tokenize.ts';
import type { Words } from './wordLists.ts';

/** What anybody knows of a language without the user's files. */
export interface LanguageWords {
  /**
   * Whether these are ordinary words.
   * @param written One word, or a run of characters of a script without spaces.
   * @param isName The files write it as a name.
   */
  isOrdinary(written: string, isName: boolean): boolean;
}

type Language = 'de' | 'fr' | 'ko' | 'zh';

const loaded = new Map<Language, Promise<LanguageWords>>();

/** Loaded on first use, once a process; undefined for a language without a list. English is always known. */
export async function languageWords(tag: string): Promise<LanguageWords | undefined> {
  const language = tag.split('-')[0] as Language;
  if (!Object.hasOwn(rules, language)) return undefined;
  const known =
    loaded.get(language) ??
    import('./wordLists.ts').then(async ({ readWords }) => rules[language](await readWords(language)));
  loaded.set(language, known);
  return known;
}

const rules: Readonly<Record<Language, (words: Words) => LanguageWords>> = {
  // A capital says nothing: every noun has one. A compound of ordinary words is one where its last part is abstract.
  de: (words) => ({
    isOrdinary(written) {
      const whole = fold(written);
      return words.has(stem(whole)) || isCompound(whole, words);
    },
  }),
  fr: (words) => ({ isOrdinary: (written, isName) => !isName && words.has(stem(fold(written))) }),
  ko: (words) => ({ isOrdinary: (written) => isKorean(written.normalize('NFC'), words) }),
  zh: (words) => ({ isOrdinary: (written) => isCovered(written, words) }),
};

const leastPart = 4;
/** Nouns of actions, properties and things that are done: what a name of a project or a company does not end with. */
const abstractEnd =
  /(?:ung|ungen|heit|heiten|keit|keiten|ion|ionen|schaft|schaften|ierung|barkeit|nis|nisse|tat|taten|ismus|ik|verfahren|system|systeme|dienst|dienste|stelle|stellen|zeit|zeiten|rate|raten|datei|dateien|liste|listen|schlange|schlangen|satz|satze|reihe|reihen|bedarf|verbrauch|aufwand|name|namen|wert|werte|format|formate|code|plan|plane|prozess|prozesse|lauf|laufe|tabelle|tabellen|zugriff|zugriffe|fehler|grosse|anzahl|grenze|grenzen)$/;

function isCompound(word: string, words: Words): boolean {
  if (!abstractEnd.test(word)) return false;
  for (let at = leastPart; at <= word.length - 3; at += 1) {
    const first = word.slice(0, at).replace(/(?:s|es|en|er|n)$/, '');
    const isFirst = words.has(stem(word.slice(0, at))) || words.has(stem(first));
    if (isFirst && (words.has(stem(word.slice(at))) || isCompound(word.slice(at), words))) return true;
  }
  return false;
}

/** Particles and endings at the end of a Korean word, and syllables that make a noun of a noun. */
const particle =
  /(?:은|는|이|가|을|를|에|의|로|과|와|도|만|들|으로|에서|에게|부터|까지|처럼|보다|하기|하는|한|할|함|된|될|됨|되는|되기|하다|되다|이다)$/;
const nounEnd = /(?:량|성|화|율|률|기|자|적|형|별|용|값|층|점|력|률|명|수|식|어|체|품|법)$/;

function isKorean(word: string, words: Words, deep = 0): boolean {
  if (words.has(word)) return true;
  if (deep > 3 || word.length < 2) return false;
  for (const end of [particle, nounEnd]) {
    const bare = word.replace(end, '');
    if (bare !== word && bare.length >= 2 && isKorean(bare, words, deep + 1)) return true;
  }
  // 재시도: a syllable before a noun.
  if (/^(?:재|비|미|무|불|초|다|단|반|준|신|역|상|하|총|각)/.test(word) && word.length > 2 && words.has(word.slice(1)))
    return true;
  return false;
}

/** Whether a run is made of words of the list alone. */
function isCovered(run: string, words: Words): boolean {
  const reached = new Set([0]);
  for (let at = 0; at < run.length; at += 1)
    if (reached.has(at))
      for (const length of [2, 3]) if (words.has(run.slice(at, at + length))) reached.add(at + length);
  return reached.has(run.length);
}
