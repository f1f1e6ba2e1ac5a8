import type { Language } from './language.ts';

export const pt: Language = {
  tag: 'pt',
  stopWords: 'é porque quais ser sobre têm umas uns',
  askingWords: `diga mostra explica que quem quando porque onde como quanto quanta quantos quantas qual quais
    significa há diferença compara entre`,
  letters: /[ãõ]/gu,
  backReferences: [
    'el[ea]s?|isto|isso|[nd]?(?:est|ess)[ea]s?|seus?|suas?|amb[oa]s|tal|tais|assim|portanto|porém|contudo',
    'além disso|por (?:isso|exemplo)',
  ].join('|'),
};
