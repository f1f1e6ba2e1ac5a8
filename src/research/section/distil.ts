import { largest } from '../../protocol/numbers.ts';
import type { Distilled, DistilInput, GatheredCall, Scope } from '../analyst/analyst.ts';
import { sentencesOf } from '../evidence/surroundings.ts';
import { mergedAsides } from '../analyst/mergedAsides.ts';
import { untilAborted } from '../calls/waiting.ts';
import { ResearchError } from '../errors.ts';
import { caught, failureOf } from '../run/failure.ts';
import { longestTitle, plainText } from '../evidence/metadata.ts';
import type { Source } from '../evidence/source.ts';
import { hasQuote } from '../evidence/support.ts';
import { entityKey } from '../evidence/entityKey.ts';
import { errorText } from '../languages/texts.ts';
import type { ToolCall } from '../ports.ts';
import {
  scopeOf,
  type RunContext,
  type ScopePlace,
  type EventPort,
  type EvidencePort,
  type CallPort,
  type LimitPort,
} from '../run/runContext.ts';
import { suppliedFor } from '../run/openSupplied.ts';
import type { SectionGraphStateType, SectionState } from '../state.ts';
import type { Aside } from '../stateSchema.ts';
import type { ResearchTool } from '../tools.ts';
import { emitSection } from './emitSection.ts';
import type { PendingCalls } from './pendingCalls.ts';
import { pendingPlace } from './research.ts';
import { sectionRun } from './sectionRun.ts';

/** Of what a source says to its readers, in characters. */
const longestAside = 600;

/** Condenses what a researcher found into content and findings whose quotes occur in their sources. */
export function distilNode(run: RunContext) {
  return async (state: SectionGraphStateType): Promise<Partial<SectionGraphStateType>> => {
    const its = sectionRun(run, state.section);
    const first = distilSection(its, state);
    const [section, late] = await Promise.all([first, distilLate(its, state, first)]);
    return { section: late ? joined(section, late) : section };
  };
}

interface Late {
  readonly distilled: Distilled;
  readonly sourceIds: readonly string[];
  readonly searched: readonly string[];
}

/**
 * What pending calls have brought by the end of the first distillation, distilled by itself; undefined when nothing. A resumed run takes
 * the same calls.
 */
async function distilLate(run: RunContext, state: DistilState, first: Promise<unknown>): Promise<Late | undefined> {
  const { section, today, language } = state;
  const path = pendingPlace(section);
  const pending = (await run.prefetch.take<readonly PendingCalls[]>(path)) ?? [];
  const answers = pending.map(async (calls) => {
    const { value: numbers } = await run.replay.observed(`${calls.path}/late`, () => calls.until(first));
    return calls.answersOf(numbers);
  });
  const gathered = (await Promise.all(answers)).flat();
  const known = new Set([...section.sourceIds, ...state.gathered.flatMap(({ sources }) => sources)]);
  const sources = sourcesOf(run, state, bestFirst(run, gathered)).filter(({ id }) => !known.has(id));
  if (sources.length === 0 || run.finishSignal.aborted) return undefined;
  const place = { path, phase: 'research', section: section.id, today, language } as const;
  const { distilled: _, ...open } = section;
  const input = { ...inputOf(run, state, open, sources), gathered };
  try {
    const distilled = await unlessStopped(run, place, (hurried) => run.analyst.distil(input, hurried));
    warnOfAsides(run, section.id, distilled.asides ?? []);
    const searched = searchedSources(run, gathered);
    return { distilled: supported(run, distilled), sourceIds: idsOf(sources, distilled), searched };
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    // The section has what came first.
    caught(run, `look ${section.id}`, error);
    return undefined;
  }
}

/** A section with what came after its first distillation. */
function joined(section: SectionState, { distilled, sourceIds, searched }: Late): SectionState {
  const before = section.distilled;
  const asides = mergedAsides(distilled.asides ?? [], before?.asides);
  const { error: _error, failure: _failure, ...kept } = section;
  return {
    ...kept,
    status: 'completed',
    sourceIds: [...new Set([...section.sourceIds, ...sourceIds])],
    searched: [...new Set([...section.searched, ...searched])],
    distilled: {
      ...distilled,
      ...before,
      ...both(before, distilled),
      ...(asides.length > 0 ? { asides } : {}),
    },
  };
}

/** The texts of two distillations, and their findings, each quote once. */
function both(before: Distilled | undefined, after: Distilled): Pick<Distilled, 'content' | 'findings'> {
  const known = new Set(before?.findings.map(({ quote }) => quote));
  return {
    content: [before?.content ?? '', after.content].filter((text) => text.trim() !== '').join('\n\n'),
    findings: [...(before?.findings ?? []), ...after.findings.filter(({ quote }) => !known.has(quote))],
  };
}

