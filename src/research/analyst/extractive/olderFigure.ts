import { datesOf } from '../../text/dates.ts';
import type { Query } from '../../text/query.ts';
import { termsOf, tokensOf } from '../../text/words.ts';
import type { Chosen } from './choosePassages.ts';

/** Words of the question that two lines share before their figures are compared. */
const leastShared = 2;

export interface OlderFigure {
  readonly newer: Chosen;
  readonly older: Chosen;
}

/**
 * Two passages of which the lines that speak most of the question have different figures, from files that their name or heading
 * dates differently. Minutes and versions that changed a number read so. Undefined when there are none.
 */
export function olderFigure(query: Query, chosen: readonly Chosen[]): OlderFigure | undefined {
  const dated = chosen.flatMap((one) => {
    const date = dateOf(one);
    const line = date === undefined ? undefined : lineOf(query, one.text);
    return date === undefined || line === undefined ? [] : [{ one, date, ...line }];
  });
  for (const [index, a] of dated.entries()) {
    for (const b of dated.slice(index + 1)) {
      const shared = [...a.terms].filter((term) => b.terms.has(term)).length;
      const differs = !a.figures.some((figure) => b.figures.includes(figure));
      if (a.date === b.date || a.one.source.file?.path === b.one.source.file?.path) continue;
      if (shared < leastShared || !differs) continue;
      const [newer, older] = a.date > b.date ? [a, b] : [b, a];
      return { newer: newer.one, older: older.one };
    }
  }
  return undefined;
}

/** The date in the name of a passage's file, or in the headings above it. */
function dateOf({ source, text }: Chosen): string | undefined {
  const heading = /^#{1,6}\s.*/.exec(text)?.[0] ?? '';
  return datesOf(`${source.file?.path.replace(/[_/]/g, ' ') ?? ''} ${source.title} ${heading}`).find((date) =>
    /^\d{4}-\d\d/.test(date),
  );
}

/** The line with most words of the question, when it has figures. */
function lineOf(
  { words }: Query,
  text: string,
): { readonly terms: ReadonlySet<string>; readonly figures: readonly string[] } | undefined {
  const asked = new Set(words.flatMap(({ terms }) => terms));
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .map((line) => ({
      terms: new Set(
        tokensOf(line)
          .flatMap(termsOf)
          .filter((term) => asked.has(term)),
      ),
      figures: line.replace(/^\s*\d+[.)]\s/, '').match(/\d+(?:[.,]\d+)*/g) ?? [],
    }))
    .sort((a, b) => b.terms.size - a.terms.size);
  return lines[0] === undefined || lines[0].figures.length === 0 ? undefined : lines[0];
}
