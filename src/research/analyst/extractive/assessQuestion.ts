import type { AssessInput, Assessment } from '../analyst.ts';
import { fill, textsIn } from '../../languages/languages.ts';
import { readQuery } from '../../text/query.ts';
import { titleOf } from './planSections.ts';

const mostOptions = 4;

/** Only a question without any word that names a subject is asked back; everything else is searched for. Pure and total. */
export function assessQuestion({ question, asked, workspace }: AssessInput, language: string): Assessment {
  const texts = textsIn(language, 'digest').assess;
  const answers = asked.flatMap(({ answer }) => (answer === null || answer.trim() === '' ? [] : [answer.trim()]));
  const whole = [question.trim(), ...answers].filter((text) => text !== '').join('\n');
  const hasTopic = namesSubject(whole, language);
  const mayAsk = !asked.some(({ missingInfo }) => missingInfo === 'topic');
  const options = [...(workspace?.topics ?? []).slice(0, mostOptions - 1), ...texts.topicOptions].slice(0, mostOptions);
  return {
    cannotDo: hasTopic || mayAsk ? null : texts.noTopic,
    needClarification: !hasTopic,
    question: hasTopic ? '' : texts.topic,
    options: hasTopic ? [] : options.map((label, index) => ({ label, recommended: index === 0 })),
    missingInfo: hasTopic ? '' : 'topic',
    verification: hasTopic ? fill(texts.understood, { subject: titleOf(whole) }) : '',
    refinedQuery: whole,
    topicClear: hasTopic,
    scopeInferable: hasTopic,
    goalClear: hasTopic,
    defaultGoal: '',
    unknownTerms: [],
    // The policy starts without a word from three points on.
    focus: hasTopic
      ? readQuery(whole, language)
          .words.map(({ word }) => word)
          .concat('', '', '')
          .slice(0, 3)
      : [],
    confidence: hasTopic ? 0.95 : 0.1,
    reasoning: hasTopic ? 'The question has words to search for.' : 'No word of the question names a subject.',
  };
}

/** Keyboard rows and single letters name nothing, nor do numbers alone. */
function namesSubject(text: string, language: string): boolean {
  return readQuery(text, language).words.some(({ word }) => /\p{L}{2}|\p{Script=Han}/u.test(word));
}
