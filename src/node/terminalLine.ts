import { oneLine } from '../research/text/hidden.ts';

/** A line of the terminal. A model or service may be quoted in it: it stays one line that steers nothing, with its indentation. */
export function terminalLine(text: string): string {
  return `${/^ */.exec(text)![0]}${oneLine(text)}`;
}
