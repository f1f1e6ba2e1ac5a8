import { type Marker, markersOf, referencesOf } from './references.ts';
import { keyOf, lettersOf } from './statementKey.ts';

/** From one second-level heading to the next, in UTF-16 units of the report. */
export function sectionsOf(report: string): { readonly start: number; readonly end: number }[] {
  const starts = [...report.matchAll(/^## /gm)].map(({ index }) => index);
  return starts.map((start, place) => ({ start, end: starts[place + 1] ?? report.length }));
}

/** Which of the citations with this number, as a reader counts them from 0, is the first behind a place of a report's body; -1 for none. */
export function citationBehind(body: string, number: number, place: number): number {
  const all = markersOf(body).filter((one) => one.number === number);
  // In code a number in brackets is no citation; those of our reports are links.
  const linked = all.filter(({ start }) => body[start - 1] === '[');
  return (linked.length > 0 ? linked : all).findIndex(({ start }) => start >= place);
}

/** Words of a report that rest on citations, in UTF-16 units of it. */
export interface CitedText {
  readonly start: number;
  readonly end: number;
  /** Of its citations. */
  readonly markers: readonly Marker[];
}

export const sentenceSegmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The sentences, items, cells and rows of a report that have citations, as far as one line has them, and its listings. */
export function citedTexts(report: string, references = referencesOf(report)): CitedText[] {
  const found: (CitedText & { markers: Marker[] })[] = [];
  let [from, line] = [0, 0];
  for (const marker of markersOf(report, references)) {
    const newline = report.slice(from, marker.start).lastIndexOf('\n');
    if (newline >= 0) line = from + newline + 1;
    const begins = Math.max(from, line);
    const between = report.slice(begins, marker.start).replace(/\[$/, '');
    const above = report.slice(from, begins).trimEnd();
    const behind = from;
    from = report.startsWith(`](#ref-${marker.number})`, marker.end) ? report.indexOf(')', marker.end) + 1 : marker.end;
    const last = found.at(-1);
    if (keyOf(between) === '') {
      const listing = listingAt(above);
      if (last && line <= last.end) last.markers.push(marker);
      else if (listing) found.push({ start: behind + listing.start, end: behind + listing.end, markers: [marker] });
      continue;
    }
    const cell = between.lastIndexOf('|') + 1;
    const sentences = [...sentenceSegmenter.segment(between.slice(cell))];
    const sentence = sentences.findLast(({ segment }) => keyOf(segment) !== '');
    if (!sentence) {
      // The last cell of a row that is quoted has its citation alone.
      const words = lettersOf(between);
      const { 0: word, index } = words.at(-1)!;
      found.push({ start: begins + words[0]!.index, end: begins + index + word.length, markers: [marker] });
      continue;
    }
    const words = sentence.segment.replace(/^\s*(?:[-*+>]|\d+[.)]|#+)?\s+/, '');
    const end = begins + cell + sentence.index + sentence.segment.trimEnd().length;
    found.push({
      start: begins + cell + sentence.index + sentence.segment.length - words.length,
      end,
      markers: [marker],
    });
  }
  return found;
}

/** The lines of the listing that a text ends with. */
function listingAt(text: string): { readonly start: number; readonly end: number } | undefined {
  const fence = /^[ >]*(`{3,}|~{3,})$/m.exec(text.slice(text.lastIndexOf('\n') + 1))?.[1];
  if (fence === undefined) return undefined;
  const end = text.lastIndexOf('\n');
  const opens = text.lastIndexOf(fence, end - 1);
  const start = text.indexOf('\n', opens) + 1;
  return opens < 0 || start > end ? undefined : { start, end };
}
