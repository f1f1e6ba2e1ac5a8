import { isNamed, type ResearchStateType, type SectionState } from '../state.ts';

/** What a report can't answer. */
export interface OpenGap {
  /** Id of its section; "" for the whole report. */
  readonly section: string;
  /** In the words of the review or reflection that found it. */
  readonly gap: string;
}

/**
 * What the last review or reflection found missing, each once, without what it sent back: a round was made for that, and no one
 * judged its result. What the user stopped or what failed stays open.
 */
export function openGaps({
  sections,
  lastReview,
  lastReflection,
}: Pick<ResearchStateType, 'sections'> & Partial<Pick<ResearchStateType, 'lastReview' | 'lastReflection'>>): OpenGap[] {
  const { gaps = [], sectionsToRetry: back = [] } = { ...lastReflection, ...lastReview };
  const isFilled = ({ id, status, stopped }: SectionState): boolean =>
    back.includes(id) && status === 'completed' && !stopped;
  const open = gaps.flatMap(({ section: named, gap }) => {
    const section = sections.find((one) => isNamed(one, named));
    return gap.trim() === '' || (section && isFilled(section)) ? [] : { section: section?.id ?? '', gap: gap.trim() };
  });
  return [...new Map(open.map((one) => [one.gap, one])).values()];
}
