import { strategyOf } from '../../protocol/strategy.ts';
import type { Distilled, Plan, PlannedSection } from '../analyst/analyst.ts';
import { titleOf } from '../analyst/extractive/planSections.ts';
import type { Source } from '../evidence/source.ts';
import { questionOf } from '../run/questionOf.ts';
import { caught } from '../run/failure.ts';
import { readable, stepScope, type RunContext, type EvidencePort } from '../run/runContext.ts';
import type { ResearchStateType, SectionState } from '../state.ts';
import type { Digest } from '../stateSchema.ts';
import { attachedKind } from '../ports.ts';

/** What a run with a model would say without it: the floor under what the model writes. */
export interface FloorQuotes {
  /** What the sources of each section say word for word, by the section's id. */
  readonly sections: ReadonlyMap<string, Distilled>;
  /** See {@link digestOf}. */
  readonly digest: Digest | undefined;
}

/** Never rejects but when the run is stopped: what can't be had is left out. */
export async function floorQuotes(run: RunContext, state: ResearchStateType): Promise<FloorQuotes> {
  const sections = new Map<string, Distilled>();
  for (const section of state.sections) {
    const sources = sourcesOf(run, section.sourceIds);
    const quotes = sources.length === 0 ? undefined : await quotesOf(run, state, section, sources, true);
    if (quotes) sections.set(section.id, quotes);
  }
  return { sections, digest: await digestOf(run, state) };
}

/**
 * What the run would say without a model. Searches nothing but this machine, and uses what the run found elsewhere; where it found
 * nothing at all, the question is searched everywhere. Undefined: it can't be had, or "Finish now" doesn't wait for it.
 */
export async function digestOf(run: RunContext, state: ResearchStateType): Promise<Digest | undefined> {
  if (run.finishSignal.aborted) return undefined;
  const tools =
    run.registry.all().length === 0
      ? run.tools
      : run.tools.filter(({ kind, traits }) => kind === 'search' && traits?.isLocal);
  const own: RunContext = { ...run, tools };
  try {
    const sections: SectionState[] = [];
    const outline = await plannedWithout(own, state);
    for (const planned of outline.sections) {
      const found = await search(own, state, planned);
      const elsewhere = run.registry.all().filter(({ file, kind }) => file === undefined || kind === attachedKind);
      const ids = [...new Set([...(found ?? []), ...elsewhere.map(({ id }) => id)])];
      const distilled = await quotesOf(run, state, planned, sourcesOf(run, ids), false);
      // Where no search was answered or made, it is not known that there is nothing.
      const isSearched = found !== undefined && tools.length + ids.length > 0;
      if (!distilled || (!isSearched && distilled.findings.length === 0)) continue;
      const sourceIds = [...new Set(distilled.findings.map(({ source }) => source))];
      const searched = [...new Set(tools.map(({ source }) => source))];
      sections.push({ ...planned, distilled, sourceIds, searched, status: 'completed', attempt: 1, gaps: [] });
    }
    return sections.length === 0 ? undefined : { outline, sections };
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    caught(run, 'quotes without a model', error);
    return undefined;
  }
}

async function plannedWithout(run: RunContext, state: ResearchStateType): Promise<Plan> {
  const { fallback } = run;
  const { originalQuery, asked, strategy } = state;
  const scope = scopeAt(run, state, 'plan');
  const { refinedQuery } = await fallback.assess({ question: originalQuery, asked, lookups: [] }, scope);
  const question = { ...questionOf(run, state), clarifiedQuestion: refinedQuery.trim() || originalQuery };
  if (strategyOf(strategy).planner === 'brief') {
    const brief = await fallback.brief({ ...question, focus: [] }, scope);
    const asking = { question: question.clarifiedQuestion, brief, round: 0, maxRounds: 1, maxConcurrent: 1, turns: [] };
    const { calls } = await fallback.supervise(asking, scope);
    const sections = calls.map(({ args }, index) => {
      const topic = String(args['research_topic']);
      return { id: `f${index + 1}`, title: String(args['title'] ?? topic), description: topic, queries: [topic] };
    });
    return { title: titleOf(question.clarifiedQuestion), objective: brief, scope: '', sections };
  }
  const analysis = await fallback.analyze(question, scope);
  const wanted = { min: 1, max: 7 };
  const plan = await fallback.plan({ ...question, analysis, focus: [], discovered: [], wanted }, scope);
  return { ...plan, sections: plan.sections.map((section, index) => ({ ...section, id: `f${index + 1}` })) };
}

/** The searches that rules begin with. One that fails finds nothing; undefined when all do. */
async function search(
  run: RunContext,
  state: ResearchStateType,
  { id, title, description, queries }: PlannedSection,
): Promise<readonly string[] | undefined> {
  const scope = scopeAt(run, state, `researcher/${id}`);
  const turn = await run.fallback.act(
    {
      ...{ role: 'researcher', tools: run.tools, turn: 0, callsLeft: run.settings['limits.maxToolCallsPerResearcher'] },
      ...{ otherSections: [], gaps: [], known: [], gathered: [] },
      task: { title, description, queries },
      question: queries[0] ?? description,
    },
    scope,
  );
  const found = await Promise.all(
    turn.calls.map(async ({ name, args }, index) => {
      const tool = run.tools.find((one) => one.name === name)!;
      const context = { focus: description, language: state.language };
      try {
        const call = { key: `${scope.path}/tool/${index}`, tool, args: tool.parameters.parse(args), context };
        return (await run.calls.tool(call, run.signal)).sources;
      } catch (error) {
        if (run.signal.aborted) throw run.signal.reason;
        caught(run, scope.path, error);
        return undefined;
      }
    }),
  );
  const answered = found.filter((sources) => sources !== undefined);
  return answered.length === 0 && found.length > 0 ? undefined : [...new Set(answered.flat())];
}

async function quotesOf(
  run: RunContext,
  state: ResearchStateType,
  section: PlannedSection,
  sources: readonly Source[],
  chosen: boolean,
): Promise<Distilled | undefined> {
  const input = { section, question: state.clarifiedQuery, gaps: [], gathered: [], sources };
  try {
    return await run.fallback.distil({ ...input, chosen }, scopeAt(run, state, `quotes/${section.id}`));
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    caught(run, `quotes of section ${section.id}`, error);
    return undefined;
  }
}

function sourcesOf(run: EvidencePort, ids: readonly string[]): Source[] {
  return ids.flatMap((id) => readable(run, id) ?? []);
}

function scopeAt(run: RunContext, state: ResearchStateType, path: string) {
  return stepScope(run, state, 'report', `report/floor/${path}`);
}
