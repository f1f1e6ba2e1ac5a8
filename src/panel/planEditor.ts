import { type RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PlanSection } from '../protocol/events.ts';
import { usePanel } from './panelContext.ts';
import { maxSections } from '../protocol/planBounds.ts';
import { moved, planProblem, type PlanProblem, withNew, without, withTitle } from './planDraft.ts';

export interface PlanEditor {
  readonly sections: readonly PlanSection[];
  /** Why the plan can't be approved, or a section not added. */
  readonly problem: PlanProblem | null;
  rename(index: number, title: string): void;
  move(index: number, by: -1 | 1): void;
  remove(index: number): void;
  add(): void;
  /** The plan as it is to be researched; undefined, with a problem, when it can't be approved. */
  approved(): PlanSection[] | undefined;
}

/**
 * The plan under edit, which survives a reload of the page. `list` is the element with one `li` and `textarea` a
 * section: the focus follows what is added and removed, and goes to what has to be filled in.
 */
export function usePlanEditor(planned: readonly PlanSection[], list: RefObject<HTMLElement | null>): PlanEditor {
  const { texts, host, run, announce } = usePanel();
  const [sections, setSections] = useState<readonly PlanSection[]>(() =>
    host.ui.plan?.run === run ? host.ui.plan.sections : planned,
  );
  const [problem, setProblem] = useState<PlanProblem | null>(null);
  /** Index of the title that gets the focus once the list is drawn again. */
  const focusNext = useRef<number | null>(null);
  const focusTitle = (index: number) => list.current?.querySelectorAll('textarea')[index]?.focus();
  useEffect(() => {
    if (focusNext.current !== null) focusTitle(focusNext.current);
    focusNext.current = null;
  }, [sections]);

  const change = (next: PlanSection[]) => {
    setSections(next);
    setProblem((old) => (old && planProblem(next) === old ? old : null));
    host.remember({ plan: { run, sections: next } });
  };
  return {
    sections,
    problem,
    rename: (index, title) => change(withTitle(sections, index, title.replaceAll('\n', ' '))),
    move(index, by) {
      announce(texts.of('plan.moved', index + 1 + by));
      change(moved(sections, index, by));
    },
    remove(index) {
      announce(texts.of('plan.removed', index + 1));
      focusNext.current = Math.min(index, sections.length - 2);
      change(without(sections, index));
    },
    add() {
      if (sections.length >= maxSections) return setProblem('tooMany');
      focusNext.current = sections.length;
      change(withNew(sections));
    },
    approved() {
      const found = planProblem(sections);
      setProblem(found);
      if (found === 'needsTitle') focusTitle(sections.findIndex(({ title }) => title.trim() === ''));
      if (found) return undefined;
      host.remember({ plan: null });
      return sections.map((section) => ({ ...section, title: section.title.trim() }));
    },
  };
}
