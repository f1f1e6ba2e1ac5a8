/** How thorough the research of a section is. */
export const depths = ['quick', 'standard', 'deep'] as const;
export type Depth = (typeof depths)[number];

/** Sections that a plan may have at most. */
export const maxSections = 30;
/** Focus points of a plan, and entities of a list, at most. */
export const maxFocus = 20;
export const maxEntities = 40;
/** In UTF-16 units; what is longer is cut. */
export const longest = {
  title: 300,
  description: 4_000,
  query: 300,
  focus: 300,
  remark: 4_000,
  entity: 120,
  /** The lead researcher reads it before each turn. */
  brief: 10_000,
} as const;
