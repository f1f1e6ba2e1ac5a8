import type { PlanSection } from '../protocol/plan.ts';
import { maxFocus, maxSections } from '../protocol/planBounds.ts';
import type { Strategy } from '../protocol/strategy.ts';

/** A plan under edit. */
export interface PlanDraft {
  readonly sections: readonly PlanSection[];
  readonly strategy: Strategy;
  /** One focus point a line, as typed. */
  readonly focus: string;
  /** What another plan should do differently, as typed. */
  readonly remark: string;
}

/** The edits of sections. Every function returns a new list. */

/** Moves a section to another place; to one that the list does not have, the list stays as it is. */
export function moved(sections: readonly PlanSection[], from: number, to: number): readonly PlanSection[] {
  const section = sections[from];
  if (!section || to < 0 || to >= sections.length) return sections;
  return sections.toSpliced(from, 1).toSpliced(to, 0, section);
}

/** Adds an empty section at the end. Its id is one that the plan does not have: `n1`, `n2`, … */
export function withNew(sections: readonly PlanSection[]): PlanSection[] {
  const taken = new Set(sections.map((section) => section.id));
  let n = 1;
  while (taken.has(`n${n}`)) n += 1;
  return [...sections, { id: `n${n}`, title: '', description: '' }];
}

/** A section's sources after one was ticked or not; undefined is all, and the last one stays. */
export function withSource(
  { sources }: Pick<PlanSection, 'sources'>,
  all: readonly string[],
  name: string,
  isOn: boolean,
): readonly string[] | undefined {
  const before = sources ?? all;
  const now = all.filter((one) => (one === name ? isOn : before.includes(one)));
  if (now.length === 0) return sources;
  return now.length === all.length ? undefined : now;
}

export function focusPoints(text: string): string[] {
  const points = text.split('\n').map((line) => line.trim());
  return [...new Set(points.filter((point) => point !== ''))].slice(0, maxFocus);
}

export type PlanProblem = 'needsSection' | 'tooMany' | 'needsTitle' | 'needsBrief' | 'needsRemark';

export function planProblem(sections: readonly PlanSection[]): PlanProblem | null {
  if (sections.length === 0) return 'needsSection';
  if (sections.length > maxSections) return 'tooMany';
  return sections.some((section) => section.title.trim() === '') ? 'needsTitle' : null;
}
