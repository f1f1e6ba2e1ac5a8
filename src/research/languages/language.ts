/**
 * Words of a language that the program reads text by, beside its function words (`text/stopwords.ts`). A language without a file works as
 * well: its words are cut and matched like any others. Lower case, separated by white space, unless a field says otherwise.
 */
export interface Language {
  /** BCP 47, without a region. */
  readonly tag: string;
  /** Function words that the list of `text/stopwords.ts` lacks; all where it has none. In scripts without spaces as the tokeniser cuts. */
  readonly stopWords?: string;
  /** Words that ask, order and are polite ("does", "tell", "please"), which no passage need hold. Lower case. */
  readonly askingWords?: string;
  /** Every noun begins with a capital. */
  readonly capitalizesNouns?: true;
  /** Demonstratives and pronouns: what they mean is said elsewhere. */
  readonly pointing?: string;
  /** A word with one of them is no bare subject: it is asked something of. */
  readonly interrogatives?: string;
  /** They ask for research and name nothing ("help", "research", "topic"). */
  readonly requests?: string;
  /** Letters that only some languages of the Latin script use; each one seen counts like a function word. */
  readonly letters?: RegExp;
  /** Headings under which a writer lists references: code writes the only ones. Alternatives of a regular expression. */
  readonly referenceHeadings?: string;
  /** The same for the conclusion. */
  readonly conclusionHeadings?: string;
  /** With what a sentence begins that is not understood without the one before. Alternatives of a regular expression. */
  readonly backReferences?: string;
}
