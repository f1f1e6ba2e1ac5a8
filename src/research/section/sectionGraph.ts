import { END, isGraphBubbleUp, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { ResearchError } from '../errors.ts';
import type { RunContext } from '../runContext.ts';
import { SectionGraphOutput, SectionGraphState, type SectionGraphStateType, type SectionState } from '../state.ts';
import { distilNode } from './distil.ts';
import { researchNode } from './research.ts';

/** Research and distillation of one section. */
export function buildSectionGraph(run: RunContext) {
  return new StateGraph({ stateSchema: SectionGraphState, output: SectionGraphOutput })
    .addNode('research', researchNode(run))
    .addNode('distil', distilNode(run))
    .addEdge(START, 'research')
    .addEdge('research', 'distil')
    .addEdge('distil', END)
    .compile();
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
      return await run.researchers.use(async () => graph.invoke(input, config), run.signal);
    } catch (error) {
      if (isGraphBubbleUp(error) || run.signal.aborted) throw error;
      const failure = ResearchError.from(error);
      if (failure.reason === 'bug') run.log.error(`section ${input.section.id}: ${failure.stack ?? failure.message}`);
      const failed: SectionState = { ...input.section, status: 'failed', attempt: input.section.attempt + 1, error: failure.message };
      emitSection(run, failed, '');
      run.warn(`section.${failure.reason}`, `"${failed.title}" could not be researched: ${failure.message}`, failed.id);
      return { sections: [failed] };
    }
  };
}

export function emitSection(run: RunContext, section: SectionState, activity: string, sources = section.sourceIds.length): void {
  run.emit({
    type: 'section/updated',
    id: section.id,
    title: section.title,
    status: section.status,
    attempt: section.attempt,
    activity,
    sources,
    ...(section.error === undefined ? {} : { error: section.error }),
  });
}
