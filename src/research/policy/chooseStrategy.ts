import type { Strategy } from '../../protocol/strategy.ts';
import type { Analysis } from '../stateSchema.ts';
import type { Settings } from '../settings/config.ts';
import type { RunTexts } from '../languages/texts.ts';

export interface ChosenStrategy {
  readonly strategy: Strategy;
  /** Names the sentence for the user. */
  readonly why: keyof RunTexts['strategies'];
}

/** How a question begins or ends that asks for one fact. */
const factual =
  /^(?:who|when|where|what year|which year|which version|what version|how (?:many|much|old|large|big|long|tall|fast)|is|are|was|were|does|do|did|has|have|can|what does .{1,40} stand for|what is the (?:default|latest|current|maximum|minimum|name|version|license|licence|size|year|date|author)\b)|^(?:谁|何时|什么时候|哪一年|多少|是否|是不是)|(?:是多少|是谁|是什么时候)[？?]?$|^(?:wer|wann|wo|wie (?:viele|alt|groß|hoch))\b/iu;

/** A longer question asks for more than one fact, in characters. */
const longestFactual = 120;

/**
 * Chooses how a question is researched: the user's setting, else `sections` for lists, comparisons and broad
 * questions, `iterative` for narrow deep ones, and `short` for a single fact. Pure.
 */
export function chooseStrategy(
  wanted: Settings['strategy'],
  question: string,
  analysis: Analysis,
  focus: readonly string[],
): ChosenStrategy {
  if (wanted !== 'auto') return { strategy: wanted, why: 'chosen' };
  switch (analysis.queryType) {
    case 'list':
      return { strategy: 'sections', why: 'list' };
    case 'comparison':
      return { strategy: 'sections', why: 'comparison' };
    case 'deep_dive':
      return { strategy: 'iterative', why: 'depth' };
    case 'general':
      return isFactual(question, focus) ? { strategy: 'short', why: 'fact' } : { strategy: 'sections', why: 'broad' };
  }
}

function isFactual(question: string, focus: readonly string[]): boolean {
  const bare = question.trim();
  return (
    bare.length <= longestFactual && factual.test(bare) && focus.length <= 3 && !/[;；\n]|\band\b.*\band\b/iu.test(bare)
  );
}
