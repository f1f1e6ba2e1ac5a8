import type { Language } from './language.ts';

export const nl: Language = {
  tag: 'nl',
  stopWords: `aan al als bij dan dat de den der deze die dit door dus een en er het hij hoe hun ik in is ja je kan maar
    meer met mijn naar niet nog of om onder ons ook op over te tot uit van veel voor waar waarom wanneer wat we
    wel welke werd wie wij worden wordt zich zij zijn zo`,
  askingWords: `vertel toon leg uit wat wie wanneer waarom waar hoe hoeveel welke welk betekent is er verschil
    vergelijk tussen`,
  listWords: 'lijst noem welke alle',
  backReferences: [
    'hij|zij|ze|dit|deze|die|zulke|beide|hier(?:door|mee|bij)|daar(?:door|mee|bij|om)|dus|echter',
    'bovendien|(?:in|met|bij|voor|onder) (?:dit|deze|die)|bijvoorbeeld',
  ].join('|'),
};
