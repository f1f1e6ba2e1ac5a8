import type { Settings } from '../settings/config.ts';
import { terms } from '../text/tokenize.ts';
import { readSigns, type Surroundings } from './signs.ts';

/** Budgets below these have no room for a plan that may not be used. In tokens and US dollars. */
const leastTokens = 100_000;
const leastCost = 0.5;
/** A longer text is a document, of which a search understands nothing. In UTF-16 units. */
const longestQuestion = 2_000;
/** Content words of the question that the refined one must contain, and new ones that it may have for each of them. */
const keptShare = 0.7;
const addedShare = 1;

/**
 * Whether a question is complete by its signs, and the budget ample: then its classification, its plan and a few searches begin beside
 * its assessment. Pure, so that a resumed run decides alike.
 */
export function mayBeginEarly(question: string, language: string, around: Surroundings, settings: Settings): boolean {
  const { clarification, 'budget.maxTokens': tokens, 'budget.maxCost': cost } = settings;
  if (clarification === 'always' || (tokens > 0 && tokens < leastTokens) || (cost > 0 && cost < leastCost))
    return false;
  return question.length <= longestQuestion && readSigns(question, language, around).subject === 'named';
}

/** Whether a refined question asks for something else, so that what was begun with the user's words does not serve it. */
export function isRefocused(question: string, refined: string): boolean {
  const asked = new Set(terms(question));
  const now = new Set(terms(refined));
  const kept = [...asked].filter((word) => now.has(word)).length;
  return kept < asked.size * keptShare || now.size - kept > asked.size * addedShare;
}
