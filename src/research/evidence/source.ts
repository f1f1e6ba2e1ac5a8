import { type Input, longestInput, type FoundDocument } from '../ports.ts';
import type { Distilled } from '../stateSchema.ts';

/** Something that was really retrieved in this run and may be cited: a document as it was found, under an id. */
export interface Source extends Omit<FoundDocument, 'ids' | 'facts' | 'alreadyCited'> {
  /** `S` and at least five hex digits of the hash of {@link identity}: the same work has the same id in every run. */
  readonly id: string;
  /** Canonical, such as `arxiv:2005.11401`, `doi:10.…`, `github:owner/name`, `file:docs/a.md#L10-L20`, `url:https://…`. */
  readonly identity: string;
  /** ISO 8601 instant. */
  readonly retrievedAt: string;
  readonly facts: readonly string[];
  readonly alreadyCited: boolean;
}

/** A source as the next process knows it, and a person. */
export function inputOf({ url, file, title }: Pick<Source, 'url' | 'file' | 'title'>): Input {
  const name = file === undefined ? (url ?? title) : `${file.path}#L${file.firstLine}-L${file.lastLine}`;
  return { kind: 'source', name: name.slice(0, longestInput).toWellFormed() };
}

/** One supported statement of a section. */
export type Finding = Distilled['findings'][number];
