import { isStopword } from './stopwords.ts';

/** Codes of countries that stand where the code of a language belongs, and that no common language has. */
const countries = { jp: 'ja', kr: 'ko', cn: 'zh', tw: 'zh', ua: 'uk', br: 'pt', cz: 'cs', gr: 'el', dk: 'da' };
/** As folders and files are named: `de`, `pt-BR`, `zhTW`, `zh_hans`. */
const tagShape = /^([a-z]{2}|[A-Z]{2})(?:[-_][A-Za-z]{2}|[-_][A-Za-z]{4}|[A-Z]{2})?$/;
/** A folder, or a part of a file's name: perhaps a tag, or the English name of a language. */
const part = /(^|[/._-])([A-Za-z]{2}(?:[-_]?[A-Za-z]{2}|[-_][A-Za-z]{4})?|[A-Za-z]{5,10})(?=$|[/._-])/g;

let known: ReadonlyMap<string, string> | undefined;

/** ISO 639-1 codes by themselves and by the English names of their languages. */
function languageCodes(): ReadonlyMap<string, string> {
  if (known !== undefined) return known;
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const codes = new Map<string, string>();
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = names.of(code);
    if (name !== undefined) codes.set(code, code).set(name.toLowerCase(), code);
  }
  for (const [country, code] of Object.entries(countries)) codes.set(country, code);
  return (known = codes);
}

function languageOf(name: string): string | undefined {
  const code = tagShape.exec(name)?.[1] ?? (name.length > 4 ? name : '');
  return languageCodes().get(code.toLowerCase());
}

interface Version {
  readonly path: string;
  readonly language: string;
  /** Its tag is no word of English: `log-in.md` is no version of `log.md`. */
  readonly isPlain: boolean;
}

/**
 * Translations that a question doesn't need: files whose path differs from that of another file by a language tag alone
 * (`docs/de/setup.md`, `README.zh-CN.md`, `setup_FR.md`), where the other is in the question's language or is the original: the one
 * without a tag, or else the English one. What the question names is needed.
 *
 * @param language Of the question, a BCP 47 tag without a region.
 */
export function needlessTranslations(paths: Iterable<string>, language: string, question: string): ReadonlySet<string> {
  const all = new Set(paths);
  const families = new Map<string, { readonly original: string; readonly versions: Version[] }>();
  for (const path of all) {
    for (const { 0: whole, 1: before, 2: name, index } of path.matchAll(part)) {
      const found = languageOf(name!);
      if (found === undefined) continue;
      const rest = path.slice(index + whole.length);
      const key = `${path.slice(0, index)}${before!}*${rest}`;
      const family = families.get(key) ?? {
        original: index === 0 ? rest.slice(1) : path.slice(0, index) + rest,
        versions: [],
      };
      family.versions.push({ path, language: found, isPlain: !isStopword(name!, 'en') });
      families.set(key, family);
    }
  }
  const asked = question.toLowerCase();
  const names = new Intl.DisplayNames(['en'], { type: 'language' });
  const ownNames = new Intl.DisplayNames([language, 'en'], { type: 'language' });
  const isNamed = (tag: string): boolean =>
    [names, ownNames].some((list) => asked.includes((list.of(tag) ?? tag).toLowerCase()));
  const needless = new Set<string>();
  for (const { original, versions } of families.values()) {
    const hasOriginal = all.has(original) && versions.some(({ isPlain }) => isPlain);
    const tags = new Set(versions.map((version) => version.language));
    if (!hasOriginal && (tags.size < 2 || !(tags.has(language) || tags.has('en')))) continue;
    const needed = new Set([language, ...(hasOriginal ? [] : ['en']), ...[...tags].filter(isNamed)]);
    for (const version of versions)
      if (!needed.has(version.language) && !asked.includes(version.path.toLowerCase())) needless.add(version.path);
  }
  return needless;
}
