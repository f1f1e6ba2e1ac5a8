import type { AskedQuestion } from '../stateSchema.ts';
import { textsIn } from '../languages/texts.ts';
import { isYes } from './justStart.ts';
import { readSigns } from './signs.ts';

/**
 * The question with the answers worked in: a subject takes the place of a question without one, anything else follows. Answers that
 * add nothing ("Yes, start") are left out. Pure.
 *
 * @param neutral Labels of options that are no words of a question, such as names of focus templates.
 */
export function answeredQuestion(
  question: string,
  asked: readonly AskedQuestion[],
  language: string,
  neutral: readonly string[] = [],
): string {
  let current = question.trim();
  for (const { answer, missingInfo } of asked) {
    const text = answer?.trim() ?? '';
    if (text === '' || neutral.includes(text)) continue;
    current = withAnswer(current, text, missingInfo, language);
  }
  return current;
}

function withAnswer(question: string, answer: string, missingInfo: string, language: string): string {
  const { subject, phrase } = readSigns(question, language);
  const { correct } = textsIn(language, 'asking');
  const term = missingInfo.slice('term:'.length);
  if (isYes(answer) || answer === correct || answer === term) return question;
  if (subject === 'none' || (subject === 'broad' && answer.toLowerCase().includes(phrase.toLowerCase()))) return answer;
  return `${question}\n${answer}`;
}
