import { Command } from '@langchain/langgraph';
import type { Strategy } from '../../protocol/strategy.ts';
import type { Plan, PlannedSection, UnderstoodFollowUp } from '../analyst/analyst.ts';
import { askedAgain } from '../analyst/extractive/planSections.ts';
import { readLiteral } from '../evidence/neutralize.ts';
import { inputOf, type Finding } from '../evidence/source.ts';
import { numbered } from '../plan/boundedPlan.ts';
import { mustApprove, proposalOf, shown } from '../plan/proposal.ts';
import type { Route } from '../routes.ts';
import { stepScope, type RunContext } from '../run/runContext.ts';
import { emitSection } from '../section/emitSection.ts';
import type { ResearchStateType, SectionState } from '../state.ts';
import { unanalyzed } from '../stateSchema.ts';
import { detectLanguage } from '../text/language.ts';
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
 * changed: by a section with new searches, by writing from its findings, or by what changed since. Comes here again with an approved plan.
 */
export function followUpNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'followUp'>> => {
    if (state.outline !== undefined && state.planRound === state.planRemarks.length) return begin(run, state);
    run.emit({ type: 'run/phase', phase: 'assess' });
    const { wanted, quoted } = run.parent!;
    if (wanted.refresh) return refreshRoute(run);
    // What should be done differently is part of what is asked.
    const said = [state.originalQuery, ...state.planRemarks].filter((text) => text !== '' && text !== wanted.section);
    const asked = { ...state, originalQuery: said.join('\n\n') };
    const understood = await understand(run, asked);
    const { as, question } = understood;
    const changes = as !== 'answer';
    const strategy: Strategy = as === 'rewrite' ? 'sections' : 'short';
    run.emit({ type: 'run/strategy', strategy, why: run.texts.followUp[as] });
    const statement = quoted ?? unquoted(state.originalQuery);
    const target = as === 'research' ? understood.section : as === 'challenge' ? statement : '';
    // What the model takes a question for is seen before it costs anything.
    const isChosen = (state.chosenKind ?? wanted.as ?? wanted.section) !== undefined;
    const update = {
      ...{ clarifiedQuery: question, strategy, analysis: unanalyzed, planRound: state.planRemarks.length },
      language: changes ? understood.language || run.parent!.language : state.language,
      decision: isChosen || run.isUnattended ? ('START_RESEARCH' as const) : ('CONFIRM_PLAN' as const),
      outline: outlineOf(run, understood, { ...asked, clarifiedQuery: question }),
      change: changes ? { as, target } : undefined,
    };
    const next = { ...state, ...update };
    const proposed = proposalOf(run, update.outline, next);
    if (changes && mustApprove(run, next, proposed)) {
      // Where the user has chosen it at first, the run may be without sources.
      const kind = (wanted.as ?? wanted.section) === undefined && { as };
      run.emit({ type: 'plan/proposed', ...shown(proposed), ...kind, basis: proposed.basis, needsApproval: true });
      return new Command({ update, goto: 'approvePlan' });
    }
    run.emit({ type: 'plan/approved', ...shown(proposed) });
    return begin(run, next);
  };
}

/** The sections of an approved follow-up, with what they begin with. */
function begin(run: RunContext, state: ResearchStateType): Route<'followUp'> {
  const { change, outline, clarifiedQuery, language, strategy, decision, analysis, planRound } = state;
  const { sections } = outline!;
  const sources = bestSources(run, clarifiedQuery, mostSources[change ? 'section' : 'answer']);
  const isRewrite = change?.as === 'rewrite';
  const begun = isRewrite ? rewritten(run, sections) : pendingSections(sections, sources);
  if (isRewrite) for (const section of begun) emitSection(run, section, '');
  return new Command({
    update: {
      ...{ clarifiedQuery, language, decision, strategy, analysis, outline, planRound, change },
      sections: begun,
    },
    goto: isRewrite ? 'report' : 'dispatch',
  });
}

