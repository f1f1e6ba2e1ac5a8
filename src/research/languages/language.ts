import type { FacetId } from '../analyst/extractive/facets.ts';
import type { RunTexts } from './runTexts.ts';

/**
 * What the program knows of a language: its function words, and the fixed lines of a report in it. A language without a file
 * works as well: its words are cut and matched like any others, and the fixed lines are English.
 */
export interface Language {
  /** BCP 47, without a region. */
  readonly tag: string;
  /**
   * Function words that carry no subject, lower case, separated by white space. They also tell languages apart, so a word stands
   * in each language that uses it. For scripts without spaces: as the tokeniser cuts them.
   */
  readonly stopWords: string;
  /** Letters that only some languages of the Latin script use; each one seen counts like a function word. */
  readonly letters?: RegExp;
  /** Headings under which a writer lists references: code writes the only ones. Alternatives of a regular expression. */
  readonly referenceHeadings?: string;
  /** The same for the conclusion. */
  readonly conclusionHeadings?: string;
  readonly report?: ReportTexts;
  readonly run?: RunTexts;
  readonly digest?: DigestTexts;
}

/** The few fixed words of a report that the program itself writes, by language. */
export interface ReportTexts {
  readonly conclusion: string;
  readonly references: string;
  readonly howMade: string;
  /** {0}: what was searched. */
  readonly nothingFound: string;
  /** {0}: why. */
  readonly sectionFailed: string;
  /** {0}: number of sections with findings, {1}: number of sources. */
  readonly covered: string;
  /** {0}: titles. */
  readonly notCovered: string;
  readonly retrieved: string;
}

/** Everything that the extractive analyst says in its own words. `{…}` are places for what is named in braces. */
export interface DigestTexts {
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
