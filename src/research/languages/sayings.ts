import type { ResearchError } from '../errors.ts';
import { textsIn } from './languages.ts';
import type { RunTexts } from './runTexts.ts';

/** What a run says, in the language of a BCP 47 tag; English where there is no translation. */
export function runTexts(language: string): RunTexts {
  return textsIn(language, 'run');
}

/** Puts values into the `{name}` places of a text. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** What an error is, for a person: its own words in English, by its reason in any other language. */
export function errorText(
  { reason, origin, plain }: Pick<ResearchError, 'reason' | 'origin' | 'plain'>,
  texts: RunTexts,
): string {
  return texts.errors ? fillText(texts.errors[reason], { origin: origin ?? texts.service }) : plain;
}
