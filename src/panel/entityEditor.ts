import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DiscoveredEntity } from '../protocol/events.ts';
import {
  type EntityProblem,
  type EntityRow,
  mergedInto,
  rowsOf,
  split,
  ticked,
  wantedOf,
  withAdded,
} from './entityDraft.ts';
import { usePanel } from './panelContext.ts';
import { plain } from './plain.ts';
import { useRunState } from './runState.ts';

export type EntityEditor = ReturnType<typeof useEntityEditor>;

/**
 * The list under edit, which survives a reload of the page until it is approved. `list` is the element with one checkbox a row: the
 * focus follows what is merged and split.
 */
export function useEntityEditor(entities: readonly DiscoveredEntity[], list: RefObject<HTMLElement | null>) {
  const { texts, announce } = usePanel();
  const [rows, setRows, forget] = useRunState<readonly EntityRow[]>('entities', () => rowsOf(entities));
  const [problem, setProblem] = useState<EntityProblem | null>(null);
  /** Id of the row that gets the focus once the list is drawn again. */
  const focusNext = useRef<string | null>(null);
  useLayoutEffect(() => {
    const index = rows.findIndex(({ id }) => id === focusNext.current);
    if (index >= 0) list.current?.querySelectorAll<HTMLElement>('input[type="checkbox"]')[index]?.focus();
    focusNext.current = null;
  }, [rows]);
  const change = (next: readonly EntityRow[], focused: string | null = null) => {
    focusNext.current = focused;
    setRows(next);
    setProblem(null);
  };
  const wanted = wantedOf(rows);
  return {
    rows,
    wanted,
    /** Why the list can't be approved, or a name not added. */
    problem,
    tick: (row: EntityRow, isOn: boolean) => change(ticked(rows, row.id, isOn)),
    tickAll: (isOn: boolean) => change(rows.map((row) => ({ ...row, isOn }))),
    /** @param target Id of the row that it becomes a part of. */
    merge(row: EntityRow, target: string) {
      const into = rows.find(({ id }) => id === target);
      if (!into) return;
      announce(texts.of('entities.merged', plain(row.name), plain(into.name)));
      change(mergedInto(rows, row.id, target), target);
    },
    split: (row: EntityRow) => change(split(rows, row.id), row.id),
    /** False: the name is refused, and `problem` says why. */
    add(name: string): boolean {
      const next = withAdded(rows, name);
      if (typeof next === 'string') {
        setProblem(next);
        return false;
      }
      announce(texts.of('entities.added', plain(name.trim())));
      change(next);
      return true;
    },
    /** Reports an empty list; true: the list can be approved. */
    check(): boolean {
      setProblem(wanted.length === 0 ? 'needsEntity' : null);
      return wanted.length > 0;
    },
    forget,
  };
}
