/** The longest question, in UTF-16 units after trimming: what the engine takes. Answers have the same limit. */
export const maxQuestionLength = 20_000;

export type QuestionProblem = 'empty' | 'tooLong';

export function questionProblem(text: string): QuestionProblem | null {
  const { length } = text.trim();
  if (length === 0) return 'empty';
  return length > maxQuestionLength ? 'tooLong' : null;
}
