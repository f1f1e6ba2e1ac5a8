import process from 'node:process';
import { stripHidden } from '../research/text/hidden.ts';

/**
 * A line of the terminal. A model or service may be quoted in it: it stays one line that steers nothing. Its spaces stay, those of a
 * path among them.
 */
export function terminalLine(text: string): string {
  return stripHidden(text)
    .trimEnd()
    .replace(/[\t\n]\s*/g, ' ');
}

/** A line of JSON whose invisible characters are escaped: a terminal may be what reads it. */
export function jsonLine(value: unknown): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
  return `${JSON.stringify(value).replace(hidden, (found) => found.split('').map(escaped).join(''))}\n`;
}

/** A line on stderr. Models and services are quoted in it: nothing of theirs steers the terminal. */
export function say(text: string): void {
  process.stderr.write(`${stripHidden(text)}\n`);
}

/** Ideographs, kana, hangul and full-width forms take two columns of a terminal. */
export function columnsOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (/[\u2e80-\uffe6]/u.test(character) ? 2 : 1), 0);
}

/** The beginning of a text that fits into so many columns. */
export function cutToColumns(text: string, columns: number): string {
  let used = 0;
  const end = [...text].findIndex((character) => (used += columnsOf(character)) > columns);
  return end < 0 ? text : [...text].slice(0, end).join('');
}
