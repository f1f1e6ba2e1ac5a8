import { capitalised } from './capitalised.ts';
import { readQuestion } from './question.ts';

/** Longer questions are cut at a word. */
const longestTitle = 110;

/** A question as the title of the section that answers it. */
export function titleOfQuestion(question: string): string {
  const line = capitalised(question.replace(/\s+/g, ' ').replace(/[\s?？!！.。؟]+$/u, ''));
  return line.length <= longestTitle ? line : `${line.slice(0, longestTitle).replace(/\s+\S*$/u, '')} …`;
}

/** The one of the user's questions that a section answers, as its title says; all that was asked when it answers none alone. */
export function questionOfSection(title: string, question: string): string {
  return readQuestion(question).questions.find((asked) => titleOfQuestion(asked) === title) ?? question;
}
