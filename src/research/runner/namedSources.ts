import { ResearchError } from '../errors.ts';
import { type Named, namedIn } from '../evidence/namedIn.ts';
import { observedFailure, reportWarnings } from '../section/toolCall.ts';
import { type NamedCall, type ResearchTool, sourceTraits } from '../tools.ts';
import type { RunContext } from '../run/runContext.ts';

/**
 * Opens what the question names (pages, papers, repositories, threads) into the run's sources, before anything is searched. A resumed
 * run takes them from its journal. What can't be opened is reported, and the run continues without it.
 */
export async function readNamedSources(
  run: RunContext,
  question: string,
  language: string,
): Promise<readonly string[]> {
  const named = namedIn(question);
  if (named.length === 0) return [];
  // A resumed run may have other tools.
  const { value } = await run.replay.observed('named', () => named.map((one) => callsFor(one, run.tools)));
  const found = await Promise.all(
    value.map((calls, index) => openFirst(run, calls, index, { focus: question, language, isNamed: true })),
  );
  return [...new Set(found.flat())];
}

/** The page itself before records of it, else in the order of the sources. */
export function callsFor(named: Named, tools: readonly ResearchTool[]): NamedCall[] {
  return sourceTraits(tools)
    .flatMap((traits) => traits.openNamed?.(named) ?? [])
    .filter(({ name }) => tools.some((tool) => tool.name === name))
    .toSorted((a, b) => Number(a.isRecord ?? false) - Number(b.isRecord ?? false));
}

async function openFirst(
  run: RunContext,
  calls: readonly NamedCall[],
  index: number,
  context: { readonly focus: string; readonly language: string; readonly isNamed: true },
): Promise<readonly string[]> {
  for (const [attempt, { name, args }] of calls.entries()) {
    const tool = run.tools.find((one) => one.name === name);
    if (tool === undefined || run.finishSignal.aborted) continue;
    try {
      const call = { key: `named/${index}/${attempt}`, tool: givenBy(tool), args, context };
      const outcome = await run.calls.tool(call, run.signal);
      reportWarnings(run, tool, outcome);
      if (outcome.sources.length > 0) return outcome.sources;
    } catch (error) {
      if (run.signal.aborted) throw run.signal.reason;
      observedFailure(run, tool, args, ResearchError.from(error));
    }
  }
  return [];
}

/** The tool, with results that are marked as meant by the user. */
function givenBy(tool: ResearchTool): ResearchTool {
  return {
    ...tool,
    run: async (args, context, signal) => {
      const result = await tool.run(args, context, signal);
      return { ...result, documents: result.documents.map((document) => ({ ...document, isGiven: true })) };
    },
  };
}
