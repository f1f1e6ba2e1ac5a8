import type { Assessment } from '../stateSchema.ts';
import { textsIn } from '../languages/texts.ts';
import { fillText } from '../../protocol/fillText.ts';
import { trimEnd } from '../text/trimEnd.ts';
import type { WorkspaceFacts } from '../tools.ts';
import type { Signs } from './signs.ts';
import type { Missing } from './sufficiency.ts';

export interface Asking {
  readonly missing: Missing;
  readonly signs: Signs;
  /** With the answers so far. */
  readonly question: string;
  readonly facts: WorkspaceFacts | undefined;
  /** Labels that come first: what the user prepared for such questions. */
  readonly offered: readonly string[];
}

const mostOptions = 5;
const longestSubject = 120;

/** The question that the policy needs, in the user's language, with two to five options of which one is recommended. Pure. */
export function clarifyingQuestion({
  missing,
  signs,
  question,
  facts,
  offered,
}: Asking): Pick<Assessment, 'question' | 'options' | 'missingInfo' | 'reasoning'> {
  const texts = textsIn(signs.language, 'asking');
  const { topic, topicOptions } = textsIn(signs.language, 'digest').assess;
  const subject = trimEnd(signs.subject === 'broad' ? signs.phrase : shortened(question), ' .?!。？！');
  const [kind, term = ''] = missing.split(/:(.*)/s);
  const readings = texts.readings.map((reading) => fillText(reading, { subject }));
  const topics = (facts?.topics ?? []).slice(0, 3);
  const written = (text: string, labels: readonly string[]) => ({
    question: fillText(text, { subject, phrase: signs.phrase || subject, term }),
    options: [...new Set(labels)].slice(0, mostOptions).map((label, at) => ({ label, recommended: at === 0 })),
    missingInfo: missing,
    reasoning: '',
  });
  if (kind === 'topic' && !signs.hasContent) return written(topic, [...topics, ...topicOptions]);
  // A prepared focus does not say what "that drug" is.
  if (kind === 'reference') return written(texts.reference, readings);
  if (kind === 'term') return written(texts.term, [term, ...topics, ...readings]);
  if (kind === 'confirm') return written(texts.confirm, [texts.correct, ...offered, ...readings]);
  return written(texts.scope, [...offered, ...readings]);
}

function shortened(question: string): string {
  const line = question
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[?!.？！。؟]$/u, '');
  return line.length > longestSubject ? `${line.slice(0, longestSubject - 1)}…` : line;
}
