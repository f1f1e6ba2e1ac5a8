import type { Language } from './language.ts';

export const nl: Language = {
  tag: 'nl',
  stopWords: 'den waar waarom wanneer we wel welke wij',
  askingWords: `vertel toon leg uit wat wie wanneer waarom waar hoe hoeveel welke welk betekent is er verschil
    vergelijk tussen`,
  backReferences: [
    'hij|zij|ze|dit|deze|die|zulke|beide|hier(?:door|mee|bij)|daar(?:door|mee|bij|om)|dus|echter',
    'bovendien|(?:in|met|bij|voor|onder) (?:dit|deze|die)|bijvoorbeeld',
  ].join('|'),
};
