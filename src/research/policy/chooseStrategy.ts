import type { Strategy } from '../../protocol/strategy.ts';
import type { Analysis } from '../analyst/analyst.ts';
import type { Settings } from '../config.ts';

export interface ChosenStrategy {
  readonly strategy: Strategy;
  /** One sentence for the user. */
  readonly why: string;
}

/** Words of a question that asks for one fact. */
const factual =
  /^(?:who|when|where|what year|which year|which version|what version|how (?:many|much|old|large|big|long|tall|fast)|is|are|was|were|does|do|did|has|have|can|what does .{1,40} stand for|what is the (?:default|latest|current|maximum|minimum|name|version|license|licence|size|year|date|author)\b)|^(?:谁|何时|什么时候|哪一年|多少|是否|是不是)|(?:是多少|是谁|是什么时候)[？?]?$|^(?:wer|wann|wo|wie (?:viele|alt|groß|hoch))\b/iu;

/** Longer questions have more than one fact in them. */
const longestFactual = 120;

/**
 * Chooses how a question is researched: what the user set, else sections for lists, comparisons and broad questions, the
 * iterative loop for narrow deep ones, and the short path for a single fact. Pure.
 */
export function chooseStrategy(
  wanted: Settings['strategy'],
  question: string,
  analysis: Analysis,
  focus: readonly string[],
): ChosenStrategy {
  if (wanted !== 'auto') return { strategy: wanted, why: 'Chosen in the settings or for this question.' };
  switch (analysis.queryType) {
    case 'list':
      return { strategy: 'sections', why: 'A list is researched by sections, side by side.' };
    case 'comparison':
      return { strategy: 'sections', why: 'A comparison is researched by sections, one a dimension.' };
    case 'deep_dive':
      return {
        strategy: 'iterative',
        why: 'One subject in depth: searched in rounds, each led by the gaps of the last.',
      };
    case 'general':
      return isFactual(question, focus)
        ? { strategy: 'short', why: 'A small factual question: one researcher and a short report.' }
        : { strategy: 'sections', why: 'A broad question is researched by sections, in parallel.' };
  }
}

function isFactual(question: string, focus: readonly string[]): boolean {
  const bare = question.trim();
  return (
    bare.length <= longestFactual && factual.test(bare) && focus.length <= 3 && !/[;；\n]|\band\b.*\band\b/iu.test(bare)
  );
}
