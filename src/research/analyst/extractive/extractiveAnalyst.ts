import { unanalyzed } from '../../stateSchema.ts';
import type { Analyst } from '../analyst.ts';
import { assessQuestion } from './assessQuestion.ts';
import { chooseCalls } from './chooseCalls.ts';
import { distilSection } from './distilSection.ts';
import { planSections, titleOf } from './planSections.ts';
import { writeDigest } from './writeDigest.ts';

/**
 * Thinks without a model: retrieval ranks passages by the question, and the report quotes the best of them word for word,
 * answer first. Only headings and the fixed lines of a template are its own. Every step is a pure function of its input and of
 * the scope's language and sources.
 */
export const extractiveAnalyst: Analyst = {
  kind: 'extractive',
  assess: async (input, scope) => assessQuestion(input, scope.language),
  followUp: async ({ question, as = 'answer' }) => ({
    ...{ question, as, section: '', title: '', language: '', headings: [], queries: [] },
  }),
  analyze: async () => unanalyzed,
  discover: async () => ({ entities: [], summary: '', coverage: '' }),
  plan: async (input, scope) => planSections(input, scope.language),
  act: async (input, scope) => chooseCalls(input, scope),
  distil: async (input, scope) => distilSection(input, scope.language, scope.reading),
  brief: async ({ clarifiedQuestion }) => clarifiedQuestion,
  // The question itself; then the end.
  supervise: async ({ turns, round, brief, question }) => {
    if (turns.length > 0) return { said: '', calls: [{ id: `end${round}`, name: 'ResearchComplete', args: {} }] };
    const asked = brief || question;
    const args = { title: titleOf(asked), research_topic: asked };
    return { said: '', calls: [{ id: 'topic1', name: 'ConductResearch', args }] };
  },
  writeReport: async function* (input, scope) {
    yield* writeDigest(input, scope.language);
  },
};
