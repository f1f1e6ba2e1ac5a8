import { fillText } from '../../../protocol/fillText.ts';
import { textsIn } from '../../languages/texts.ts';
import { answeredQuestion } from '../../policy/answeredQuestion.ts';
import { readSigns, type Signs } from '../../policy/signs.ts';
import type { Missing } from '../../policy/sufficiency.ts';
import type { AssessInput, Assessment } from '../analyst.ts';
import { titleOf } from './planSections.ts';

/** How sure the signs alone are of the direction, and what they miss. */
const shown: Readonly<Record<Signs['subject'], readonly [confidence: number, missing: Missing]>> = {
  none: [0.1, 'topic'],
  reference: [0.3, 'reference'],
  broad: [0.6, 'scope'],
  named: [0.95, ''],
};

/** Assesses a question by the form of its words. The policy asks where they show a gap. Pure and total. */
export function assessQuestion(
  { question, asked, workspace, hasFolder, templates }: AssessInput,
  language: string,
): Assessment {
  const texts = textsIn(language, 'digest').assess;
  const whole = answeredQuestion(question, asked, language, templates);
  const signs = readSigns(whole, language, { workspace, hasFolder });
  // After an answer one word is enough.
  const subject = signs.subject === 'broad' && asked.length > 0 ? 'named' : signs.subject;
  const [confidence, missingInfo] = shown[subject];
  const isNamed = subject === 'named';
  return {
    cannotDo: null,
    needClarification: !isNamed,
    question: '',
    options: [],
    missingInfo,
    verification: isNamed ? fillText(texts.understood, { subject: titleOf(whole) }) : '',
    refinedQuery: signs.resolved?.adds ? `${whole} (${signs.resolved.meaning})` : whole,
    topicClear: isNamed || subject === 'broad',
    scopeInferable: isNamed,
    goalClear: true,
    defaultGoal: '',
    unknownTerms: [],
    // Points are not judged without a model.
    focus: [],
    confidence,
    reasoning: '',
  };
}
