import type { Settings } from '../settings/config.ts';
import type { Source } from '../evidence/source.ts';
import type { SectionState } from '../state.ts';
import { terms } from '../text/tokenize.ts';

/**
 * The quick review of a section, made by code as soon as it is distilled: finds what is plainly too thin, whatever the other
 * sections say. Returns what is missing, as instructions for another attempt; undefined when the section suffices.
 */
export function quickGaps(section: SectionState): string[] | undefined {
  const findings = section.distilled?.findings ?? [];
  const cited = new Set(findings.map((finding) => finding.source)).size;
  if (section.sourceIds.length === 0)
    return ['Nothing was found. Search with other, fewer or more general words, and in other sources.'];
  if (findings.length === 0)
    return ['No statement with a quotation could be drawn from what was found. Look for sources on this very subject.'];
  if (findings.length < 2 && cited < 2)
    return ['There is a single statement from a single source. Look for at least two more independent sources.'];
  return undefined;
}

/**
 * `limits.maxReviewIterations` bounds how often one section is sent back, by whichever review. One that the user stopped stays so, and
 * one that the model could not condense would fail again.
 */
export function mayGoBack(
  { attempt, distilled, stopped = false }: Pick<SectionState, 'attempt' | 'distilled' | 'stopped'>,
  settings: Pick<Settings, 'limits.maxReviewIterations'>,
): boolean {
  return !stopped && distilled?.quoted !== true && attempt <= settings['limits.maxReviewIterations'];
}

/** Sources that bear on a section's subject, and the kinds of them, from which on its research may end, by depth. */
const enough = {
  quick: { sources: 3, kinds: 1 },
  standard: { sources: 5, kinds: 1 },
  deep: { sources: 8, kinds: 2 },
} as const;
/** Works among them, unless all are the folder's own: the passages of one file, or what one repository has, are one voice. */
const enoughWorks = 3;
/** After a review something in particular is missing. */
const enoughForGaps = 2;
/** Of the words of a query, in a source's title and the beginning of its text. */
const bearingShare = 0.5;
const readLength = 4_000;

/** What a researcher has, and what for. */
export interface Gathering {
  /** Found in this attempt. */
  readonly sources: readonly Source[];
  /** The section's title and queries. */
  readonly subjects: readonly string[];
  readonly isSentBack: boolean;
  /** A model has seen results and chosen calls by them. */
  readonly isGuided: boolean;
  /** How many works some sources are, by id. */
  readonly works: (ids: Iterable<string>) => number;
}

/**
 * Whether a researcher has what its section needs, without a word of a model: a turn that only says "done" costs as much as one
 * that searches. At depth `deep` a model always looks at the first results.
 */
export function hasEnough(
  { sources, subjects, isSentBack, isGuided, works }: Gathering,
  depth: Settings['depth'],
): boolean {
  if (depth === 'deep' && !isGuided) return false;
  const wanted = subjects.map((subject) => new Set(terms(subject))).filter(({ size }) => size > 0);
  const bearing = sources.filter(({ title, text }) => {
    const words = new Set(terms(`${title} ${text.slice(0, readLength)}`));
    return wanted.some((query) => [...query].filter((word) => words.has(word)).length >= query.size * bearingShare);
  });
  if (isSentBack) return bearing.length >= enoughForGaps;
  const kinds = new Set(bearing.map(({ kind }) => kind)).size;
  const isDiverse = bearing.every(({ file }) => file) || works(bearing.map(({ id }) => id)) >= enoughWorks;
  return bearing.length >= enough[depth].sources && kinds >= enough[depth].kinds && isDiverse;
}
