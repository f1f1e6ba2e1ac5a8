import type { DigestTexts } from '../../languages/language.ts';
import { textsIn } from '../../languages/languages.ts';

export type Texts = DigestTexts;

/** The texts of a BCP 47 language; English where there are none. */
export function textsOf(language: string): Texts {
  return textsIn(language, 'digest');
}

/** Puts values into the places of a text. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

/** "A", "A and B", "A, B and C". */
export function join(items: readonly string[], texts: Texts): string {
  if (items.length < 2) return items[0] ?? '';
  return items.slice(0, -1).join(texts.comma) + texts.and + items.at(-1)!;
}

/** "one source", "six sources", "more than twelve sources". */
export function sourcesInWords(count: number, texts: Texts): string {
  return texts.sources[Math.min(Math.max(count, 1), texts.sources.length) - 1]!;
}
