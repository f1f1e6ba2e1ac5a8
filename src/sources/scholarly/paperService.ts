import { ResearchError } from '../../research/errors.ts';
import type { PaperRecord } from './paperRecord.ts';

export interface PaperQuery {
  readonly words: string;
  /** `YYYY-MM-DD`. */
  readonly since?: string | undefined;
  readonly sort: 'relevance' | 'citations' | 'newest';
  readonly offset: number;
  readonly count: number;
}

export interface PaperPage {
  /** Matches in all, as far as they can be paged. */
  readonly total: number;
  readonly records: readonly PaperRecord[];
}

/** A service that knows papers. Both methods reject with the reasons of `JsonService`. */
export interface PaperService {
  readonly label: string;
  search(query: PaperQuery, signal: AbortSignal): Promise<PaperPage>;
  get(id: string, signal: AbortSignal): Promise<PaperRecord>;
}

/** The one paper of an answer. Throws `badAnswer` when it is none. */
export function onlyRecord([record]: readonly PaperRecord[], label: string): PaperRecord {
  if (record !== undefined) return record;
  throw new ResearchError('badAnswer', `The answer from ${label} has an unknown format.`, {
    next: 'Use the other sources.',
  });
}
