import { Command, END, isGraphBubbleUp, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { mostAttempts } from '../../protocol/steering.ts';
import { caught, failureOf } from '../run/failure.ts';
import { errorText } from '../languages/texts.ts';
import { mayGoBack, quickGaps } from '../policy/sectionSufficiency.ts';
import type { SectionRoute } from '../routes.ts';
import type { RunContext } from '../run/runContext.ts';
import { SectionGraphOutput, SectionGraphState, type SectionGraphStateType, type SectionState } from '../state.ts';
import { distilNode } from './distil.ts';
import { emitSection } from './emitSection.ts';
import { researchNode } from './research.ts';
import { stoppable, stopped } from './stopped.ts';

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
      return await heldWhileDrafted(run, input.section.id, research);
    } catch (error) {
      if (isGraphBubbleUp(error) || run.signal.aborted) throw error;
      const failure = caught(run, `section ${input.section.id}`, error);
      const { id, attempt } = input.section;
      // The attempt with these remarks failed: the same ones do not send the section back again.
      const { remarks } = await run.steering.look(`section/${id}/${attempt + 1}/failed`, id);
      const failed: SectionState = {
        ...input.section,
        ...(remarks > 0 ? { remarks } : {}),
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

/**
 * The researched section at once; its researcher's place is free when its text is written as well.
 */
async function heldWhileDrafted<T extends { readonly sections: readonly SectionState[] }>(
  run: RunContext,
  section: string,
  research: () => Promise<T>,
): Promise<T> {
  const researched = Promise.withResolvers<T>();
  let isStarted = false;
  const work = async (): Promise<void> => {
    isStarted = true;
    const result = await research();
    researched.resolve(result);
    if (!run.budget.isNarrow) for (const one of result.sections) await run.drafts.begin(run, one);
  };
  run.researchers
    .use(work, stoppable(run, section))
    .catch((error: unknown) => {
      if (isStarted || run.signal.aborted) throw error;
      // Stopped while it waited for a place: it makes no call, and needs none.
      return work();
    })
    .catch(researched.reject);
  return await researched.promise;
}

/**
 * Sends a section that is plainly too thin back, once a dispatch, without waiting for the slowest one; and one that the user has a remark
 * on. Where the user decides what goes back, it sends nothing back by itself.
 */
function quickReviewNode(run: RunContext) {
  return async (state: SectionGraphStateType): Promise<SectionRoute> => {
    const { section } = state;
    const told = await run.steering.look(`section/${section.id}/${section.attempt}/end`, section.id);
    if (told.stopped) {
      const ended = stopped(run, section);
      emitSection(run, ended, '');
      return new Command({ update: { sections: [ended] }, goto: END });
    }
    const canContinue = !run.budget.isNarrow && !run.finishSignal.aborted;
    if (canContinue && told.remarks > (section.remarks ?? 0) && section.attempt < mostAttempts) {
      const again: SectionState = { ...section, status: 'pending', gaps: [] };
      emitSection(run, { ...again, attempt: again.attempt + 1 }, '');
      return new Command({ update: { section: again }, goto: 'research' });
    }
    const allowed =
      canContinue &&
      run.tools.length > 0 &&
      run.analyst.review !== undefined &&
      run.settings.reviewApproval === 'never' &&
      state.quickReviews < 1 &&
      mayGoBack(state.section, run.settings);
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
