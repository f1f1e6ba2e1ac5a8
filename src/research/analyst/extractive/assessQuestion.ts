import { fill, textsIn } from '../../languages/languages.ts';
import { answeredQuestion, answeredSigns } from '../../policy/answeredQuestion.ts';
import { askingWords, type Signs } from '../../policy/signs.ts';
import type { AssessInput, Assessment } from '../analyst.ts';
import { titleOf } from './planSections.ts';

/** How sure the signs alone are of the direction, by what they show. */
const confidences: Readonly<Record<Signs['subject'], number>> = { none: 0.1, reference: 0.3, broad: 0.6, named: 0.95 };

/** Assesses a question by its mechanical signs. The policy asks where they show a gap. Pure and total. */
export function assessQuestion(
  { question, asked, workspace, hasFolder, templates }: AssessInput,
  language: string,
): Assessment {
  const texts = textsIn(language, 'digest').assess;
  const whole = answeredQuestion(question, asked, language, templates);
  const signs = answeredSigns(whole, asked, language, { workspace, hasFolder });
  const { subject, terms, refusal, resolved } = signs;
  const isNamed = subject === 'named';
  return {
    cannotDo: refusal ? askingWords(signs.language).texts.cannot[refusal] : null,
    needClarification: !isNamed,
    question: '',
    options: [],
    missingInfo: '',
    verification: isNamed ? fill(texts.understood, { subject: titleOf(whole) }) : '',
    refinedQuery: resolved?.adds ? `${whole} (${resolved.meaning})` : whole,
    topicClear: isNamed || subject === 'broad',
    scopeInferable: isNamed,
    goalClear: true,
    defaultGoal: '',
    unknownTerms: terms,
    // Points are not judged without a model.
    focus: [],
    confidence: confidences[subject],
    reasoning: isNamed ? 'The question has words to search for.' : `By its words: ${subject}.`,
  };
}
