import { Command } from '@langchain/langgraph';
import type { Plan, PlannedSection, UnderstoodFollowUp } from '../analyst/analyst.ts';
import { inputOf, type Finding } from '../evidence/source.ts';
import { numbered } from '../plan/boundedPlan.ts';
import { proposalOf, shown } from '../plan/proposal.ts';
import type { Route } from '../routes.ts';
import { stepScope, type RunContext } from '../run/runContext.ts';
import type { ResearchStateType, SectionState } from '../state.ts';
import { unanalyzed } from '../stateSchema.ts';
import { PassageIndex } from '../text/passageIndex.ts';
import { cutPassages } from '../text/passages.ts';
import { readQuery } from '../text/query.ts';
import { trimBoth } from '../text/trimEnd.ts';
import { pendingSections, singlePlan } from './plan.ts';
import { refreshRoute } from './refresh.ts';

// Loaded with this node: most runs ask about no other one.
export { challenged } from '../report/challenged.ts';
export { refreshedBy } from '../report/refreshed.ts';

/** Sources that a section, or an answer, begins with. */
const mostSources = { section: 8, answer: 5 } as const;
/** Of the score of the best passage, what one needs whose source is read: others share but a word with the question. */
const leastShare = 0.5;

/**
 * A question about a finished run, rewritten to be understood alone. It is answered by one section from what that run has read, or its report is
 * changed: by a section with new searches, by writing from its findings, or by what changed since.
 */
export function followUpNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'followUp'>> => {
    run.emit({ type: 'run/phase', phase: 'assess' });
    if (run.parent!.wanted.refresh) return refreshRoute(run);
    const understood = await understand(run, state);
    const { as, question } = understood;
    const changes = as !== 'answer';
    const language = changes ? understood.language || run.parent!.language : state.language;
    const strategy = as === 'rewrite' ? 'sections' : 'short';
    run.emit({ type: 'run/strategy', strategy, why: run.texts.strategies.followUp });
    const { outline, sections } = planOf(run, understood, { ...state, clarifiedQuery: question });
    const decision = 'START_RESEARCH';
    const proposed = proposalOf(run, outline, { strategy, focus: [], planRemarks: [], decision });
    run.emit({ type: 'plan/approved', ...shown(proposed) });
    const statement = run.parent!.quoted ?? unquoted(state.originalQuery);
    const target = as === 'research' ? understood.section : as === 'challenge' ? statement : '';
    return new Command({
      update: {
        ...{ clarifiedQuery: question, language, decision, strategy, analysis: unanalyzed, outline, sections },
        ...(changes && { change: { as, target } }),
      },
      goto: as === 'rewrite' ? 'report' : 'dispatch',
    });
  };
}

async function understand(run: RunContext, state: ResearchStateType): Promise<UnderstoodFollowUp> {
  const { originalQuery } = state;
  const { report, sections, wanted } = run.parent!;
  const as = wanted.section === undefined ? wanted.as : 'research';
  const own = { question: originalQuery, as: as ?? 'answer', section: '', title: '', language: '', queries: [] };
  if (wanted.section !== undefined) return { ...own, question: run.parent!.question, section: wanted.section };
  if (report === '') return own;
  const scope = stepScope(run, state, 'assess', 'followUp');
  const titles = sections.map(({ title }) => title);
  return await run.analyst.followUp({ question: originalQuery, report, sections: titles, as }, scope);
}

/** The sections of the follow-up, with what they begin with. */
function planOf(
  run: RunContext,
  understood: UnderstoodFollowUp,
  state: ResearchStateType,
): { readonly outline: Plan; readonly sections: readonly SectionState[] } {
  const { as, question, section, title, queries } = understood;
  if (as === 'rewrite') return rewritten(run, state);
  const plan = singlePlan(state);
  const planned = plan.sections[0]!;
  const against = 'Find what refutes this statement, or the conditions under which it holds, primary sources first:';
  const aim = as === 'challenge' ? `${against} ${question}` : section ? state.originalQuery : question;
  const one: PlannedSection = {
    ...{
      ...planned,
      title: section || title || planned.title,
      description: aim,
      queries,
    },
    // What is answered was read before.
    ...(as === 'answer' && { sources: [] }),
    ...(run.parent!.wanted.deeper && { depth: 'deep' as const }),
  };
  const outline = numbered({ ...plan, sections: [one] });
  return {
    outline,
    sections: pendingSections(
      outline.sections,
      bestSources(run, question, state.language, mostSources[as === 'answer' ? as : 'section']),
    ),
  };
}

/** The report's own sections, each with what it rests on: nothing is searched or condensed again. */
function rewritten(
  { parent, registry }: RunContext,
  state: ResearchStateType,
): { readonly outline: Plan; readonly sections: readonly SectionState[] } {
  const { question, sections } = parent!;
  const plan = { ...singlePlan(state), title: question.slice(0, 120), objective: state.originalQuery };
  const outline = numbered({
    ...plan,
    sections: sections.map(({ title }, index) => ({ id: `s${index + 1}`, title, description: title, queries: [] })),
  });
  const found = sections.map(({ findings }) => findings.filter(({ source }) => registry.get(source) !== undefined));
  return {
    outline,
    sections: outline.sections.map((section, index) => ({
      ...{ ...section, status: 'completed', attempt: 1, gaps: [], searched: [] },
      sourceIds: [...new Set(found[index]!.map(({ source }) => source))],
      distilled: { title: section.title, content: contentOf(found[index]!), findings: found[index]! },
    })),
  };
}

/** A statement as the report has it: who quotes it may put it into quotation marks, and copy its citations. */
function unquoted(statement: string): string {
  const words = statement.replace(/\[?\[\d{1,4}\]\]?(?:\(#ref-\d{1,4}\))?/g, '').replace(/\s+/g, ' ');
  return trimBoth(words, ' "\'“”„«»');
}

function contentOf(findings: readonly Finding[]): string {
  return findings.map(({ claim, source }) => `- ${claim} [${source}]`).join('\n');
}

/** Sources with the best passages for a question; where none has its words, those that were read first. */
function bestSources(
  { attached, registry, reading, parent }: Pick<RunContext, 'attached' | 'registry' | 'reading' | 'parent'>,
  question: string,
  language: string,
  most: number,
): readonly string[] {
  const index = new PassageIndex();
  for (const id of attached) {
    const source = registry.get(id)!;
    reading.during(inputOf(source), () => index.add(id, '', cutPassages(source.file?.path ?? 'page.md', source.text)));
  }
  const { hits } = index.search(readQuery(question, language), 3 * most);
  const least = (hits[0]?.score ?? 0) * leastShare;
  const best = [...new Set(hits.filter(({ score }) => score >= least).map(({ path }) => path))];
  // What the user has added is meant, whatever its words.
  const { added = [] } = parent!;
  return [...new Set([...added, ...(best.length > 0 ? best : attached)])].slice(0, most);
}
