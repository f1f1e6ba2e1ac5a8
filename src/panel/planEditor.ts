import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PlanSection } from '../protocol/plan.ts';
import { maxSections } from '../protocol/planBounds.ts';
import type { Strategy } from '../protocol/strategy.ts';
import { usePanel } from './panelContext.ts';
import { plain } from './plain.ts';
import { useRunState } from './runState.ts';
import { focusPoints, moved, type PlanDraft, type PlanProblem, withNew } from './planDraft.ts';

/** A plan as proposed. */
export interface Planned {
  readonly sections: readonly PlanSection[];
  readonly strategy: Strategy;
  readonly focus: readonly string[];
  readonly round: number;
}

interface Removed {
  readonly section: PlanSection;
  readonly index: number;
}

export type PlanEditor = ReturnType<typeof usePlanEditor>;

/**
 * The plan under edit, which survives a reload of the page until the plan is answered or another one is proposed. `list` is the element
 * with one `li` a section: the focus follows what is added, moved and removed.
 */
export function usePlanEditor(planned: Planned, list: RefObject<HTMLElement | null>) {
  const { texts, announce } = usePanel();
  const [draft, setDraft, forget] = useRunState<PlanDraft>(`plan/${planned.round}`, () => {
    const { sections, strategy, focus } = planned;
    return { sections, strategy, focus: focus.join('\n'), remark: '' };
  });
  const [problem, setProblem] = useState<PlanProblem | null>(null);
  const [removals, setRemovals] = useState<readonly Removed[]>([]);
  /** What gets the focus once the list is drawn again: a section, and the control in it. */
  const focusNext = useRef<{ readonly index: number; readonly control: string } | null>(null);
  const { sections } = draft;
  // With the drawing, not a frame later: what is typed next belongs there.
  useLayoutEffect(() => {
    const next = focusNext.current;
    focusNext.current = null;
    const row = next && list.current?.querySelectorAll(':scope > li')[next.index];
    row?.querySelector<HTMLElement>(`[data-testid="${next!.control}"]`)?.focus();
  }, [sections]);

  const edit = (change: Partial<PlanDraft>) => {
    setDraft({ ...draft, ...change });
    setProblem(null);
  };
  const titleAt = (index: number) => ({ index, control: 'plan-section-title' });
  return {
    draft,
    /** Why the plan can't be approved or sent back, or a section not added. */
    problem,
    /** The section that an undo brings back. */
    removed: removals.at(-1),
    edit,
    change: (index: number, change: Partial<PlanSection>) =>
      edit({ sections: sections.with(index, { ...sections[index]!, ...change }) }),
    move(from: number, to: number) {
      const next = moved(sections, from, to);
      if (next === sections) return;
      const focused = document.activeElement?.closest('[data-testid]')?.getAttribute('data-testid');
      focusNext.current = { index: to, control: focused ?? 'plan-section-title' };
      announce(texts.of('plan.moved', to + 1));
      edit({ sections: next });
    },
    remove(index: number) {
      const section = sections[index];
      if (!section) return;
      announce(texts.of('plan.removed', plain(section.title) || texts.of('plan.new')));
      setRemovals([...removals, { section, index }]);
      focusNext.current = titleAt(Math.min(index, sections.length - 2));
      edit({ sections: sections.toSpliced(index, 1) });
    },
    undo() {
      const last = removals.at(-1);
      if (!last) return;
      const index = Math.min(last.index, sections.length);
      setRemovals(removals.slice(0, -1));
      focusNext.current = titleAt(index);
      announce(texts.of('plan.restored', index + 1));
      edit({ sections: sections.toSpliced(index, 0, last.section) });
    },
    add() {
      if (sections.length >= maxSections) return setProblem('tooMany');
      focusNext.current = titleAt(sections.length);
      edit({ sections: withNew(sections) });
    },
    /** Shows why the plan can't be approved, and puts the focus where it can be mended; null takes it away. */
    refuse(found: PlanProblem | null, at?: HTMLElement | null) {
      setProblem(found);
      at?.focus();
    },
    forget,
  };
}

/** What of a draft goes back to the engine, beside its sections. */
export function choicesOf({ strategy, focus }: PlanDraft): { readonly strategy: Strategy; readonly focus: string[] } {
  return { strategy, focus: focusPoints(focus) };
}
