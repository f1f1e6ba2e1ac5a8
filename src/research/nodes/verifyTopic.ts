import { largest } from '../../protocol/numbers.ts';
import { Command } from '@langchain/langgraph';
import type { TermLookup } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import { normalizeForQuote } from '../evidence/quotes.ts';
import type { Source } from '../evidence/source.ts';
import { termsToVerify } from '../policy/sufficiency.ts';
import type { RunContext } from '../run/runContext.ts';
import { observedFailure, reportWarnings } from '../section/toolCall.ts';
import type { Route } from '../routes.ts';
import type { ResearchStateType } from '../state.ts';
import type { ResearchTool } from '../tools.ts';

/** Searches for one term that leave the machine: a dead one is no answer. */
const mostSearches = 3;
/** What is shown of the document that knows a term, in UTF-16 units: half of it before the term. */
const shownLength = 300;

/** Looks the unknown terms up before anyone is asked about them: in the folder first, where a hit costs nothing, then in public sources at once. */
export function verifyTopicNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'verifyTopic'>> => {
    run.emit({ type: 'run/phase', phase: 'verify' });
    const terms = termsToVerify({ assessment: state.assessment!, lookups: state.lookups });
    const round = 1 + largest(state.lookups.map((lookup) => lookup.round ?? 1));
    const lookups = await Promise.all(
      terms.map(async (term, index) => {
        const path = `verify/${state.lookups.length + index}`;
        return { ...(await lookUp(run, term, path, state.language)), round };
      }),
    );
    return new Command({ update: { lookups: [...state.lookups, ...lookups] }, goto: 'assess' });
  };
}

async function lookUp(run: RunContext, term: string, path: string, language: string): Promise<TermLookup> {
  const searches = run.tools.filter(({ kind }) => kind === 'search');
  const local = searches.filter(({ traits }) => traits?.isLocal);
  const outside = searches
    .filter((tool) => !local.includes(tool))
    .sort((a, b) => lookUpOrder(a) - lookUpOrder(b))
    .slice(0, mostSearches);
  /** Undefined: the tool did not answer. */
  const ask = async (tool: ResearchTool, index: number): Promise<Source | 'none' | undefined> => {
    try {
      const call = { key: `${path}/${index}`, tool, args: { query: term }, context: { focus: term, language } };
      const outcome = await run.calls.tool(call, run.signal);
      reportWarnings(run, tool, outcome);
      const sources = outcome.sources.map((id) => run.registry.get(id)!);
      return sources.find((source) => mentions(`${source.title}\n${source.text}`, term)) ?? 'none';
    } catch (error) {
      if (run.signal.aborted) throw run.signal.reason;
      observedFailure(run, tool, {}, ResearchError.from(error));
      return undefined;
    }
  };
  const isHit = (answer: Source | 'none' | undefined): answer is Source => typeof answer === 'object';
  const own = await Promise.all(local.map(ask));
  // That a folder lacks a term says nothing of the world.
  const others = own.some(isHit) ? [] : await Promise.all(outside.map((tool, at) => ask(tool, local.length + at)));
  const hit = [...own, ...others].find(isHit);
  if (hit) return { term, outcome: 'found', summary: `${hit.title}: ${around(hit, term)}` };
  return { term, outcome: others.includes('none') ? 'notFound' : 'impossible', summary: '' };
}

function lookUpOrder({ traits }: ResearchTool): number {
  return traits?.lookUpOrder ?? Infinity;
}

function mentions(text: string, term: string): boolean {
  return indexOfName(normalizeForQuote(text), normalizeForQuote(term)) !== -1;
}

/** The place of a name that no letter or digit continues; -1 for none. */
function indexOfName(text: string, name: string): number {
  const isPart = (character: string | undefined): boolean => character !== undefined && /[a-z0-9]/.test(character);
  for (let at = text.indexOf(name); at !== -1 && name !== ''; at = text.indexOf(name, at + 1))
    if (!isPart(text[at - 1]) && !isPart(text[at + name.length])) return at;
  return -1;
}

function around({ text }: Source, term: string): string {
  const at = Math.max(0, indexOfName(text.toLowerCase(), term.toLowerCase()) - shownLength / 2);
  return text
    .slice(at, at + shownLength)
    .replace(/\s+/g, ' ')
    .trim();
}
