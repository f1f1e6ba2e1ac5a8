import type { RoundView } from '../protocol/runView.ts';
import type { Texts } from './texts.ts';

/** What a round found. Before it has read anything there is nothing to show. */
export function roundFacts({ status, sources, score, sufficient }: RoundView, texts: Texts): string[] {
  if (status === 'retrieving') return [];
  return [
    sources > 0 ? texts.count('round.sources', sources) : texts.of('round.nothingNew'),
    ...(score === undefined ? [] : [texts.of('round.score', score)]),
    ...(sufficient === true ? [texts.of('round.enough')] : []),
  ];
}