/** What a distillation needs of a state: the section with its attempt, and what this attempt gathered. */
export type DistilState = Pick<
  SectionGraphStateType,
  'section' | 'gathered' | 'clarifiedQuery' | 'today' | 'language' | 'analysis' | 'leftOut'
>;

export async function distilSection(run: RunContext, state: DistilState): Promise<SectionState> {
  const supplied = await suppliedFor(run, state.section);
  const found = [...supplied, ...bestFirst(run, state.gathered), ...state.section.sourceIds];
  const sourceIds = sourcesOf(run, state, found).map(({ id }) => id);
  const searchedNow = [...(run.parent ? [run.parent.run] : []), ...searchedSources(run, state.gathered)];
  const searched = [...new Set([...state.section.searched, ...searchedNow])];
  const section: SectionState = { ...state.section, sourceIds, searched, status: 'reviewing' };
  emitSection(run, section, '');
  const isCutShort = (await run.steering.look(`${pathOf(section)}/distil`, section.id)).stopped;
  const isUnchanged = section.distilled !== undefined && sourceIds.every((id) => state.section.sourceIds.includes(id));
  const done =
    sourceIds.length === 0
      ? withoutSources(run, section, state.gathered)
      : isCutShort && isUnchanged
        ? { ...section, status: 'completed' as const }
        : await distil(run, state, section);
  await run.folder
    .saveSources(run.registry.toJson())
    .catch((error: unknown) => run.warn({ kind: 'storage', error: ResearchError.from(error) }));
  return done;
}

async function distil(run: RunContext, state: DistilState, section: SectionState): Promise<SectionState> {
  const sources = section.sourceIds.flatMap((id) => run.registry.get(id) ?? []);
  const input = inputOf(run, state, section, sources);
  const place = {
    path: `${pathOf(section)}/distil`,
    phase: 'research',
    section: section.id,
    today: state.today,
    language: state.language,
  } as const;
  const { error: _error, failure: _failure, ...kept } = section;
  try {
    const distilled = await condensed(run, input, place);
    const before = section.distilled?.asides;
    const asides = mergedAsides(distilled.asides ?? [], before);
    warnOfAsides(run, section.id, asides, before);
    const whole = { ...supported(run, distilled), ...(asides.length > 0 ? { asides } : {}) };
    return { ...kept, sourceIds: idsOf(sources, distilled), status: 'completed', distilled: whole };
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    // The sources stay with the section, and what an earlier attempt made of them.
    const failure = caught(run, `section ${section.id}`, error);
    run.warn({ kind: 'section.uncondensed', title: section.title, error: failure }, section.id);
    return {
      ...kept,
      status: kept.distilled ? 'completed' : 'failed',
      error: errorText(failure, run.texts),
      failure: failureOf(failure),
    };
  }
}

/** Says what is newly left out, in the words of its source. */
function warnOfAsides(
  run: EvidencePort & EventPort,
  section: string,
  asides: readonly Aside[],
  before: readonly Aside[] = [],
) {
  for (const { source: id, sentences } of asides) {
    const source = run.registry.get(id)!;
    const known = before.find((one) => one.source === id)?.sentences ?? [];
    const fresh = sentences.filter((number) => !known.includes(number));
    if (fresh.length === 0) continue;
    const words = fresh.map((number) => sentencesOf(source).sentences[number] ?? '').join(' ');
    const text = plainText(words, longestAside);
    run.warn(
      { kind: 'source.aside', source: id, title: plainText(source.title, longestTitle), numbers: fresh.join(), text },
      section,
    );
  }
}

function pathOf({ id, attempt }: SectionState): string {
  return `section/${id}/${attempt}`;
}

/** What the user has said to a section's researcher, for the analyst. */
export function remarksFor(
  run: EventPort,
  { id, remarks = 0 }: Pick<SectionState, 'id' | 'remarks'>,
): { readonly remarks?: readonly string[] } {
  return remarks === 0 ? {} : { remarks: run.steering.remarksOf(id, remarks) };
}

/** How long the distillation of a section may take after the user stopped it, in milliseconds. */
const stoppedMs = 2_000;

