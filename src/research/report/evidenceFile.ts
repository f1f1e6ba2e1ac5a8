import { writeInlines } from '../../markdown/writeInlines.ts';
import type { Finding, Source } from '../evidence/source.ts';
import { hasQuote } from '../evidence/support.ts';
import { verbatimPassage } from '../evidence/verbatim.ts';
import { reference } from './renderReport.ts';

/**
 * The texts that a report's citations rely on, in the order of its references: each reference, and below it what was quoted from it
 * while sections were researched, word for word.
 *
 * @param order Cited sources, by number.
 * @param retrieved The word "Retrieved", in the report's language.
 */
export function evidenceText(
  title: string,
  order: readonly Source[],
  findings: readonly Finding[],
  retrieved: string,
): string {
  const blocks = order.flatMap((source, index) => {
    const quotes = findings.filter((finding) => finding.source === source.id).map(({ quote }) => quote);
    const held = [...new Set(quotes)].filter((quote) => source.text.includes(quote) || hasQuote(source, quote));
    // Of quotes within each other the longest says all.
    const whole = held.filter((quote) => !held.some((other) => other !== quote && other.includes(quote)));
    const number = index + 1;
    return [
      `## ${writeInlines(reference(number, source, retrieved))}`,
      ...whole.flatMap((quote) => verbatimPassage(source, quote, number).slice(1)),
    ];
  });
  return [`# ${writeInlines([{ type: 'text', text: title }])}`, ...blocks].join('\n\n') + '\n';
}
