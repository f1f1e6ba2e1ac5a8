import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DiscoveredEntity } from '../protocol/events.ts';
import type { WantedEntity } from '../protocol/ports.ts';
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

export interface EntityEditor {
  readonly rows: readonly EntityRow[];
  readonly wanted: WantedEntity[];
  /** Why the list can't be approved, or a name not added. */
  readonly problem: EntityProblem | null;
  tick(row: EntityRow, isOn: boolean): void;
  tickAll(isOn: boolean): void;
  /** @param target Id of the row that it becomes a part of. */
  merge(row: EntityRow, target: string): void;
  split(row: EntityRow): void;
  /** False: the name is refused, and `problem` says why. */
  add(name: string): boolean;
  /** Reports an empty list; true: the list can be approved. */
  check(): boolean;
  forget(): void;
}

/**
 * The list under edit, which survives a reload of the page until it is approved. `list` is the element with one checkbox a row: the
 * focus follows what is merged and split.
 */
export function useEntityEditor(
  entities: readonly DiscoveredEntity[],
  list: RefObject<HTMLElement | null>,
): EntityEditor {
  const { texts, host, run, announce } = usePanel();
  const [rows, setRows] = useState<readonly EntityRow[]>(() =>
    host.ui.entities?.run === run ? host.ui.entities.rows : rowsOf(entities),
  );
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
    host.remember({ entities: { run, rows: next } });
  };
  const wanted = wantedOf(rows);
  return {
    rows,
    wanted,
    problem,
    tick: (row, isOn) => change(ticked(rows, row.id, isOn)),
    tickAll: (isOn) => change(rows.map((row) => ({ ...row, isOn }))),
    merge(row, target) {
      const into = rows.find(({ id }) => id === target);
      if (!into) return;
      announce(texts.of('entities.merged', plain(row.name), plain(into.name)));
      change(mergedInto(rows, row.id, target), target);
    },
    split: (row) => change(split(rows, row.id), row.id),
    add(name) {
      const next = withAdded(rows, name);
      if (typeof next === 'string') {
        setProblem(next);
        return false;
      }
      announce(texts.of('entities.added', plain(name.trim())));
      change(next);
      return true;
    },
    check() {
      setProblem(wanted.length === 0 ? 'needsEntity' : null);
      return wanted.length > 0;
    },
    forget: () => host.remember({ entities: null }),
  };
}
