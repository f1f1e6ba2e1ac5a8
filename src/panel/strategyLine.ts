import type { RunView } from '../protocol/runView.ts';
import { knownStrategy } from '../protocol/strategy.ts';
import { plain } from './plain.ts';
import type { Texts } from './texts.ts';

/** Which strategy runs and why, in one line; '' for an unknown one. */
export function strategyLine(
  { strategy, strategyWhy }: Pick<RunView, 'strategy' | 'strategyWhy'>,
  texts: Texts,
): string {
  if (strategy === 'auto') return texts.of('strategy.undecided');
  const known = knownStrategy(strategy);
  if (!known) return '';
  const name = texts.of(`strategy.${known}`);
  return strategyWhy === '' ? texts.of('strategy.runs', name) : texts.of('strategy.runsWhy', name, plain(strategyWhy));
}
