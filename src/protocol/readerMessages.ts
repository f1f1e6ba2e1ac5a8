import * as z from 'zod/mini';

/** The place of a citation in a report, as its page shows it: text without the numbers of citations. */
const cited = {
  number: z.number().check(z.int(), z.positive()),
  /** The whole block, and what of it is before the citation; "" in the list of references. */
  block: z.string().check(z.maxLength(100_000)),
  before: z.string().check(z.maxLength(100_000)),
};

/** What the page of a report posts to the extension. Every message is parsed before it is used. */
export const readerMessageSchema = z.discriminatedUnion('type', [
  /** The page has loaded: the host answers with `report`. */
  z.object({ type: z.literal('ready') }),
  /** The host answers with `evidence`, with the same `id`. */
  z.object({ type: z.literal('findEvidence'), id: z.number(), ...cited }),
  /** Opens the cited page or file where the passage is; `copy`: the stored text of the source in its place. */
  z.object({ type: z.literal('openCited'), copy: z.boolean(), ...cited }),
  /** The user may change the statement before what speaks against it is searched. */
  z.object({ type: z.literal('challenge'), statement: z.string().check(z.maxLength(100_000)) }),
  /** A question about the report: the user chooses what happens with it. The host answers with `asked`. */
  z.object({ type: z.literal('ask'), question: z.string().check(z.maxLength(100_000)) }),
  z.object({ type: z.literal('openPage'), url: z.string() }),
]);
export type ReaderMessage = z.infer<typeof readerMessageSchema>;

/** A citation as messages name it. */
export type Cited = Pick<Extract<ReaderMessage, { type: 'findEvidence' }>, 'number' | 'block' | 'before'>;

export interface ShownReport {
  /** What the page remembers, so that a reload of the window shows the same: the file, or the id of the run. */
  readonly origin: string;
  /** Markdown, without the front matter. */
  readonly text: string;
  /** What the front matter says, in the order in which it is shown. */
  readonly facts: readonly string[];
  /** What tables may have charts of: the `chartKey` of each statement that its sources support. */
  readonly charts: readonly string[];
  readonly writing: boolean;
}

/** What a citation rests on. Texts of sources are plain text. */
export interface ShownEvidence {
  /** What was judged; absent where nothing was, or the report's run is not on this machine. */
  readonly statement?: string;
  /** In words; "" where nothing was judged, as in a statement that was edited. */
  readonly verdict: string;
  readonly judged: 'well' | 'unverified' | 'not';
  readonly title: string;
  /** Kind, site, date and the like. */
  readonly facts: readonly string[];
  /** `marked`: the words that decide. */
  readonly passages: readonly { readonly before: string; readonly marked: string; readonly after: string }[];
  readonly opens: 'page' | 'file' | 'none';
  readonly hasCopy: boolean;
}

/** What the extension posts to the page of a report. */
export type ReaderHostMessage =
  | {
      readonly type: 'report';
      readonly report: ShownReport;
      /** Localised texts by the keys of `strings.ts`. */
      readonly strings: Readonly<Record<string, string>>;
      /** BCP 47 of the editor's display language. */
      readonly locale: string;
    }
  /** `text` replaces everything of the report from `offset` (in UTF-16 units) on. */
  | { readonly type: 'delta'; readonly offset: number; readonly text: string }
  /** Puts the focus on a citation of the text: `nth`, from 0, of those with its number. */
  | { readonly type: 'goTo'; readonly number: number; readonly nth: number }
  | { readonly type: 'evidence'; readonly id: number; readonly evidence: ShownEvidence }
  /** Answers `ask`. `isTaken`: a run has begun with the question. */
  | { readonly type: 'asked'; readonly isTaken: boolean };
