import type { WrittenSection } from '../analyst/analyst.ts';
import { withRemarks } from '../section/reviewed.ts';
import type { RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';
import { sharesWord } from '../text/sharesWord.ts';
import { framed } from './drafts.ts';
import { withoutRepeats } from './repeats.ts';
import { revised } from './revision.ts';
import { type Draft, writtenReport, type Writing } from './writtenReport.ts';

/** Writes the sections that are not written yet and their frame, and revises both. */
export async function writeBySections(run: RunContext, state: ResearchStateType, writing: Writing): Promise<string> {
  run.drafts.open(state);
  const found = state.sections.map((section): WrittenSection => ({ ...withRemarks(run, section), text: '' }));
  // Its facts are those of the findings; where time counts less, it reads the written sections.
  const early = run.settings.depth === 'deep' ? undefined : run.drafts.frame(run, state);
  // It is awaited below, behind the sections.
  early?.catch(() => undefined);
  const texts = await Promise.all(
    state.sections.map((section) => run.researchers.use(() => run.drafts.begin(run, section), run.signal)),
  );
  run.signal.throwIfAborted();
  const written = withoutRepeats(found.map((section, index) => ({ ...section, text: texts[index]! })));
  const frame = titled(state, await (early ?? framed(run, state, written)));
  const outline = { title: state.outline?.title ?? '', language: state.language };
  const composed = (draft: Draft): string => writtenReport(draft.written, draft.frame, outline);
  let draft: Draft = { written, frame };
  await writing.show(composed(draft));
  draft = await revised(run, state, draft, { ...writing, show: (changed) => writing.show(composed(changed)) });
  return composed({ ...draft, written: withoutRepeats(draft.written) });
}

/** A frame without a title that says what was asked for, and not what the report is about: "Shorter, for a manager". */
function titled<Titled extends { readonly title: string }>(
  { change, outline, originalQuery, clarifiedQuery, sections }: ResearchStateType,
  frame: Titled | undefined,
): Titled | undefined {
  const about = [outline?.title ?? '', ...sections.map(({ title }) => title)];
  const isAsked =
    change?.as === 'rewrite' && frame !== undefined && sharesWord(frame.title, [originalQuery, clarifiedQuery]);
  return isAsked && !sharesWord(frame.title, about) ? { ...frame, title: '' } : frame;
}
