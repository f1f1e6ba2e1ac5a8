import type { FacetId } from './facets.ts';
import { ar } from './texts/ar.ts';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { ja } from './texts/ja.ts';
import { ko } from './texts/ko.ts';
import { ru } from './texts/ru.ts';
import { zh } from './texts/zh.ts';

/** Everything that the extractive analyst says in its own words. `{…}` are places for what is named in braces. */
export interface Texts {
  /** Headings of sections by facet. */
  readonly facets: Readonly<Record<FacetId, string>>;
  /** The first section's heading when the subject is a phrase: `{subject}`. */
  readonly whatItIs: string;
  /** The same for a subject in the plural, in languages where it differs. */
  readonly whatTheyAre?: string;
  /** Heading of the section that answers the question itself: `{aspect}`, `{subject}`. */
  readonly aspectOf: string;
  /** Headings of a comparison: `{sides}`. */
  readonly compared: Readonly<
    Record<'definition' | 'techniques' | 'evaluation' | 'cost' | 'limits' | 'tools' | 'choice', string>
  >;
  /** Joins sides and lists: "A", "B" -> "A and B". */
  readonly and: string;
  readonly comma: string;
  /** Headings within a section, by where the words come from. */
  readonly origins: Readonly<Record<'workspace' | 'papers' | 'projects' | 'discussions' | 'web', string>>;
  /** Column heads of a table. */
  readonly columns: { readonly source: string; readonly subject: string; readonly says: string };
  /** Row of a comparison for what names none of its sides. */
  readonly related: string;
  /** The line under the title: `{sources}` is a number of sources in words. */
  readonly digest: string;
  readonly conclusion: string;
  readonly found: string;
  /** `{section}`, `{sources}`. */
  readonly foundLine: string;
  readonly notFound: string;
  readonly allFound: string;
  /** What a reader should do next. */
  readonly outlook: string;
  readonly objective: string;
  readonly scope: string;
  /** Of a section: `{facet}`, `{subject}`. */
  readonly description: string;
  /** Number of sources in words: one to twelve, then more. Figures in a report belong to its sources. */
  readonly sources: readonly string[];
  readonly assess: {
    readonly topic: string;
    readonly topicOptions: readonly [string, string, string];
    readonly scope: string;
    readonly scopeOptions: readonly [string, string, string, string];
    /** `{subject}` */
    readonly understood: string;
    readonly defaultGoal: string;
    readonly cannotDo: string;
    readonly noTopic: string;
  };
}

const all: Readonly<Record<string, Texts>> = { ar, de, en, es, fr, ja, ko, ru, zh };

/** The texts of a BCP 47 language; English where there are none. */
export function textsOf(language: string): Texts {
  return all[language.toLowerCase().split('-')[0] ?? ''] ?? en;
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
