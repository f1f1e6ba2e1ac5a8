import { type ReadStatement, statementNumber, type Verdict, type VerifyInput } from '../analyst/analyst.ts';
import { estimateTokens } from '../text/estimateTokens.ts';
import { type Control, controlsOf, isReader, leastControls, shuffled } from './controls.ts';

/** Tokens of the prompt beside what is read, and of the answer about one statement; those of statements and passages beyond these are cut. */
const [fixedTokens, answerTokens, mostTokens] = [1_100, 45, 6_000];

/** One statement with controls among which a reader can't tell it. */
export interface PreparedCheck {
  readonly input: VerifyInput;
  /** Of the prompt and the answer, roughly. */
  readonly tokens: { readonly in: number; readonly out: number };
  /** Undefined: the reader gave no answer, or failed its controls. */
  verdictOf(answers: ReadonlyMap<number, Verdict>): Verdict | undefined;
}

/**
 * @param passages Of the statement.
 * @param groups Passages of the report's other statements, which controls are made of too.
 */
export function prepareCheck(
  text: string,
  passages: readonly string[],
  groups: readonly (readonly string[])[],
): PreparedCheck {
  const controls = controlsOf([passages, ...groups], leastControls, text);
  const entries: readonly (Pick<ReadStatement, 'text' | 'passages'> & Partial<Control>)[] = [
    { text, passages },
    ...controls,
  ];
  const order = shuffled(entries, text, (one) => `${one.text}\0${one.passages.join('\0')}`);
  const statements = order.map((one, place) => ({
    number: statementNumber(place),
    text: one.text,
    passages: one.passages,
  }));
  const read = statements.reduce((sum, one) => sum + estimateTokens([one.text, ...one.passages].join('\n')), 0);
  return {
    input: { statements, most: mostTokens },
    tokens: { in: fixedTokens + Math.min(read, mostTokens), out: statements.length * answerTokens },
    verdictOf(answers) {
      const tally = {
        supported: { right: 0, made: 0 },
        absent: { right: 0, made: 0 },
        contradicted: { right: 0, made: 0 },
      };
      for (const [place, { expected }] of order.entries()) {
        const answer = answers.get(statementNumber(place));
        if (expected === undefined || answer === undefined) continue;
        tally[expected].made += 1;
        if (answer.verdict === expected) tally[expected].right += 1;
      }
      const own = answers.get(statementNumber(order.findIndex(({ expected }) => expected === undefined)));
      return isReader(tally) ? own : undefined;
    },
  };
}