/** Ends the work soon after the section was stopped; a resumed run does not begin it again then. */
async function unlessStopped<T>(
  run: RunContext,
  place: ScopePlace & { readonly section: string },
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const key = `${place.path}/stopped`;
  const tooLate = new ResearchError('finish', run.texts.stoppedByUser);
  if (run.replay.recorded(key) === true) throw tooLate;
  const late = new AbortController();
  const ended = new AbortController();
  const stop = run.steering.signalOf(place.section);
  const hurry = () => {
    run.clock.sleep(stoppedMs, ended.signal).then(
      () => late.abort(tooLate),
      () => undefined,
    );
  };
  if (stop.aborted) hurry();
  else stop.addEventListener('abort', hurry, { once: true, signal: ended.signal });
  try {
    const signal = AbortSignal.any([run.signal, late.signal]);
    return await untilAborted(work(scopeOf(run, place, signal)), signal);
  } catch (error) {
    if (late.signal.aborted && !run.signal.aborted) await run.replay.observed(key, () => true);
    throw error;
  } finally {
    ended.abort();
  }
}

/** By the analyst; when it can't, as quotes beside what an earlier attempt had. */
async function condensed(
  run: RunContext,
  input: DistilInput,
  place: ScopePlace & { readonly section: string },
): Promise<Distilled> {
  try {
    if (run.finishSignal.aborted) throw new ResearchError('finish', 'Finished early.');
    return await unlessStopped(run, place, (hurried) => run.analyst.distil(input, hurried));
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    const failure = caught(run, `distil ${input.section.id}`, error);
    // Once, and not for every section.
    if (!failure.hasReason('finish', 'budget')) run.warn({ kind: 'distil.quotesOnly', error: failure });
    const scope = scopeOf(run, place);
    const quotes = await run.fallback.distil({ ...input, chosen: run.analyst.kind === 'llm' }, scope);
    return { ...quotes, ...(input.previous && both(input.previous, quotes)) };
  }
}

/** With the findings whose source exists and holds the quote; the others are not evidence. */
function supported(run: EvidencePort, distilled: Distilled): Distilled {
  const findings = distilled.findings.filter((finding) => {
    const source = run.registry.get(finding.source);
    return source !== undefined && hasQuote(source, finding.quote);
  });
  return { ...distilled, findings };
}

/** The sources that are about the section. */
function idsOf(sources: readonly Source[], { offTopic = [] }: Distilled): string[] {
  return sources.map(({ id }) => id).filter((id) => !offTopic.includes(id));
}

function inputOf(run: EventPort, state: DistilState, section: SectionState, sources: readonly Source[]): DistilInput {
  return {
    section,
    question: state.clarifiedQuery,
    gaps: section.gaps,
    ...remarksFor(run, section),
    gathered: state.gathered,
    sources,
    ...(section.distilled ? { previous: section.distilled } : {}),
  };
}

/** Each once, without what the user took out. */
function sourcesOf(run: EvidencePort, { leftOut }: Pick<DistilState, 'leftOut'>, ids: readonly string[]): Source[] {
  const keys = new Set(leftOut.map(entityKey));
  // Two of them may have turned out to be one.
  const sources = [...new Set(ids.flatMap((id) => run.registry.get(id) ?? []))];
  return sources.filter(({ title }) => !keys.has(entityKey(title)));
}

function withoutSources(
  run: CallPort & EventPort & LimitPort,
  section: SectionState,
  gathered: readonly GatheredCall[],
): SectionState {
  const errors = gathered.flatMap((call) => (call.error === undefined ? [] : [call.why ?? call.error]));
  if (errors.length > 0 && searchedSources(run, gathered).length === 0)
    return { ...section, status: 'failed', error: errors[0]! };
  if (gathered.length === 0 && run.finishSignal.aborted)
    return { ...section, status: 'failed', error: run.texts.notReached };
  return { ...section, status: 'completed' };
}

/** Opened documents before search results, then by rank in their search, so that every search is represented. */
function bestFirst(run: CallPort, gathered: readonly GatheredCall[]): string[] {
  const deepest = largest(gathered.map((call) => call.sources.length));
  const opened = gathered.filter(({ call }) => toolOf(run, call)?.kind === 'read').flatMap((call) => call.sources);
  const ranked = Array.from({ length: deepest }, (_, rank) =>
    gathered.flatMap((call) => call.sources[rank] ?? []),
  ).flat();
  return [...new Set([...opened, ...ranked])];
}

/** Sources that answered: one that could not be reached was not searched. */
function searchedSources(run: CallPort, gathered: readonly GatheredCall[]): string[] {
  return gathered.filter(({ error }) => error === undefined).flatMap(({ call }) => toolOf(run, call)?.source ?? []);
}

function toolOf(run: CallPort, { name }: ToolCall): ResearchTool | undefined {
  return run.tools.find((tool) => tool.name === name);
}
