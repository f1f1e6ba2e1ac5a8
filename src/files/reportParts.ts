import { freeName } from '../protocol/freeName.ts';

/** A report from its front matter on, or from one second-level heading to the next. */
export interface ReportPart {
  /** The text of its heading, with a number where it is repeated; "" of the beginning; {@link referencesKey}, {@link accountKey}. */
  readonly key: string;
  /** Its heading included, without white space at its end. */
  readonly text: string;
}

/** The references, and the account behind them, have other headings in every language. */
export const referencesKey = '\0references';
export const accountKey = '\0account';

export const referenceItem = /^- (?:<a id="ref-\d{1,4}"><\/a>)?\[(\d{1,4})\] .*$/gm;

/** The parts of a report. A heading within a code block begins none. */
export function partsOf(report: string): ReportPart[] {
  const parts: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let fence = '';
  for (const line of report.replace(/\r\n?/g, '\n').split('\n')) {
    const mark = /^ {0,3}(`{3,20}|~{3,20})/.exec(line)?.[1];
    if (mark && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : '';
    if (fence === '' && line.startsWith('## ')) parts.push({ heading: line.slice(3).trim(), lines: [] });
    parts.at(-1)!.lines.push(line);
  }
  const references = parts.findLastIndex(({ lines }) => lines.join('\n').search(referenceItem) >= 0);
  const taken = new Set<string>();
  return parts.map(({ heading, lines }, index) => {
    const key = index === 0 ? '' : index === references ? referencesKey : freeName(heading, (name) => taken.has(name));
    taken.add(key);
    return { key: references > 0 && index === references + 1 ? accountKey : key, text: lines.join('\n').trimEnd() };
  });
}

/**
 * The parts of reports that are compared. Without references the account is a section like others: it is known by the heading that it has
 * in another one of them.
 */
export function comparedParts(...reports: readonly string[]): ReportPart[][] {
  const all = reports.map(partsOf);
  const account = all.flat().find(({ key }) => key === accountKey);
  const heading = account?.text.split('\n')[0]!.slice(3).trim();
  return all.map((parts) => {
    const last = parts.at(-1)!;
    return last.key === heading ? parts.with(-1, { ...last, key: accountKey }) : parts;
  });
}
