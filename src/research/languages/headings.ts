import { type Language, languages } from './languages.ts';

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
