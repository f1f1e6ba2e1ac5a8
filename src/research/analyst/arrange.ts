/** A section that is written, as the plan has it. */
interface Planned {
  /** `s1`, `s2`, … */
  readonly id: string;
  readonly title: string;
  /** Markdown with headings of the third level and below. */
  readonly text: string;
}

/** A section of the report. */
export interface Arranged {
  readonly title: string;
  readonly text: string;
  /** Planned sections that it has a part of. */
  readonly from: readonly string[];
}

/** An order in which an entry joins more sections than this is not followed. */
const mostJoined = 3;

interface Part {
  readonly id: string;
  readonly section: Planned;
  /** Absent for what precedes the first sub-heading. */
  readonly heading?: string;
  readonly text: string;
}

/** The parts of a section that an order may name: the section (`s2`), and each of its sub-headings (`s2.1`). */
export function partsOf(section: Planned): { readonly id: string; readonly heading: string }[] {
  return split(section).flatMap(({ id, heading }) => (heading === undefined ? [] : [{ id, heading }]));
}

/**
 * The sections in the order that names their parts: merged, split and reordered. Every part is there once: what the order leaves out
 * follows what it followed before, ids that don't exist and repetitions are passed over. A section that is whole keeps its title.
 */
export function arranged(
  sections: readonly Planned[],
  order: readonly { readonly title: string; readonly parts: readonly string[] }[],
): Arranged[] {
  const parts = sections.flatMap(split);
  const entries = entriesOf(parts, order);
  const isFollowed = entries.every(({ parts: own }) => new Set(own.map(({ section }) => section)).size <= mostJoined);
  return titled(isFollowed ? entries : entriesOf(parts, []));
}

interface Entry {
  readonly title: string;
  readonly parts: Part[];
}

function entriesOf(
  parts: readonly Part[],
  order: readonly { readonly title: string; readonly parts: readonly string[] }[],
): Entry[] {
  const named = new Set(order.flatMap((entry) => entry.parts.map(folded)));
  const left = new Set(parts);
  const entries: Entry[] = [];
  for (const { title, parts: ids } of order) {
    const own = ids.map(folded).flatMap((id) => {
      const found = [...left].filter((part) => part.id === id || (part.section.id === id && !named.has(part.id)));
      for (const part of found) left.delete(part);
      return found;
    });
    if (own.length > 0) entries.push({ title: title.replace(/\s+/g, ' ').trim(), parts: own });
  }
  // A part that was not named follows the part before it: of its own section, or as a section behind the one before.
  for (const part of left) {
    const before = parts[parts.indexOf(part) - 1];
    const own = entries.find((entry) => before !== undefined && entry.parts.includes(before));
    if (own && before!.section === part.section) own.parts.splice(own.parts.indexOf(before!) + 1, 0, part);
    else {
      const at = entries.findLastIndex((entry) => entry.parts.some(({ section }) => section === before?.section));
      entries.splice(at + 1, 0, { title: part.section.title, parts: [part] });
    }
  }
  return entries;
}

function titled(entries: readonly Entry[]): Arranged[] {
  const taken = new Set<string>();
  return entries.map(({ title, parts }) => {
    const from = [...new Set(parts.map(({ section }) => section))];
    const isWhole = from.length === 1 && parts[0]!.heading === undefined;
    const wanted = isWhole ? from[0]!.title : title || parts[0]!.heading || from[0]!.title;
    let unique = wanted;
    for (let times = 2; taken.has(folded(unique)); times += 1) unique = `${wanted} (${times})`;
    taken.add(folded(unique));
    return { title: unique, text: textOf(parts, from.length > 1), from: from.map(({ id }) => id) };
  });
}

function textOf(parts: readonly Part[], isJoined: boolean): string {
  const isOnly = parts.length === 1;
  let section: Planned | undefined;
  const pieces = parts.flatMap((part) => {
    const begins = isJoined && part.section !== section;
    section = part.section;
    const isPrelude = part.heading === undefined;
    const heading = isOnly ? undefined : isPrelude ? (begins ? part.section.title : undefined) : part.heading;
    return [...(heading === undefined ? [] : [`### ${heading}`]), part.text];
  });
  return pieces.filter((piece) => piece.trim() !== '').join('\n\n');
}

/** Headings inside of code are none. */
function split(section: Planned): Part[] {
  const found: { heading?: string; lines: string[] }[] = [{ lines: [] }];
  let fence = '';
  for (const line of section.text.split('\n')) {
    const mark = /^ {0,3}(`{3,20}|~{3,20})/.exec(line)?.[1];
    if (mark && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : '';
    const heading = fence === '' ? /^ {0,3}###\s+(\S.*)$/.exec(line)?.[1]?.trim() : undefined;
    if (heading === undefined) found.at(-1)!.lines.push(line);
    else found.push({ heading, lines: [] });
  }
  return found.map(({ heading, lines }, index) => ({
    id: index === 0 ? section.id : `${section.id}.${index}`,
    section,
    ...(heading === undefined ? {} : { heading }),
    text: lines.join('\n').trim(),
  }));
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}
