import { parseInlines } from '../markdown/parseInlines.ts';
import { wordsOf } from '../markdown/tree.ts';
import { plain } from './plain.ts';

/** The words of a section's heading in a report, or of its title in a plan: both are Markdown, and only the heading is escaped. */
export function headingWords(markdown: string): string {
  return plain(wordsOf(parseInlines(markdown)).trim() || markdown);
}
