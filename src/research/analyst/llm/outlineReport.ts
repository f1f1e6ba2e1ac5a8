import { headingOf } from '../../../markdown/blockLine.ts';
import { settledLength } from '../../text/sentences.ts';
import { isConclusionHeading, isReferenceHeading } from '../../languages/headings.ts';

/** A stretch of a report under one heading; `body` has no heading line. */
export interface ReportPart {
  readonly heading: string;
  readonly body: string;
}

export interface OutlinedReport {
  /** "" when the writer gave none. */
  readonly title: string;
  readonly summary: string;
  /** Bodies of the planned sections, by id. */
  readonly sections: ReadonlyMap<string, string>;
  /** Parts that no planned section claims, before and after the first planned one. */
  readonly before: readonly ReportPart[];
  readonly after: readonly ReportPart[];
  /** Undefined when the writer gave none. */
  readonly conclusion: string | undefined;
  /** The section in which a text that is not whole breaks off. */
  readonly half: string | undefined;
}

/**
 * Finds the planned sections in what a writer wrote, whatever its heading levels and small changes of the titles.
 * Reference lists of the writer's own are left out: code writes the only one. Of the part in which
 * a text that is not whole breaks off, the whole sentences stay.
 */
export function outlineReport(
  markdown: string,
  planned: readonly { readonly id: string; readonly title: string }[],
  isWhole = true,
): OutlinedReport {
  const parts = cut(markdown, planned);
  const last = parts.at(-1)!;
  if (!isWhole) parts[parts.length - 1] = { ...last, body: last.body.slice(0, settledLength(last.body.trimEnd())) };
  // The first heading of the first level is the title, even when it says the same as a section.
  const titlePart = parts.find((part) => part.level > 0);
  const title = titlePart?.level === 1 ? titlePart : undefined;
  const owners = assign(
    parts.filter((part) => part.level > 0 && part !== title),
    planned,
  );
  let summary = '';
  let conclusion: string | undefined;
  const sections = new Map<string, string>();
  const before: ReportPart[] = [];
  const after: ReportPart[] = [];
  for (const part of parts) {
    const section = owners.get(part);
    if (part.level === 0 || part === title) summary += part.body;
    else if (section !== undefined) sections.set(section, part.body);
    else if (isReferenceHeading(part.heading)) continue;
    else if (isConclusionHeading(part.heading)) conclusion = (conclusion ?? '') + part.body;
    else (sections.size === 0 ? before : after).push({ heading: part.heading, body: part.body });
  }
  return {
    title: title?.heading ?? '',
    summary,
    sections,
    before,
    after,
    conclusion,
    half: isWhole ? undefined : owners.get(parts.at(-1)!),
  };
}

/** Which part is which planned section: same titles first, then those that are alike. */
function assign(
  parts: readonly Cut[],
  planned: readonly { readonly id: string; readonly title: string }[],
): Map<Cut, string> {
  const owners = new Map<Cut, string>();
  const titles = planned.map(({ id, title }) => ({ id, title: normalized(title) }));
  const taken = new Set<string>();
  for (const fits of [Object.is, alike]) {
    for (const part of parts) {
      if (
        owners.has(part) ||
        (fits === alike && (isReferenceHeading(part.heading) || isConclusionHeading(part.heading)))
      )
        continue;
      if (taken.size === planned.length) return owners;
      const heading = normalized(part.heading);
      const section = titles.find((candidate) => !taken.has(candidate.id) && fits(heading, candidate.title));
      if (!section) continue;
      owners.set(part, section.id);
      taken.add(section.id);
    }
  }
  return owners;
}

interface Cut extends ReportPart {
  /** 0 for the text before the first heading. */
  readonly level: number;
}

function cut(markdown: string, planned: readonly { readonly title: string }[]): Cut[] {
  const parts: { level: number; heading: string; body: string }[] = [{ level: 0, heading: '', body: '' }];
  const titles = new Set(planned.map(({ title }) => normalized(title)));
  let fence = '';
  for (const line of markdown.split('\n')) {
    const mark = /^ {0,3}(`{3,20}|~{3,20})/.exec(line)?.[1];
    if (mark && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : '';
    const heading = fence === '' ? headingOf(line) : undefined;
    const text = heading?.text.replace(/\*\*|__/g, '').trim() ?? '';
    const level = heading?.level ?? 0;
    const begins =
      heading &&
      (level <= 2 ||
        (level <= 4 && (isConclusionHeading(text) || isReferenceHeading(text) || titles.has(normalized(text)))));
    if (begins) parts.push({ level, heading: text, body: '' });
    else parts.at(-1)!.body += `${line}\n`;
  }
  return parts;
}

/** One title holds the other, or they share most of their words. */
function alike(left: string, right: string): boolean {
  if (left.length > 5 && right.length > 5 && (left.includes(right) || right.includes(left))) return true;
  const [x, y] = [new Set(left.split(' ')), new Set(right.split(' '))];
  const shared = [...x].filter((word) => y.has(word)).length;
  return shared >= 2 && shared / Math.max(x.size, y.size) >= 0.6;
}

function normalized(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^(?:section\s+)?\d+(?:\.\d+)*[.):：]?\s+/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
