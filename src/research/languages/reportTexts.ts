import type { Language, ReportTexts } from './language.ts';
import { languages, textsIn } from './languages.ts';

/** The few fixed words of a report that the program itself writes. */
export function reportTexts(language: string): ReportTexts {
  return textsIn(language, 'report');
}

function headingPattern(alternatives: (language: Language) => string | undefined): RegExp {
  const all = languages.map(alternatives).filter((one) => one !== undefined);
  return new RegExp(`^(?:\\d+[.)]?\\s*)?(?:${all.join('|')})\\s*:?$`, 'iu');
}

/** Headings under which a model may have listed references of its own; code writes the only ones. */
const referenceHeading = headingPattern(({ referenceHeadings }) => referenceHeadings);

export function isReferenceHeading(title: string): boolean {
  return referenceHeading.test(title.trim());
}

const conclusionHeading = headingPattern(({ conclusionHeadings }) => conclusionHeadings);

export function isConclusionHeading(title: string): boolean {
  return conclusionHeading.test(title.trim());
}

/** Puts values into `{0}`, `{1}`, … of a fixed text. */
export function format(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}
