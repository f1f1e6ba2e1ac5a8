import type { Cited } from '../../protocol/readerMessages.ts';

const longest = 100_000;

/** The citations of the text, without the references themselves and the charts of tables. */
export function citationsOf(report: Element): HTMLElement[] {
  return [...report.querySelectorAll<HTMLElement>('[data-citation]:not([data-target], .chart *)')];
}

/**
 * The citation after (1) or before (-1) another of this report; without one, of a report in sight the first or last that is not above or
 * below what is in sight.
 */
export function citationNear(report: Element, from: HTMLElement | null, step: 1 | -1): HTMLElement | undefined {
  const all = citationsOf(report);
  const focused = document.activeElement?.closest<HTMLElement>('[data-citation]') ?? null;
  if (focused && !report.contains(focused)) return undefined;
  const at = all.indexOf((focused ?? from)!);
  if (at >= 0) return all[at + step];
  const { top: begins, bottom: ends } = report.getBoundingClientRect();
  if (begins > window.innerHeight || ends < 0) return undefined;
  const top = (chip: HTMLElement) => chip.getBoundingClientRect().top;
  return step === 1 ? all.find((chip) => top(chip) >= 0) : all.findLast((chip) => top(chip) <= window.innerHeight);
}

export function placeOf(chip: HTMLElement): Cited {
  const number = Number(chip.dataset['citation']);
  const { row } = chip.dataset;
  if (row !== undefined) {
    // Of a bar: that of its row in the table.
    const cited = `tbody tr:nth-child(${Number(row) + 1}) [data-citation="${number}"]`;
    const own = chip.closest('.block')?.querySelector<HTMLElement>(cited);
    if (own) return placeOf(own);
  }
  const block = chip.closest('.block');
  if (!block || chip.dataset['target'] !== undefined) return { number, block: '', before: '' };
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEndBefore(chip);
  // The citation of a listing is a block of its own, below it.
  const above = blockBefore(block);
  if (wordsIn(range).trim() === '' && above) range.setStart(above, 0);
  const before = wordsIn(range);
  range.setEnd(block, block.childNodes.length);
  return { number, block: wordsIn(range), before };
}

function blockBefore(block: Element): Element | undefined {
  return block.previousElementSibling ?? block.parentElement?.previousElementSibling?.lastElementChild ?? undefined;
}

/** Of a part of a report, without the numbers of citations. */
export function wordsIn(range: Range): string {
  const part = range.cloneContents();
  for (const chip of part.querySelectorAll('[data-citation], figure')) chip.replaceWith('\n');
  // A statement does not begin in the middle of a line.
  for (const cell of part.querySelectorAll('td, th')) cell.prepend('|');
  for (const begins of part.querySelectorAll('li, p')) begins.prepend('\n');
  return (part.textContent ?? '').slice(0, longest);
}

/** Where a report is read: a part of it by its index, and how far that has left the page (CSS pixels). */
export interface ReadingPlace {
  readonly part: number;
  readonly past: number;
}

/** Parts out of sight have no height of their own yet. */
const partsOf = (page: Element) => [...page.querySelectorAll<HTMLElement>('.report > div > div')];

/** The part at the top of the page; undefined at its beginning. */
export function placeIn(page: Element): ReadingPlace | undefined {
  if (window.scrollY === 0) return undefined;
  const boxes = partsOf(page).map((part) => part.getBoundingClientRect());
  const part = boxes.findIndex(({ bottom }) => bottom > 0);
  return part < 0 ? undefined : { part, past: -boxes[part]!.top };
}

export function goBackTo(page: Element, { part, past }: ReadingPlace): void {
  const shown = partsOf(page)[part];
  if (!shown) return;
  // Of its own height at once: the page may be at its end.
  shown.style.contentVisibility = 'visible';
  window.scrollBy(0, shown.getBoundingClientRect().top + past);
}