async function understand(run: RunContext, state: ResearchStateType): Promise<UnderstoodFollowUp> {
  const { originalQuery, planRemarks } = state;
  const { report, sections, wanted } = run.parent!;
  const as = wanted.section === undefined ? (state.chosenKind ?? wanted.as) : 'research';
  const own = {
    question: originalQuery,
    as: as ?? 'answer',
    section: '',
    title: '',
    language: '',
    headings: [],
    queries: [],
  };
  if (wanted.section !== undefined) return { ...own, question: run.parent!.question, section: wanted.section };
  if (report === '') return own;
  const path = planRemarks.length === 0 ? 'followUp' : `followUp/${planRemarks.length}`;
  const scope = stepScope(run, state, 'assess', path);
  const titles = sections.map(({ title }) => title);
  return await run.analyst.followUp({ question: originalQuery, report, sections: titles, as }, scope);
}

function outlineOf({ analyst, parent }: RunContext, understood: UnderstoodFollowUp, state: ResearchStateType): Plan {
  const { as, question, section, title } = understood;
  const remark = state.originalQuery;
  const plan = singlePlan(state);
  if (as === 'rewrite') {
    const [translated, ...headings] = ['', parent!.language].includes(understood.language) ? [] : understood.headings;
    const sections = parent!.sections.map(({ title: heading }, index): PlannedSection => {
      return { id: '', title: headings[index] ?? heading, description: heading, queries: [] };
    });
    const named = readLiteral(/^# (.+)$/m.exec(parent!.report)?.[1] ?? '') || parent!.question.slice(0, 120);
    return numbered({ ...plan, title: translated ?? named, objective: remark, sections });
  }
  const planned = plan.sections[0]!;
  const against = 'Find what refutes this statement, or the conditions under which it holds, primary sources first:';
  const aim = as === 'challenge' ? `${against} ${question}` : section ? remark || question : question;
  const isByWords = section !== '' && analyst.kind === 'extractive';
  const queries = isByWords ? [askedAgain(section, remark, question, parent!.language)] : understood.queries;
  const one: PlannedSection = {
    ...{
      ...planned,
      title: section || title || planned.title,
      description: aim,
      queries,
    },
    // What is answered was read before.
    ...(as === 'answer' && { sources: [] }),
    ...(parent!.wanted.deeper && { depth: 'deep' as const }),
  };
  return numbered({ ...plan, sections: [one] });
}

/** The report's own sections, each with what it rests on: nothing is searched or condensed again. One that the user has added has all. */
function rewritten({ parent, registry }: RunContext, planned: readonly PlannedSection[]): readonly SectionState[] {
  const own = new Map(parent!.sections.map(({ findings }, index) => [`s${index + 1}`, findings]));
  return planned.map((section) => {
    const all = own.get(section.id) ?? [...own.values()].flat();
    const findings = all.filter(({ source }) => registry.get(source) !== undefined);
    return {
      ...{ ...section, status: 'completed', attempt: 1, gaps: [], searched: [] },
      sourceIds: [...new Set(findings.map(({ source }) => source))],
      distilled: { title: section.title, content: contentOf(findings), findings },
    };
  });
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
  most: number,
): readonly string[] {
  const index = new PassageIndex();
  for (const id of attached) {
    const source = registry.get(id)!;
    reading.during(inputOf(source), () => index.add(id, '', cutPassages(source.file?.path ?? 'page.md', source.text)));
  }
  const { hits } = index.search(readQuery(question, detectLanguage(question)), 3 * most);
  const least = (hits[0]?.score ?? 0) * leastShare;
  const best = [...new Set(hits.filter(({ score }) => score >= least).map(({ path }) => path))];
  // What the user has added is meant, whatever its words.
  const { added = [] } = parent!;
  return [...new Set([...added, ...(best.length > 0 ? best : attached)])].slice(0, most);
}
