import { Command, END, isGraphBubbleUp, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { caught, failureOf } from '../run/failure.ts';
import { errorText } from '../languages/sayings.ts';
import { mayGoBack, quickGaps } from '../policy/sectionSufficiency.ts';
import type { SectionRoute } from '../routes.ts';
import type { RunContext } from '../run/runContext.ts';
import { SectionGraphOutput, SectionGraphState, type SectionGraphStateType, type SectionState } from '../state.ts';
import { distilNode } from './distil.ts';
import { emitSection } from './emitSection.ts';
import { researchNode } from './research.ts';

/** Research, distillation and quick review of one section: a weak one goes back at once, while the others still run. */
function buildSectionGraph(run: RunContext) {
  return (
    new StateGraph({ stateSchema: SectionGraphState, output: SectionGraphOutput })
      .addNode('research', researchNode(run))
      .addNode('distil', distilNode(run))
      .addNode('quickReview', quickReviewNode(run), { ends: ['research', END] })
      .addEdge(START, 'research')
      .addEdge('research', 'distil')
      .addEdge('distil', 'quickReview')
      // Its calls are in the journal: an interrupted section repeats its steps without sending them again.
      .compile({ checkpointer: false })
  );
}

/**
 * The node that a `Send` starts. It waits for a free researcher and never throws but for a stop and an interrupt: a section
 * that fails is an update that says so. (An uncaught throw would reject the whole run and leave the other sections calling
 * models as orphans.)
 */
export function sectionNode(run: RunContext) {
  const graph = buildSectionGraph(run);
  return async (sent: unknown, config: LangGraphRunnableConfig): Promise<{ sections: readonly SectionState[] }> => {
    // A node that a `Send` starts gets what was sent and not the graph's state.
    const input = sent as SectionGraphStateType;
    try {
      const research = () =>
        run.watchdog.guard(`section/${input.section.id}`, 'The researcher', graph.invoke(input, config), {
          signal: run.signal,
          patience: 2,
        });
      return await heldWhileDrafted(run, research);
    } catch (error) {
      if (isGraphBubbleUp(error) || run.signal.aborted) throw error;
      const failure = caught(run, `section ${input.section.id}`, error);
      const failed: SectionState = {
        ...input.section,
        status: 'failed',
        attempt: input.section.attempt + 1,
        error: errorText(failure, run.texts),
        failure: failureOf(failure),
      };
      emitSection(run, failed, '');
      run.warn({ kind: 'section.failed', title: failed.title, error: failure }, failed.id);
      return { sections: [failed] };
    }
  };
}

/** The researched section at once; its researcher's place is free when its text is written as well. */
async function heldWhileDrafted<T extends { readonly sections: readonly SectionState[] }>(
  run: RunContext,
  research: () => Promise<T>,
): Promise<T> {
  const researched = Promise.withResolvers<T>();
  const work = async (): Promise<void> => {
    const result = await research();
    researched.resolve(result);
    if (!run.budget.isNarrow) for (const section of result.sections) await run.drafts.begin(run, section);
  };
  run.researchers.use(work, run.signal).catch(researched.reject);
  return await researched.promise;
}

/** Sends a section that is plainly too thin back, once a dispatch, without waiting for the slowest one. */
function quickReviewNode(run: RunContext) {
  return (state: SectionGraphStateType): SectionRoute => {
    const section = state.section;
    const allowed =
      run.analyst.review !== undefined &&
      state.quickReviews < 1 &&
      mayGoBack(state.section, run.settings) &&
      !run.budget.isNarrow &&
      !run.finishSignal.aborted;
    const gaps = allowed && section.status === 'completed' ? quickGaps(section) : undefined;
    if (!gaps) {
      emitSection(run, section, '');
      return new Command({ update: { sections: [section] }, goto: END });
    }
    const back: SectionState = { ...section, status: 'pending', gaps };
    run.emit({ type: 'thought', section: section.id, text: `Sent back at once: ${gaps.join(' ')}` });
    emitSection(run, { ...back, attempt: back.attempt + 1 }, '');
    return new Command({ update: { section: back, quickReviews: state.quickReviews + 1 }, goto: 'research' });
  };
}
