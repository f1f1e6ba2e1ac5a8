import type { Language } from './language.ts';

export const sv: Language = {
  tag: 'sv',
  stopWords: 'bara finns genom mer ska',
  askingWords: `snälla säg visa förklara vad vem när varför var hur många mycket vilken vilka vilket betyder skillnad
    jämför mellan`,
  letters: /å/gu,
  backReferences: 'de|det|dessa|denna|detta|båda|därför|därmed|dock|dessutom|i (?:denna|detta|dessa)|till exempel',
};
