import { retrievalOf } from '../section/retrieval.ts';
import { Command } from '@langchain/langgraph';
import type { GatheredCall, Reflection, ReflectInput } from '../analyst/analyst.ts';
import type { Route } from '../routes.ts';
import { caught, failureOf, optionalFailure } from '../run/failure.ts';
import { errorText } from '../languages/texts.ts';
import { withRemarks } from '../section/reviewed.ts';
import { pendingRemarks } from '../nodes/pendingRemarks.ts';
import { beginDrafts, writesSections } from '../report/drafts.ts';
import { stopped } from '../section/stopped.ts';
import { stepScope, type RunContext, type EventPort, type LimitPort, type EvidencePort } from '../run/runContext.ts';
import { eachOnce } from '../section/contradictions.ts';
import { distilSection } from '../section/distil.ts';
import { emitSection } from '../section/emitSection.ts';
import { searchAll } from '../section/searchAll.ts';
import { sectionRun } from '../section/sectionRun.ts';
import { dealtSources } from './dealtSources.ts';
import { isNamed, type ResearchStateType, type SectionQuery, type SectionState } from '../state.ts';
import { bareWords } from '../text/tokenize.ts';

/** Strategy `iterative`: retrieve -> read -> reflect, until the findings suffice, a round finds nothing new, or no round is left. */

/** Runs the round's queries in parallel over the fitting tools. A query is never sent twice. */
export function retrieveNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'retrieve'>> => {
    const round = state.iterationCount + 1;
    run.emit({ type: 'run/phase', phase: 'research' });
    const queries = newQueries(
      state.currentQueries.length > 0 ? state.currentQueries : firstQueries(state.sections),
      state.askedQueries,
    );
    emitRound(run, round, 'retrieving', queries, 0);
    const visited = new Set(state.sections.flatMap((section) => section.sourceIds));
    const retrieved = await Promise.all(
      [...Map.groupBy(queries, (query) => query.section)].map(([id, own]) =>
        retrieveSection(run, state, round, id, own),
      ),
    );
    const fresh = new Set(
      retrieved.flatMap(({ calls }) => calls.flatMap((call) => call.sources)).filter((id) => !visited.has(id)),
    ).size;
    const askedQueries = [...state.askedQueries, ...queries.map(({ query }) => query)];
    const update = { iterationCount: round, currentQueries: queries, askedQueries, retrieved };
    // After a round without anything new, the next one finds nothing new either, unless the user has said where to look.
    if (fresh === 0 && round > 1 && (await pendingRemarks(run, state, `retrieve/${round}`, true)).length === 0) {
      emitRound(run, round, 'completed', queries, 0);
      return new Command({ update: { ...update, ...closeSections(run, state) }, goto: 'report' });
    }
    emitRound(run, round, 'reading', queries, fresh);
    return new Command({ update, goto: 'read' });
  };
}

async function retrieveSection(
  whole: RunContext,
  state: ResearchStateType,
  round: number,
  id: string,
  own: readonly SectionQuery[],
) {
  const section = state.sections.find((candidate) => candidate.id === id)!;
  const run = sectionRun(whole, section);
  emitSection(run, { ...section, status: 'researching', attempt: round }, own[0]!.query);
  const retrieval = retrievalOf(run, state, round, section, own);
  const begun = run.prefetch.take<readonly GatheredCall[]>(retrieval.place);
  return { section: id, calls: await (begun ?? searchAll(run, retrieval.scope, retrieval.task)) };
}

/** Extracts findings with quotes from what is new, section by section, and condenses them with what each had. */
export function readNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Partial<ResearchStateType>> => {
    const found = state.retrieved.map(({ section: id, calls }) => ({
      section: state.sections.find((candidate) => candidate.id === id)!,
      calls,
    }));
    // Without a model nothing is saved by it.
    const toRead =
      run.analyst.kind === 'llm' ? dealtSources(found, state.sections, (id) => run.registry.get(id)!) : found;
    const sections = await Promise.all(
      toRead.map(({ section, calls }) =>
        run.researchers.use(() => readSection(run, state, section, calls), run.signal),
      ),
    );
    return { sections };
  };
}

async function readSection(
  run: RunContext,
  state: ResearchStateType,
  section: SectionState,
  calls: readonly GatheredCall[],
): Promise<SectionState> {
  const isNew = calls.some((call) => call.sources.some((id) => !section.sourceIds.includes(id)));
  const attempted: SectionState = { ...section, attempt: state.iterationCount, gaps: gapsOf(state, section) };
  if (!isNew && section.distilled) return attempted;
  try {
    return await distilSection(sectionRun(run, section), { ...state, section: attempted, gathered: calls });
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    const failure = caught(run, `section ${section.id}`, error);
    run.warn({ kind: 'section.unread', title: section.title, error: failure }, section.id);
    return {
      ...attempted,
      status: section.distilled ? 'completed' : 'failed',
      error: errorText(failure, run.texts),
      failure: failureOf(failure),
    };
  }
}

