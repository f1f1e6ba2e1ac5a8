import type { Finding } from './source.ts';

/** What writers cite a finding by: "F203" is the third one of section s2. */
export function findingNumber(section: string, index: number): string {
  const place = Number(/\d+/.exec(section)?.[0] ?? 0);
  return `F${String(place * 100 + index + 1).padStart(3, '0')}`;
}

/** The findings of sections by their numbers. */
export function numberedFindings(
  sections: Iterable<{ readonly id: string; readonly findings: readonly Finding[] }>,
): ReadonlyMap<string, Finding> {
  return new Map(
    [...sections].flatMap(({ id, findings }) =>
      findings.map((finding, index) => [findingNumber(id, index), finding] as const),
    ),
  );
}

const marked = /(?<=[[【(（,;，；、\s])F\d{3,6}(?=[\]】)）,;，；、\s])/g;

/** A text of a writer, with the sources of the findings that it cites in their place. */
export function withSourceIds(text: string, findings: ReadonlyMap<string, Finding>): string {
  return text.replace(marked, (number) => findings.get(number)?.source ?? number);
}
