import { keyOf } from './statementKey.ts';

/**
 * The lines of a file that hold a passage now: those that were cited, or as far from them as its last line has moved. Undefined where a
 * line of it is no longer in the file. Lines are counted from 1.
 */
export function linesOfPassage(
  file: string,
  passage: string,
  [first, last]: readonly [number, number],
): readonly [number, number] | undefined {
  const keys = file.split('\n').map(keyOf);
  const wanted = passage
    .split('\n')
    .map(keyOf)
    .filter((key) => key !== '');
  const whole = keys.join('');
  if (!wanted.every((key) => whole.includes(key))) return undefined;
  const end = wanted.at(-1);
  const places = end === undefined ? [last] : lastLinesOf(end, whole, keys);
  if (places.some((place) => place >= first && place <= last)) return [first, last];
  const moved = places.reduce((best, place) => (Math.abs(place - last) < Math.abs(best - last) ? place : best)) - last;
  return [Math.max(1, first + moved), last + moved];
}

/** The lines on which a text ends in a file. A passage may have other line ends than its file. */
function lastLinesOf(key: string, whole: string, keys: readonly string[]): number[] {
  const found: number[] = [];
  let [line, length] = [0, 0];
  for (let at = whole.indexOf(key); at >= 0; at = whole.indexOf(key, at + 1)) {
    while (length < at + key.length) length += keys[line++]!.length;
    found.push(line);
  }
  return found;
}
