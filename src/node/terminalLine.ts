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
