import type { AskedQuestion } from '../stateSchema.ts';
import { fillText } from '../languages/sayings.ts';
import { isYes } from './justStart.ts';
import { askingWords, readSigns, type Signs, type Surroundings } from './signs.ts';

/** An answer up to so many characters is a name that stands in for the phrase that was asked about. */
const longestName = 80;

/**
 * The question with the answers worked in: a name takes the place of what pointed at it, a subject that of a question without one,
 * anything else follows. Answers that add nothing ("Yes, start") are left out. Pure.
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

/** The signs of a question with its answers. Who chose one of the offered readings of a field has said enough. */
export function answeredSigns(
  whole: string,
  asked: readonly AskedQuestion[],
  language: string,
  around: Surroundings,
): Signs {
  const signs = readSigns(whole, language, around);
  const isChosen = asked.some(({ missingInfo, isOption }) => missingInfo === 'scope' && isOption);
  return signs.subject === 'broad' && isChosen ? { ...signs, subject: 'named' } : signs;
}

function withAnswer(question: string, answer: string, missingInfo: string, language: string): string {
  const { subject, phrase, language: own } = readSigns(question, language);
  const { texts } = askingWords(own);
  const [missing, term = ''] = missingInfo.split(/:(.*)/s) as [string, string?];
  const isName = answer.length <= longestName && !answer.includes('\n');
  switch (missing) {
    case 'confirm':
      return answer === texts.correct || isYes(answer) ? question : `${question}\n${answer}`;
    case 'term': {
      if (answer === fillText(texts.asWritten, { term }) || isYes(answer)) return question;
      const meant = identifiersIn(answer).filter((name) => name.toLowerCase() !== term.toLowerCase());
      const name = meant.length === 1 ? meant[0]! : isName && answer.split(/\s+/).length <= 3 ? answer : undefined;
      return name !== undefined && question.includes(term)
        ? question.replaceAll(term, () => name)
        : `${question}\n${answer}`;
    }
    case 'reference':
      return subject === 'reference' && isName && question.includes(phrase)
        ? question.replace(phrase, () => answer)
        : `${question}\n${answer}`;
    case 'topic':
      return subject === 'none' ? answer : `${question}\n${answer}`;
    case 'scope':
      return subject === 'broad' && answer.toLowerCase().includes(phrase.toLowerCase())
        ? answer
        : `${question}\n${answer}`;
    default:
      return `${question}\n${answer}`;
  }
}

function identifiersIn(text: string): string[] {
  return [...new Set(text.slice(0, 1_000).match(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}-]*\d[\p{L}\p{N}-]*/gu))];
}
