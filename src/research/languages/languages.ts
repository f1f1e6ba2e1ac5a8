import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { id } from './id.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { ru } from './ru.ts';
import { sv } from './sv.ts';
import { tr } from './tr.ts';
import { vi } from './vi.ts';
import { zh } from './zh.ts';
import type { Language } from './language.ts';

/** English first, what the others fall back to; of two that fit a text equally the earlier one is taken. */
export const languages: readonly Language[] = [en, de, fr, es, pt, it, nl, pl, ru, tr, sv, vi, id, ar, zh, ja, ko];

const byTag = new Map(languages.map((language) => [language.tag, language]));

/** The language of a BCP 47 tag; undefined when nothing is known of it. */
export function findLanguage(tag: string): Language | undefined {
  return byTag.get(baseTag(tag));
}

/** A BCP 47 tag without script and region. */
export function baseTag(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}
