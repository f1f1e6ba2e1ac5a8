/** Words of a source, as they are in its stored text. */
export interface Passage {
  /** Id of the source. */
  readonly source: string;
  readonly text: string;
  /** Lines of a file ("L10-L12"), otherwise the first and the last UTF-16 unit of the stored text ("120-310"). */
  readonly place: string;
}

/** A sentence, list item or table cell of a report, and what it rests on. */
export interface Statement {
  /** The same for the same words of the same section, in every process. */
  readonly id: string;
  /** Id of the section; "summary" and "conclusion" for the frame. */
  readonly section: string;
  /** Without markers of citations. */
  readonly text: string;
  /** Of an uncited statement: what the findings of the report have that comes nearest. */
  readonly passages: readonly Passage[];
  readonly isCited: boolean;
}

/** Why a statement has no verdict. */
export type UnverifiedReason = 'off' | 'controls' | 'noAnswer' | 'budget' | 'ownConclusion';

/** What a second reader says of a statement beside its passages. */
export interface Judgement {
  /**
   * `partly`: true only with a condition, scope or certainty that the statement leaves out; `disputed`: one passage says it, and another
   * something else; `inferred`: the passages don't say it, and it says of itself that it concludes from them.
   */
  readonly verdict: 'supported' | 'partly' | 'disputed' | 'contradicted' | 'absent' | 'inferred' | 'unverified';
  /** Of an unverified one. */
  readonly reason?: UnverifiedReason;
  /** The words of a passage that decide; "" when the reader gave none. */
  readonly words: string;
  /** Of `partly` and `contradicted`: the statement as the passages support it; "" when the reader gave none. Not checked yet. */
  readonly correction: string;
}

/** What the report shows of a statement. `quoted`: words of a passage. */
export type Verdict = 'quoted' | 'supported' | 'corrected' | 'unverified';

/** A statement of the finished report. */
export interface Claim {
  readonly id: string;
  readonly section: string;
  /** Where its sentence begins in the report, in UTF-16 units. */
  readonly offset: number;
  readonly sentence: string;
  /** Numbers of its references. */
  readonly citations: readonly number[];
  /** Never empty. */
  readonly passages: readonly Passage[];
  readonly verdict: Verdict;
  /** Of an unverified one. */
  readonly reason?: UnverifiedReason;
}
