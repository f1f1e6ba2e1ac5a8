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
  /** Words that ask, order and are polite ("does", "tell", "please"), which no passage need hold. Lower case. */
  readonly askingWords?: string;
  /** Words of a question that wants a list. */
  readonly listWords?: string;
  /** What a question for a survey of a subject says. Alternatives of a regular expression. */
  readonly broadWords?: string;
  /** Letters that only some languages of the Latin script use; each one seen counts like a function word. */
  readonly letters?: RegExp;
  /** Headings under which a writer lists references: code writes the only ones. Alternatives of a regular expression. */
  readonly referenceHeadings?: string;
  /** The same for the conclusion. */
  readonly conclusionHeadings?: string;
  /** What an assistant says to a person, which is no part of a report. Alternatives of a regular expression, on one sentence. */
  readonly chatter?: string;
  /** With what a sentence begins that is not understood without the one before. Alternatives of a regular expression. */
  readonly backReferences?: string;
  /** Words that turn what a sentence says round. */
  readonly turns?: TurningWords;
  readonly report?: ReportTexts;
  readonly run?: RunTexts;
  readonly digest?: DigestTexts;
}

/** Lower case, separated by white space; `_` is a space inside a phrase. The longest that fits is read. */
export interface TurningWords {
  readonly not: string;
  /** Words that deny or restrict without being a negation ("avoids", "only"): where only one side has one, negations aren't compared. */
  readonly softly: string;
  /** Stands between the two sides of a comparison; in Japanese and Korean behind the second. */
  readonly than: string;
  /** Words that begin a clause. */
  readonly joins: string;
  /** Words before a figure that is rounded or a bound. */
  readonly about: string;
  readonly all: string;
  readonly some: string;
  /** `above|over/below|under`: forms of a word against forms of its opposite. */
  readonly opposites: string;
}

/** The few fixed words of a report that the program itself writes, by language. */
export interface ReportTexts {
  /** Heading of what is said across the sections. */
  readonly analysis: string;
  readonly conclusion: string;
  readonly references: string;
  readonly howMade: string;
  /** Over what the sources say beside what was written. */
  readonly furtherQuotes: string;
  /** {0}: what was searched. */
  readonly nothingFound: string;
  /** {0}: why. */
  readonly sectionFailed: string;
  /** {0}: number of sections with findings, {1}: number of sources. */
  readonly covered: string;
  /** {0}: titles. */
  readonly notCovered: string;
  readonly retrieved: string;
  /** Of a paper that should not be relied on, behind its title. */
  readonly standing: Readonly<Record<'retracted' | 'withdrawn' | 'doubted', string>>;
}

/** Everything that the extractive analyst says in its own words. `{…}` are places for what is named in braces. */
export interface DigestTexts {
  /** Heading of the section that answers. */
  readonly answer: string;
  /** The line under the title. */
  readonly digest: string;
  /** What no passage holds: `{words}`, each in quotation marks. */
  readonly missing: string;
  /** What was found in another spelling only: `{words}`. */
  readonly spelled: string;
  /** Before passages that don't answer the whole question. */
  readonly nearest: string;
  /** The same, with the words that the best of them lacks: `{words}`. */
  readonly nearestLacks: string;
  /** For a section whose passages all stand in an earlier one. */
  readonly above: string;
  /** Between items of a list. */
  readonly comma: string;
  readonly conclusion: string;
  /** What a reader should do next. */
  readonly outlook: string;
  readonly objective: string;
  readonly scope: string;
  readonly assess: {
    readonly topic: string;
    readonly topicOptions: readonly [string, string, string];
    /** `{subject}` */
    readonly understood: string;
    readonly noTopic: string;
  };
}
