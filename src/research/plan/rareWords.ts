import type { RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';
import { readQuery } from '../text/query.ts';
import { stem } from '../text/stem.ts';
import { fold, terms } from '../text/tokenize.ts';
import { firstFound } from './speculativePlan.ts';

/** A word of letters in a script with spaces: its form tells it from a number, an abbreviation and a short word. */
const wordForm = /^(?:\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}){5,}$/u;

/** Words of the question that no vocabulary has and that nothing has which the first searches found. */
export async function rareAndUnfound(
  run: RunContext,
  state: Pick<ResearchStateType, 'originalQuery' | 'today' | 'language'>,
): Promise<readonly string[]> {
  const { value } = await run.replay.observed('ahead/rare', async () => {
    const rare: string[] = [];
    for (const { word } of readQuery(state.originalQuery, state.language).words)
      if (wordForm.test(word) && (await run.isRareWord?.(word, state.language))) rare.push(word);
    const found = rare.length === 0 ? undefined : await firstFound(run, state);
    if (found === undefined) return [];
    const known = new Set(found.flatMap(({ title, text }) => terms(`${title}\n${text}`)));
    return rare.filter((word) => !known.has(stem(fold(word))));
  });
  return value;
}
