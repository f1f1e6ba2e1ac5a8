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
