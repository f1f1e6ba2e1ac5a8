import type { PlanSection } from '../protocol/events.ts';
import { maxSections } from '../protocol/planBounds.ts';

/** The edits of a plan that waits for approval. Every function returns a new list. */

export function withTitle(sections: readonly PlanSection[], index: number, title: string): PlanSection[] {
  return sections.map((section, i) => (i === index ? { ...section, title } : section));
}

export function without(sections: readonly PlanSection[], index: number): PlanSection[] {
  return sections.filter((_, i) => i !== index);
}

/** Moves a section one place up (-1) or down (1); at the edge the list stays as it is. */
export function moved(sections: readonly PlanSection[], index: number, by: -1 | 1): PlanSection[] {
  const section = sections[index];
  const other = sections[index + by];
  if (!section || !other) return [...sections];
  return sections.with(index, other).with(index + by, section);
}

/** Adds an empty section at the end. Its id is one that the plan does not have: `n1`, `n2`, … */
export function withNew(sections: readonly PlanSection[]): PlanSection[] {
  const taken = new Set(sections.map((section) => section.id));
  let n = 1;
  while (taken.has(`n${n}`)) n += 1;
  return [...sections, { id: `n${n}`, title: '', description: '' }];
}

export type PlanProblem = 'needsSection' | 'tooMany' | 'needsTitle';

export function planProblem(sections: readonly PlanSection[]): PlanProblem | null {
  if (sections.length === 0) return 'needsSection';
  if (sections.length > maxSections) return 'tooMany';
  return sections.some((section) => section.title.trim() === '') ? 'needsTitle' : null;
}
