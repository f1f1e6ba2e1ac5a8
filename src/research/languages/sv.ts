import type { Language } from './language.ts';

export const sv: Language = {
  tag: 'sv',
  stopWords: `alla att av bara blev bli de dem den denna det detta du där efter ej eller en ett finns från för genom ha
    han har hur här i inte jag kan man med mellan men mer mot mycket ni när och om på sedan sig sin ska som så
    till under upp ut vad var vara vi vid vilka vilken är över`,
  askingWords: `snälla säg visa förklara vad vem när varför var hur många mycket vilken vilka vilket betyder skillnad
    jämför mellan`,
  listWords: 'lista vilka alla',
  letters: /å/gu,
  backReferences: 'de|det|dessa|denna|detta|båda|därför|därmed|dock|dessutom|i (?:denna|detta|dessa)|till exempel',
};