/** Scores the findings and gives the next queries, or ends the research. */
export function reflectNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'reflect'>> => {
    const round = state.iterationCount;
    run.emit({ type: 'run/phase', phase: 'review' });
    const found = run.registry.works(state.retrieved.flatMap(({ calls }) => calls.flatMap((call) => call.sources)));
    emitRound(run, round, 'reflecting', state.currentQueries, found);
    // What a first round finds is seldom all; after the others most reflections are satisfied.
    const written = round > 1 && !run.budget.isNarrow ? beginDrafts(run, state) : undefined;
    const reflection = run.budget.isNarrow ? undefined : await reflect(run, state, round);
    const { sections, queries: own } = await heard(run, state.sections, `reflect/${round}`);
    const onwards = async (
      { sections: known, queries }: Heard,
      update: Partial<ResearchStateType> = {},
    ): Promise<Route<'reflect'>> => {
      await written?.(queries.map(({ section }) => section));
      return new Command({ update: { ...update, sections: known, currentQueries: queries }, goto: 'retrieve' });
    };
    const end = async (update: Partial<ResearchStateType> = {}): Promise<Route<'reflect'>> => {
      const late = await pendingRemarks(run, { sections }, `reflect/${round}/end`, true);
      if (late.length > 0) return onwards(await heard(run, sections, `reflect/${round}/late`), update);
      return new Command({ update: { ...update, ...closeSections(run, { sections }) }, goto: 'report' });
    };
    if (!reflection) {
      emitRound(run, round, 'completed', state.currentQueries, found);
      return own.length > 0 ? onwards({ sections, queries: own }) : end(withoutSearched(state));
    }
    const isOpen = !reflection.isSufficient && round < run.settings['limits.maxIterations'];
    const wanted = isOpen ? onKnownSections(reflection, sections) : [];
    const next = newQueries([...own, ...wanted], state.askedQueries);
    emitRound(run, round, 'completed', state.currentQueries, found, reflection);
    run.emit({
      type: 'review/finished',
      score: reflection.overallScore,
      sufficient: reflection.isSufficient,
      gaps: reflection.gaps.map(({ section, gap }) => ({ section, gap })),
      retry: [...new Set(next.map(({ section }) => section))],
      round,
      needsApproval: false,
    });
    if (next.length === 0) return end({ lastReflection: reflection });
    beginSettled(
      run,
      { ...state, sections },
      [...reflection.gaps, ...next].map(({ section }) => section),
    );
    return onwards({ sections, queries: next }, { lastReflection: reflection });
  };
}

/** What the last reflection missed, without the sections for which a round that no one judged has found something. */
function withoutSearched({
  lastReflection,
  retrieved,
}: ResearchStateType): Partial<Pick<ResearchStateType, 'lastReflection'>> {
  if (!lastReflection) return {};
  const found = retrieved.filter(({ calls }) => calls.some(({ sources }) => sources.length > 0));
  const gaps = lastReflection.gaps.filter((gap) => !found.some(({ section }) => section === gap.section));
  return { lastReflection: { ...lastReflection, gaps } };
}

/** Sections in which nothing is missing are written while the others are researched. */
function beginSettled(run: RunContext, state: ResearchStateType, open: readonly string[]): void {
  if (!writesSections(run, state) || run.budget.isNarrow || run.finishSignal.aborted) return;
  run.drafts.open(state);
  const settled = state.sections.filter((section) => !open.some((named) => isNamed(section, named)));
  for (const section of settled)
    void run.researchers.use(() => run.drafts.begin(run, section), run.signal).catch(() => undefined);
}

/** A further reflection reads what the round has changed, and what lacked something before it. */
function toReflectOn(
  run: EventPort,
  { sections, retrieved, lastReflection }: ResearchStateType,
): Pick<ReflectInput, 'sections' | 'settled'> {
  const open = [...retrieved, ...(lastReflection?.gaps ?? [])].map(({ section }) => section);
  const isSettled = (section: SectionState): boolean =>
    lastReflection !== undefined && !open.some((named) => isNamed(section, named));
  return {
    sections: sections.filter((section) => !isSettled(section)).map((section) => withRemarks(run, section)),
    settled: sections.filter(isSettled).map(({ id, title, description }) => ({ id, title, description })),
  };
}

