import { fillText } from '../../protocol/fillText.ts';
import type { ErrorReason, Refusal, ResearchError } from '../errors.ts';
import english from './texts/en.json' with { type: 'json' };
import { baseTag } from './languages.ts';

type English = typeof english;

/** What a run says of itself: warnings, the reasons of its choices, and the account of how the report was made. */
export interface RunTexts extends Readonly<English['run']> {
  /** What an error is, by its reason. English has none: there the error's own message says more. */
  readonly errors?: Readonly<Record<ErrorReason | Refusal, string>>;
}

/** Everything that the program says in the language of a report (docs/languages.md). */
export interface Texts extends Readonly<Omit<English, 'run'>> {
  readonly run: RunTexts;
}

/** A translation is a chunk of its own. */
const translations: Readonly<Record<string, () => Promise<{ readonly default: Texts }>>> = {
  ar: () => import('./texts/ar.json', { with: { type: 'json' } }),
  de: () => import('./texts/de.json', { with: { type: 'json' } }),
  es: () => import('./texts/es.json', { with: { type: 'json' } }),
  fr: () => import('./texts/fr.json', { with: { type: 'json' } }),
  ja: () => import('./texts/ja.json', { with: { type: 'json' } }),
  ko: () => import('./texts/ko.json', { with: { type: 'json' } }),
  ru: () => import('./texts/ru.json', { with: { type: 'json' } }),
  zh: () => import('./texts/zh.json', { with: { type: 'json' } }),
};

/** Languages of which every text is translated, English aside. */
export const translated: readonly string[] = Object.keys(translations);

const loaded = new Map<string, Texts>([['en', english]]);

/** Loads the texts of a BCP 47 tag, before {@link textsIn} is asked for them. */
export async function loadTexts(tag: string): Promise<void> {
  const load = translations[baseTag(tag)];
  if (load !== undefined) loaded.set(baseTag(tag), (await load()).default);
}

/** The texts of a loaded language; English where it has none. */
export function textsIn<K extends keyof Texts>(tag: string, part: K): Texts[K] {
  return (loaded.get(baseTag(tag)) ?? english)[part];
}

/** What an error is, for a person: its own words in English, by its refusal or its reason in any other language. */
export function errorText(
  { reason, refusal, origin, plain }: Pick<ResearchError, 'reason' | 'refusal' | 'origin' | 'plain'>,
  texts: RunTexts,
): string {
  return texts.errors ? fillText(texts.errors[refusal ?? reason], { origin: origin ?? texts.service }) : plain;
}
