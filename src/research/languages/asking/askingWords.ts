/**
 * What the policy knows of a language: the words by which it sees that a question names no subject, points at something, is about a
 * whole field, or is no question for research; and the questions that it asks then. Words are lower case and separated by white
 * space; `_` stands for a space inside of one. Spaced scripts: whole words in all their forms. Others: as they are written.
 */
export interface AskingWords {
  /** They ask for research and name nothing ("help", "research", "topic"). */
  readonly requests: string;
  /** Demonstratives and pronouns: what they mean stands elsewhere. */
  readonly pointing: string;
  /** They place a thing in a talk, or with a person, that nobody else knows of ("yesterday", "mentioned", "colleague"). */
  readonly private: string;
  /** Articles that point where nothing else is named ("the new compound"). */
  readonly articles?: string;
  /** Classes of things of which one is meant when a word points at it ("drug", "company"). */
  readonly things: string;
  /** What an open folder is. */
  readonly here: string;
  /** What an open file is, or a part of one. */
  readonly parts: string;
  readonly papers: string;
  /** Whole fields: too much for one report without a further word. */
  readonly fields: string;
  /** They narrow no field ("new", "development", "treatment"). */
  readonly general: string;
  /** Classes of things beside which an identifier is a name that the public knows ("gene", "package"). */
  readonly named: string;
  /** All nouns begin with a capital letter, so that one is no sign of a name. */
  readonly capitalNouns?: true;
  /** Ends of words ("에서"). Only where they are written together with the word. */
  readonly endings?: string;
  /** Regular expressions without flags i and u: a question for a definition, which a bare field may have; */
  readonly definition: string;
  /** an order that is no research, from its first word on; */
  readonly task: string;
  /** instructions for serious harm; */
  readonly harm: string;
  /** and a greeting or thanks, as a whole. */
  readonly smallTalk: string;
  /** "Just start", separated by `|`. */
  readonly skips: string;
  /** The words of {@link skips} that may be added or left out ("please", "the", "now"). */
  readonly fillers: string;
  readonly yes: string;
  readonly texts: ClarifyingTexts;
}

/** The questions that code asks. `{…}` are places for what the English text names. */
export interface ClarifyingTexts {
  /** What a phrase points at: `{phrase}`. */
  readonly reference: string;
  /** Which part of a field: `{subject}`. */
  readonly scope: string;
  readonly goal: string;
  /** What an identifier means that no source knows: `{term}`. */
  readonly term: string;
  readonly confirm: string;
  /** `{subject}` in each. */
  readonly readings: readonly [overview: string, latest: string, open: string];
  /** `{term}`. */
  readonly asWritten: string;
  readonly correct: string;
  /** Why it is asked, by what is missing. */
  readonly why: Readonly<Record<'topic' | 'reference' | 'scope' | 'goal' | 'term' | 'confirm', string>>;
  /** Why it can't be researched. */
  readonly cannot: Readonly<Record<'task' | 'harm' | 'smallTalk', string>>;
  /** What could be asked instead. */
  readonly instead: string;
}
