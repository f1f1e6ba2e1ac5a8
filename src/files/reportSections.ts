import { type CitedText, sectionsOf } from './citedTexts.ts';
import { type Evidence, followsSections } from './evidence.ts';
import { partsOf } from './reportParts.ts';

interface ReportSection<Judged> {
  /** In UTF-16 units of the report. */
  readonly start: number;
  readonly end: number;
  /** Markdown of one line. */
  readonly heading: string;
  /** Those of its texts, at least one. */
  readonly judged: readonly Judged[];
  /** `none`: it was written by hand, or is the account of how the report was made; `remove`: a conclusion is not researched. */
  readonly change: 'none' | 'remove' | 'any';
}

/**
 * The parts of a report below its second-level headings that have citations, as the account has of a challenge.
 *
 * @param head The report as its run and the accepted changes left it; "" where the run is not on this machine.
 * @param judged See `judgedTexts`.
 */
export function citedSections<Judged extends Pick<CitedText, 'start'> & { readonly evidence: Evidence | undefined }>(
  report: string,
  head: string,
  judged: readonly Judged[],
): ReportSection<Judged>[] {
  const known = new Set(partsOf(head).map(({ key }) => key));
  let next = 0;
  const before = (end: number): Judged[] => {
    const from = next;
    while (next < judged.length && judged[next]!.start < end) next += 1;
    return judged.slice(from, next);
  };
  return sectionsOf(report).flatMap(({ start, end }) => {
    before(start);
    const own = before(end);
    if (own.length === 0) return [];
    const heading = /^## (.*)/.exec(report.slice(start, end))?.[1]?.trim() ?? '';
    const isLast = followsSections(own.map(({ evidence }) => evidence));
    return { start, end, heading, judged: own, change: known.has(heading) ? (isLast ? 'remove' : 'any') : 'none' };
  });
}
