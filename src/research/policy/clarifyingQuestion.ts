import type { Assessment, TermLookup } from '../stateSchema.ts';
import { textsIn } from '../languages/languages.ts';
import { fillText } from '../languages/sayings.ts';
import { trimEnd } from '../text/trimEnd.ts';
import type { WorkspaceFacts } from '../tools.ts';
import { askingWords, type Signs } from './signs.ts';
import type { Missing } from './sufficiency.ts';

export interface Asking {
  readonly missing: Missing;
  readonly signs: Signs;
  /** As it is understood now. */
  readonly question: string;
  readonly lookups: readonly TermLookup[];
  readonly facts: WorkspaceFacts | undefined;
  /** Labels that come first: what the user prepared for such questions. */
  readonly offered: readonly string[];
}

const mostOptions = 5;
const longestSubject = 120;

/** The question that the policy needs, in the user's language, with two to five options of which one is recommended. Pure. */
export function clarifyingQuestion(
  asking: Asking,
): Pick<Assessment, 'question' | 'options' | 'missingInfo' | 'reasoning'> {
  const { missing, signs, question, facts, offered } = asking;
  const { texts } = askingWords(signs.language);
  const { topic, topicOptions } = textsIn(signs.language, 'digest').assess;
  const named = missing.split(':')[0]!;
  const kind = Object.hasOwn(texts.why, named) ? (named as keyof typeof texts.why) : 'goal';
  const subject = trimEnd(signs.phrase || shortened(question), ' .?!。？！');
  const readings = texts.readings.map((reading) => fillText(reading, { subject }));
  const topics = [...(facts?.topics ?? []).slice(0, 3), ...topicOptions];
  const term = missing.slice('term:'.length);
  const ways: Record<keyof typeof texts.why, { text: string; labels: readonly string[] }> = {
    topic: { text: topic, labels: topics.slice(0, 4) },
    reference: { text: fillText(texts.reference, { phrase: signs.phrase }), labels: referents(asking, readings) },
    scope: { text: fillText(texts.scope, { subject }), labels: readings },
    goal: { text: fillText(texts.goal, { subject }), labels: readings },
    term: {
      text: fillText(texts.term, { term }),
      labels: [
        ...nearTerms(asking, term),
        fillText(texts.asWritten, { term }),
        ...(facts?.topics ?? []).slice(0, 1),
        ...readings,
      ],
    },
    confirm: { text: fillText(texts.confirm, { subject }), labels: [texts.correct, ...readings.slice(0, 2)] },
  };
  const { text, labels } = ways[kind];
  // Only what can follow the question is offered: a prepared focus does not say what "that drug" is.
  const prepared = kind === 'scope' || kind === 'goal' || kind === 'confirm' ? offered : [];
  const [first, ...others] = labels;
  const all = kind === 'confirm' ? [first!, ...prepared, ...others] : [...prepared, ...labels];
  const most = kind === 'term' ? 2 + nearTerms(asking, term).length : mostOptions;
  return {
    question: text,
    options: [...new Set(all)]
      .slice(0, Math.min(most, mostOptions))
      .map((label, index) => ({ label, recommended: index === 0 })),
    missingInfo: missing,
    reasoning: texts.why[kind],
  };
}

/** What may be meant, from what is around the question; else readings of the phrase itself. */
function referents({ facts, signs }: Asking, readings: readonly string[]): readonly string[] {
  const papers = (facts?.papers ?? []).slice(0, 4);
  const known = signs.pointsAt === 'paper' ? papers : [];
  return known.length >= 2 ? known : [...known, ...readings];
}

/** Names in what the search gave instead that differ by a letter or two. */
function nearTerms({ lookups }: Asking, term: string): readonly string[] {
  return (lookups.find((lookup) => lookup.term === term)?.near ?? []).slice(0, 2);
}

function shortened(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim();
  return line.length > longestSubject ? `${line.slice(0, longestSubject - 1)}…` : line;
}
