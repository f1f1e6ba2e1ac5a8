import { type CitationWriter, statementKey } from '../evidence/citations.ts';
import type { Finding } from '../evidence/source.ts';
import type { FloorQuotes } from './floorQuotes.ts';

/**
 * Adds quotes until the report says as much as one without a model. What says something new comes first: of
 * sources that aren't cited, and what no statement was taken from.
 */
export function furtherQuotes({ digest }: FloorQuotes, writer: CitationWriter): Finding[] {
  const said = [...writer.statements];
  const all = (digest?.sections ?? []).flatMap(({ distilled }) => distilled?.findings ?? []);
  const quotes = [...new Map(all.map((finding) => [statementKey(finding.quote), finding])).entries()];
  const wanted = distinct(quotes.map(([key]) => key));
  const order = ([key, { source }]: (typeof quotes)[number]): number =>
    (said.some((one) => key.includes(one)) ? 2 : 0) + (writer.order.includes(source) ? 1 : 0);
  const open = quotes.filter(([key]) => !said.some((one) => one.includes(key))).sort((a, b) => order(a) - order(b));
  const further: Finding[] = [];
  for (const [key, finding] of open) {
    if (distinct(said) >= wanted) break;
    said.push(key);
    further.push(finding);
  }
  return further;
}

/** How many statements there are that no other one holds word for word. */
function distinct(keys: readonly string[]): number {
  return keys.filter((key) => !keys.some((other) => other !== key && other.includes(key))).length;
}
