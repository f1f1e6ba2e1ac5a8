import { type Input, longestInput, type FoundDocument, type SourceKind } from '../ports.ts';

/** Something that was really retrieved in this run and may be cited. */
export interface Source {
  /** `S` and at least five hex digits of the hash of {@link identity}: the same work has the same id in every run. */
  readonly id: string;
  readonly kind: SourceKind;
  /** Canonical, such as `arxiv:2005.11401`, `doi:10.…`, `github:owner/name`, `file:docs/a.md#L10-L20`, `url:https://…`. */
  readonly identity: string;
  readonly title: string;
  readonly authors: readonly string[];
  /** `YYYY-MM-DD`, as far as it is known (`YYYY` or `YYYY-MM` as well). */
  readonly date?: string;
  readonly url?: string;
  readonly file?: { readonly path: string; readonly firstLine: number; readonly lastLine: number };
  readonly standing?: FoundDocument['standing'];
  /** ISO 8601 instant. */
  readonly retrievedAt: string;
  readonly facts: readonly string[];
  readonly alreadyCited: boolean;
  /** Not everybody can read it. */
  readonly isPrivate?: boolean;
  /** The user attached or named it. */
  readonly isGiven?: boolean;
  /** What may be quoted. */
  readonly text: string;
}

/** A source as the next process knows it, and a person. */
export function inputOf({ url, file, title }: Pick<Source, 'url' | 'file' | 'title'>): Input {
  const name = file === undefined ? (url ?? title) : `${file.path}#L${file.firstLine}-L${file.lastLine}`;
  return { kind: 'source', name: name.slice(0, longestInput).toWellFormed() };
}

/** One supported statement of a section. */
export interface Finding {
  /** One sentence in the report's language, figures as in the source. */
  readonly claim: string;
  /** Words of the source, verbatim. */
  readonly quote: string;
  /** Id of the source. */
  readonly source: string;
}
