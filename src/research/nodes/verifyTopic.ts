import { Command } from '@langchain/langgraph';
import type { TermLookup } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import { normalizeForQuote } from '../evidence/quotes.ts';
import { termsToVerify } from '../policy/sufficiency.ts';
import type { RunContext } from '../run/runContext.ts';
import { observedFailure, reportWarnings } from '../section/toolLoop.ts';
import type { Route } from '../routes.ts';
import type { ResearchStateType } from '../state.ts';
import type { ResearchTool } from '../tools.ts';

/** Searches for unknown terms, over all of them. */
const maxSearches = 2;

/** Looks the unknown terms up before anyone is asked about them. */
export function verifyTopicNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'verifyTopic'>> => {
    run.emit({ type: 'run/phase', phase: 'verify' });
    const terms = termsToVerify({ assessment: state.assessment!, lookups: state.lookups });
    const searches = run.tools.filter((tool) => tool.kind === 'search').sort((a, b) => lookUpOrder(a) - lookUpOrder(b));
    const lookups: TermLookup[] = [];
    let left = maxSearches;
    for (const [index, term] of terms.entries()) {
      const tools = searches.slice(0, index === terms.length - 1 ? left : Math.min(1, left));
      left -= tools.length;
      lookups.push(await lookUp(run, term, tools, `verify/${state.lookups.length + index}`, state.language));
    }
    return new Command({ update: { lookups: [...state.lookups, ...lookups] }, goto: 'assess' });
  };
}

async function lookUp(
  run: RunContext,
  term: string,
  tools: readonly ResearchTool[],
  path: string,
  language: string,
): Promise<TermLookup> {
  let answered = false;
  for (const [index, tool] of tools.entries()) {
    try {
      const context = { focus: term, language };
      const outcome = await run.calls.tool(
        { key: `${path}/${index}`, tool, args: { query: term }, context },
        run.signal,
      );
      reportWarnings(run, tool, outcome);
      const { sources } = outcome;
      answered = true;
      const hit = sources
        .map((id) => run.registry.get(id)!)
        .find((source) => mentions(`${source.title}\n${source.text}`, term));
      if (hit) return { term, outcome: 'found', summary: `${hit.title}: ${hit.text.slice(0, 300)}` };
    } catch (error) {
      if (run.signal.aborted) throw run.signal.reason;
      observedFailure(run, tool, {}, ResearchError.from(error));
    }
  }
  return answered ? { term, outcome: 'notFound', summary: '' } : { term, outcome: 'impossible', summary: '' };
}

function lookUpOrder({ traits }: ResearchTool): number {
  return traits?.lookUpOrder ?? Infinity;
}

function mentions(text: string, term: string): boolean {
  return normalizeForQuote(text).includes(normalizeForQuote(term));
}
