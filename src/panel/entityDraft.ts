import type { DiscoveredEntity } from '../protocol/events.ts';
import type { WantedEntity } from '../protocol/ports.ts';
import { maxEntities } from '../protocol/planBounds.ts';

/** An entity of the list under edit. */
export interface EntityRow {
  /** Distinguishes rows: a discovered name, or `+NAME` of an added one. */
  readonly id: string;
  readonly name: string;
  /** Names of the discovered entities that it is; none for an added one. */
  readonly from: readonly string[];
  readonly isOn: boolean;
}

/** The edits of a list. Every function returns a new one. */

export function rowsOf(entities: readonly DiscoveredEntity[]): EntityRow[] {
  return entities.map(({ name }) => ({ id: name, name, from: [name], isOn: true }));
}

export function ticked(rows: readonly EntityRow[], id: string, isOn: boolean): EntityRow[] {
  return rows.map((row) => (row.id === id ? { ...row, isOn } : row));
}

/** Makes a row a part of another one. */
export function mergedInto(rows: readonly EntityRow[], id: string, target: string): readonly EntityRow[] {
  const part = rows.find((row) => row.id === id);
  if (!part || id === target || !rows.some((row) => row.id === target)) return rows;
  return rows.flatMap((row) => {
    if (row.id === id) return [];
    return [row.id === target ? { ...row, from: [...row.from, ...part.from], isOn: true } : row];
  });
}

/** Makes the merged parts of a row rows of their own again, behind it. */
export function split(rows: readonly EntityRow[], id: string): EntityRow[] {
  return rows.flatMap((row) => {
    if (row.id !== id) return [row];
    const own = row.from.filter((name) => name === row.name);
    const others = row.from.filter((name) => name !== row.name);
    return [{ ...row, from: own }, ...others.map((name) => ({ id: name, name, from: [name], isOn: true }))];
  });
}

export type EntityProblem = 'needsEntity' | 'needsName' | 'known' | 'tooMany';

/** Adds what the user named. */
export function withAdded(rows: readonly EntityRow[], name: string): readonly EntityRow[] | EntityProblem {
  const bare = name.trim().replace(/\s+/g, ' ');
  if (bare === '') return 'needsName';
  if (rows.length >= maxEntities) return 'tooMany';
  const isKnown = rows.some((row) => [row.name, ...row.from].some((one) => one.toLowerCase() === bare.toLowerCase()));
  if (isKnown) return 'known';
  return [...rows, { id: `+${bare}`, name: bare, from: [], isOn: true }];
}

export function wantedOf(rows: readonly EntityRow[]): WantedEntity[] {
  return rows.filter(({ isOn }) => isOn).map(({ name, from }) => ({ name, from }));
}