async function reflect(run: RunContext, state: ResearchStateType, round: number): Promise<Reflection | undefined> {
  const scope = stepScope(run, state, 'review', `reflect/${round}`);
  const maxRounds = run.settings['limits.maxIterations'];
  try {
    const reflection = await run.analyst.reflect?.(
      {
        question: state.clarifiedQuery,
        ...toReflectOn(run, state),
        round,
        maxRounds,
        asked: state.askedQueries,
      },
      scope,
    );
    const before = state.lastReflection?.contradictions ?? [];
    return reflection && { ...reflection, contradictions: eachOnce([...reflection.contradictions, ...before]) };
  } catch (error) {
    const failure = optionalFailure(run, 'reflect', error);
    if (failure.reason !== 'budget') run.warn({ kind: 'reflect.failed', error: failure });
    return undefined;
  }
}

/** Characters of a remark that make a query: services match few words. */
const longestQuery = 200;
/** Remarks of one section that are searched for in one round, the latest ones. */
const mostRemarkQueries = 3;

interface Heard {
  readonly sections: readonly SectionState[];
  readonly queries: readonly SectionQuery[];
}

/** What the user has said since the last round: remarks become queries of the next one, stopped sections are over. */
async function heard(run: EventPort & LimitPort, sections: readonly SectionState[], place: string): Promise<Heard> {
  const canContinue = !run.finishSignal.aborted && !run.budget.isNarrow;
  const told = await Promise.all(
    sections.map(async (section) => {
      const { remarks, stopped: isStopped } = await run.steering.look(`${place}/${section.id}`, section.id);
      if (isStopped) return { section: stopped(run, section), queries: [] };
      const before = section.remarks ?? 0;
      if (!canContinue || remarks <= before) return { section, queries: [] };
      run.steering.seen(section.id, remarks);
      const queries = run.steering
        .remarksOf(section.id, remarks)
        .slice(before)
        .slice(-mostRemarkQueries)
        .map((text) => ({ section: section.id, query: text.replace(/\s+/g, ' ').slice(0, longestQuery).trim() }));
      return { section: { ...section, remarks }, queries };
    }),
  );
  return { sections: told.map(({ section }) => section), queries: told.flatMap(({ queries }) => queries) };
}

/** The queries of the plan; for a section without any, its title. */
function firstQueries(sections: readonly SectionState[]): SectionQuery[] {
  return sections.flatMap((section) =>
    (section.queries.length > 0 ? section.queries : [section.title]).map((query) => ({ section: section.id, query })),
  );
}

function onKnownSections(reflection: Reflection, sections: readonly SectionState[]): SectionQuery[] {
  const open = sections.filter((section) => !section.stopped);
  return reflection.nextQueries.flatMap(({ section, query }) => {
    const named = sections.find((candidate) => isNamed(candidate, section)) ?? open[0];
    return named === undefined || named.stopped ? [] : [{ section: named.id, query }];
  });
}

function gapsOf(state: ResearchStateType, section: SectionState): string[] {
  return (state.lastReflection?.gaps ?? []).filter((gap) => isNamed(section, gap.section)).map(({ gap }) => gap);
}

/** Without the queries that were sent before, whatever their case and punctuation. */
function newQueries(queries: readonly SectionQuery[], asked: readonly string[]): SectionQuery[] {
  const known = new Set(asked.map(bareWords));
  return queries.filter(({ query }) => {
    const bare = bareWords(query);
    if (bare === '' || known.has(bare)) return false;
    known.add(bare);
    return true;
  });
}

/** Closes the sections at the end of the research; one that no round reached stays empty. */
export function closeSections(
  run: EvidencePort & EventPort,
  state: Pick<ResearchStateType, 'sections'>,
): Pick<ResearchStateType, 'sections'> {
  const sections = state.sections.map((section): SectionState => {
    const done: SectionState = run.steering.signalOf(section.id).aborted
      ? stopped(run, section)
      : { ...section, status: section.status === 'failed' ? 'failed' : 'completed' };
    emitSection(run, done, '');
    return done;
  });
  return { sections };
}

type RoundStatus = 'retrieving' | 'reading' | 'reflecting' | 'completed';

function emitRound(
  run: EventPort & LimitPort,
  round: number,
  status: RoundStatus,
  queries: readonly SectionQuery[],
  sources: number,
  reflection?: Reflection,
): void {
  run.emit({
    type: 'round/updated',
    round,
    maxRounds: run.settings['limits.maxIterations'],
    status,
    queries: queries.map(({ query }) => query),
    sources,
    ...(reflection ? { score: reflection.overallScore, sufficient: reflection.isSufficient } : {}),
  });
}
