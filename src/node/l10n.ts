import { readdir, readFile } from 'node:fs/promises';
import { errorLocalizer } from '../protocol/errorLocalizer.ts';
import { fillText } from '../protocol/fillText.ts';

let texts: Readonly<Record<string, string>> = {};
let locale = 'en';
let localizeError = (text: string): string => text;

/** The texts of the command line, in the language of the terminal once {@link speak} has loaded it. */
export const l10n = {
  t(text: string, ...values: readonly (string | number)[]): string {
    return fillText(texts[text] ?? text, values, locale);
  },
  /** What the engine says of an error. */
  error: (text: string): string => localizeError(text),
  /** `a, b or c`; `a, b and c`. */
  list: (items: readonly string[], type: 'disjunction' | 'conjunction' = 'disjunction'): string =>
    new Intl.ListFormat(locale, { type }).format(items),
};

/** Loads the texts of a language from the bundles in a folder. Where there are none, the texts are English. */
export async function speak(tag: string, folder: URL): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const bundles = names.flatMap((name) => /^bundle\.l10n\.([\w-]+)\.json$/.exec(name)?.[1] ?? []);
  const found = bundles.find((one) => one === tag.toLowerCase()) ?? bundles.find((one) => isSameWriting(one, tag));
  if (found === undefined) return;
  const bundle = await readFile(new URL(`bundle.l10n.${found}.json`, folder), 'utf8');
  texts = JSON.parse(bundle) as Record<string, string>;
  locale = found;
  localizeError = errorLocalizer(texts);
}

/** The language that a terminal is set to, by POSIX (XBD 8.2: the first of these that is not empty counts): `zh_CN.UTF-8` is `zh-CN`. */
export function terminalLanguage({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string {
  const [name = ''] = (LC_ALL || LC_MESSAGES || LANG || '').split(/[.@]/, 1);
  return name.replaceAll('_', '-');
}

/** `zh-SG` is written as `zh-CN` is, `zh-TW` is not. */
function isSameWriting(one: string, other: string): boolean {
  try {
    const [a, b] = [one, other].map((tag) => new Intl.Locale(tag).maximize());
    return a!.language === b!.language && a!.script === b!.script;
  } catch {
    return false;
  }
}
