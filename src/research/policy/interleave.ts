import { largest } from '../../protocol/numbers.ts';
/** The first of every list, then the second of every list, and so on. */
export function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = largest(lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}
