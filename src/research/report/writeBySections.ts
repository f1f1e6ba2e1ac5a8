import type { Frame, WrittenSection } from '../analyst/analyst.ts';
import { withRemarks } from '../section/reviewed.ts';
import { caught } from '../run/failure.ts';
import { scopeOf, type RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';
import { writingInput } from './drafts.ts';
import { contradictionsOf } from '../section/contradictions.ts';
import { withoutRepeats } from './repeats.ts';
import { revised } from './revision.ts';
import { type Draft, writtenReport, type WrittenReport, type Writing } from './writtenReport.ts';

/** Writes the sections that are not written yet and their frame, and revises both. */
export async function writeBySections(
  run: RunContext,
  state: ResearchStateType,
  writing: Writing,
): Promise<WrittenReport> {
  run.drafts.open(state);
  const found = state.sections.map((section): WrittenSection => ({ ...withRemarks(run, section), text: '' }));
  // Its facts are those of the findings; where time counts less, it reads the written sections.
  const early =
    state.change?.as === 'research'
      ? Promise.resolve(undefined)
      : run.settings.depth === 'deep'
        ? undefined
        : framed(run, state, found);
  // It is awaited below, behind the sections.
  early?.catch(() => undefined);
  const texts = await Promise.all(
    state.sections.map((section) => run.researchers.use(() => run.drafts.begin(run, section), run.signal)),
  );
  run.signal.throwIfAborted();
  const written = withoutRepeats(found.map((section, index) => ({ ...section, text: texts[index]! })));
  const frame = await (early ?? framed(run, state, written));
  const outline = { sections: state.sections, title: state.outline?.title ?? '', language: state.language };
  const composed = (draft: Draft): WrittenReport => writtenReport(draft.written, draft.frame, outline);
  let draft: Draft = { written, frame };
  await writing.show(composed(draft));
  draft = await revised(run, state, draft, { ...writing, show: (changed) => writing.show(composed(changed)) });
  return composed({ ...draft, written: withoutRepeats(draft.written) });
}

/** Undefined when it can't be written: the plan's title and the program's own conclusion replace it. */
async function framed(
  run: RunContext,
  state: ResearchStateType,
  written: readonly WrittenSection[],
): Promise<Frame | undefined> {
  const { today, language } = state;
  const scope = scopeOf(run, { path: 'report/frame', phase: 'report', today, language });
  try {
    return await run.analyst.frame?.(
      {
        ...writingInput(run, state),
        sections: written,
        discovered: state.discoveredItems,
        contradictions: contradictionsOf(state),
      },
      scope,
    );
  } catch (error) {
    run.signal.throwIfAborted();
    run.warn({ kind: 'report.cutShort', error: caught(run, 'frame', error) });
    return undefined;
  }
}
