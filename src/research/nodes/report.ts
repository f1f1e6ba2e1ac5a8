import { isFolderGap } from '../languages/warning.ts';
import { isHeldBack } from '../../protocol/heldBack.ts';
import { strategyOf } from '../../protocol/strategy.ts';
import type { ReportInput } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import { caught } from '../run/failure.ts';
import type { Decide } from '../evidence/checker.ts';
import { CitationWriter } from '../evidence/citations.ts';
import { numberedFindings } from '../evidence/findingNumber.ts';
import type { Source } from '../evidence/source.ts';
import type { Refreshed, WrittenChange } from '../ports.ts';
import { fillText } from '../../protocol/fillText.ts';
import { baseTag } from '../languages/languages.ts';
import { loadTexts, textsIn } from '../languages/texts.ts';
import { searchShare } from '../policy/budget.ts';
import { changeOf } from '../report/changeOf.ts';
import { checkedTexts } from '../report/checkedTexts.ts';
import { accountOf } from '../report/account.ts';
import { decisionsOf, verificationCounts } from '../report/decisions.ts';
import { evidenceOf, givenOf, writesSections, writingInput } from '../report/drafts.ts';
import { claimsOf, isAnswer, isVerifying, judged, type Judged } from '../report/verified.ts';
import { openGaps } from '../report/openGaps.ts';
import { earlyFinish } from '../report/earlyFinish.ts';
import { digestOf, floorQuotes, type FloorQuotes } from '../report/floorQuotes.ts';
import { LiveReport } from '../run/liveReport.ts';
import { renderReport, type RenderedReport } from '../report/renderReport.ts';
import type { Claim } from '../evidence/statement.ts';
import { evidenceText } from '../report/evidenceFile.ts';
import { type FrontMatter, reportFile, reportFileName, sidecarFile } from '../report/reportFile.ts';
import { writeBySections } from '../report/writeBySections.ts';
import { readable, stepScope, type RunContext, type EvidencePort, type EventPort } from '../run/runContext.ts';
import { reportedState, type ResearchStateType, type SectionState } from '../state.ts';
import type { Digest } from '../stateSchema.ts';
import { detectLanguage } from '../text/language.ts';
import { otherLanguage } from '../text/otherLanguage.ts';
import { assertEvidence, foundNothing } from './aggregate.ts';
import { contradictionsOf } from '../section/contradictions.ts';
import { hasEvidence } from '../section/hasEvidence.ts';
import { reviewed } from '../section/reviewed.ts';

/** Writes the report: streamed and checked sentence by sentence, judged by a second reader, completed by code, saved. */
export function reportNode(whole: RunContext) {
  return async (reached: ResearchStateType): Promise<Partial<ResearchStateType>> => {
    await loadTexts(reached.language);
    const run = { ...whole, asides: reached.sections.flatMap(({ distilled }) => distilled?.asides ?? []) };
    run.steering.close();
    const { state: before, refreshed } = await refreshOf(run, reached);
    if (refreshed && before.sections.length === 0) return await unwritten(run, before, refreshed);
    const early = run.finishSignal.aborted && !before.sections.some(hasEvidence) && run.registry.all().length > 0;
    const found = await withEvidence(run, early ? await earlyFinish(run, before) : before);
    const challenge =
      found.change?.as === 'challenge'
        ? await (await import('./followUp.ts')).challenged(run, reportedState(found))
        : undefined;
    const state = challenge?.state ?? reportedState(found);
    assertEvidence(run, state);
    run.emit({ type: 'run/phase', phase: 'report' });
    warnOfUnasked(run, state);
    const isWithModel = run.analyst.kind === 'llm';
    const sources = usedSources(run, state);
    const floor = isWithModel ? floorQuotes(run, state) : undefined;
    // What it fails with is thrown where it is needed.
    floor?.catch(() => undefined);
    const { evidence, given, verified, isVerified, render } = renderer(run, state, before, sources, floor);
    // Nothing is written from memory.
    const isUnanswered = foundNothing(run, state);
    const bySections = !isUnanswered && (await isBySections(run, state));
    // What was shown of sections, when the report is written at once after all, stays until the report replaces it.
    const live =
      bySections || run.drafts.count > 0
        ? run.drafts.live(run)
        : new LiveReport((event) => run.emit(event), new CitationWriter(evidence, given, verified));
    const show = async (raw: string): Promise<void> => live.replace(await render({ raw }));
    const written = challenge
      ? { raw: challenge.raw }
      : isUnanswered && isWithModel
        ? { raw: '' }
        : bySections
          ? { raw: await writeBySections(run, state, { show, evidence, given }) }
          : await write(run, state, sources, live.isEmpty ? live : undefined);
    const draft = await render(written);
    // A report that the model wrote nothing of is the one without it, unless the plan is the user's. What is changed of a report, or
    // asked about it, is none.
    const isUsers = ['plan/given', 'approve'].some((key) => (run.replay.recorded(key) ?? null) !== null);
    const isReport = isWithModel && !isUsers && state.change === undefined && !isAnswer(run, state);
    const hasNothing = isReport && draft.parts.written.length === 0;
    const digest = state.digest ?? (hasNothing ? await digestOver(draft, floor, sources, state.language) : undefined);
    const quoted = hasNothing && digest ? await renderDigest(run, reportedState({ ...state, digest })) : undefined;
    live.replace(quoted ?? draft);
    const rendered =
      quoted ?? (isVerified ? await render(written, draft, await judged(run, state, draft, evidence)) : draft);
    live.replace(rendered);
    const claims = claimsOf(rendered.statements);
    for (const claim of claims) run.emit({ type: 'report/claim', ...claim });
    const file = await save(run, state, rendered, claims, {
      refreshed,
      judged: challenge?.judged(rendered.sections[0] ?? ''),
    });
    return { finalReport: file, digest };
  };
}

/**
 * The digest in place of a draft of quotes. One without sources says that nothing answers, which its words tell of sources in the language
 * of the question alone.
 */
async function digestOver(
  { order }: RenderedReport,
  floor: Promise<FloorQuotes> | undefined,
  sources: readonly Source[],
  language: string,
): Promise<Digest | undefined> {
  const { digest } = (await floor) ?? {};
  const isReadable = ({ id, text }: Source): boolean =>
    order.includes(id) && baseTag(detectLanguage(text)) === baseTag(language);
  return digest?.sections.some(hasEvidence) || sources.some(isReadable) ? digest : undefined;
}

/** @param state Of a digest: the report that a run without a model writes. */
async function renderDigest(run: RunContext, state: ResearchStateType): Promise<RenderedReport> {
  const sources = usedSources(run, state);
  const { render } = renderer(run, state, state, sources, undefined);
  return await render(await write({ ...run, analyst: run.fallback }, state, sources, undefined));
}

/** Of a refresh: the sections for which something was found, and what else it does to the report. */
async function refreshOf(run: RunContext, state: ResearchStateType) {
  if (state.change?.as !== 'refresh') return { state };
  const { refreshedBy } = await import('./followUp.ts');
  const sections = state.sections.filter(hasEvidence);
  return { state: { ...state, sections }, refreshed: refreshedBy(run, state) };
}

/** Nothing of the report is written again: there is what became of its sources alone. */
async function unwritten(
  run: RunContext,
  state: ResearchStateType,
  refreshed: NonNullable<Awaited<ReturnType<typeof refreshOf>>['refreshed']>,
): Promise<Partial<ResearchStateType>> {
  run.emit({ type: 'run/phase', phase: 'report' });
  const { title } = state.outline!;
  const parts = { written: [], quoted: [] };
  const filled = new Set<string>();
  const rendered = { title, parts, markdown: '', order: [], statements: [], sections: [], counts: noneCited, filled };
  run.drafts.live(run).replace({ ...rendered, markdown: withList(rendered, refreshed) });
  return { finalReport: await save(run, state, rendered, [], { refreshed }) };
}

const noneCited = { cited: 0, dropped: 0, verified: 0 };

/** The numbers of the list are those of the report that is refreshed. */
function withList({ markdown }: Pick<RenderedReport, 'markdown'>, refreshed: Refreshed | undefined): string {
  const list = refreshed?.list.replace(/ \[\[(\d{1,4})\]\]\(#ref-\1\)/g, '');
  return list === undefined ? markdown : `${markdown}\n${list}\n`.trimStart();
}

/**
 * @param before The state before what was found by code was added to it.
 * @param floor Of a report that a model writes.
 */
function renderer(
  run: RunContext,
  state: ResearchStateType,
  before: ResearchStateType,
  candidates: readonly Source[],
  floor: Promise<FloorQuotes> | undefined,
) {
  const evidence = evidenceOf(run, numberedFindings(state.sections.map(reviewed)), candidates);
  const given = givenOf(state);
  // Findings were checked against the stored text when they were distilled.
  const verified = new Set(
    state.sections.flatMap((section) => section.distilled?.findings.map((finding) => finding.source) ?? []),
  );
  const isVerified = floor !== undefined && isVerifying(run);
  const asked = state.change?.as === 'challenge' ? '' : `${state.originalQuery}\n${state.clarifiedQuery ?? ''}`;
  const checksOf = (decide?: Decide) => checkedTexts(evidence, given, verified, floor && state.language, decide, asked);
  const drafted = checksOf(isVerified ? undefined : decisionsOf(new Map(), 'off'));
  const gaps = openGaps(before).map(({ section: named, gap }) => {
    const section = before.sections.find(({ id }) => id === named);
    return { gap, title: section?.title ?? '', searched: searchedFor(section ? [section] : before.sections) };
  });
  const isVain = floor === undefined && !state.sections.some(hasEvidence);
  const topics = run.workspace?.topics?.join('\n') ?? '';
  const foreign = isVain ? otherLanguage(topics, state.originalQuery, state.language) : [];
  const render = async (
    { raw, isWhole = true }: Written,
    draft?: RenderedReport,
    judgement?: Judged,
  ): Promise<RenderedReport> =>
    renderReport(
      {
        isAnswer: isAnswer(run, state),
        isRewrite: state.change?.as === 'rewrite',
        ...{ raw, isWhole, sections: state.sections, language: state.language, question: state.originalQuery },
        ...{ evidence, given, verified, gaps },
        title: state.outline?.title ?? state.originalQuery,
        ...(floor ? { floor: await floor } : {}),
        contradictions: [...contradictionsOf(before), ...(judgement?.disputes ?? [])],
        workOf: (id) => run.registry.workOf(id),
        toWorkspace: run.sink.toWorkspace,
        unsearched: [...run.warnings.filter(isFolderGap).map(({ message }) => message), ...foreign],
        account: (counts, order, parts, statements) =>
          accountOf(
            run,
            state,
            counts,
            order,
            parts,
            verificationCounts(draft?.statements ?? statements, statements, judgement?.isRead === true),
          ),
      },
      judgement ? checksOf(judgement.decide) : drafted,
    );
  return { evidence, given, verified, isVerified, render };
}

function searchedFor(sections: readonly SectionState[]): string[] {
  return [...new Set(sections.flatMap(({ searched }) => searched))];
}

interface Written {
  readonly raw: string;
  /** Default: true. */
  readonly isWhole?: boolean;
}

/**
 * Several sections are written each by itself; with little left of the budget only when most of them are begun already. The first
 * choice holds after a resume.
 */
async function isBySections(run: RunContext, state: ResearchStateType): Promise<boolean> {
  if (!writesSections(run, state)) return false;
  const { value } = await run.replay.observed(
    'report/way',
    () => !run.budget.isNarrow || run.drafts.count * 2 >= state.sections.length,
  );
  return value;
}

/** Where a model's searches found nothing: what those of the question's own words did. */
async function withEvidence(run: RunContext, state: ResearchStateType): Promise<ResearchStateType> {
  if (run.analyst.kind !== 'llm' || state.sections.some(hasEvidence)) return state;
  // A section that was written is not replaced by quotes. A statement is judged by them.
  if (state.change !== undefined && state.change.as !== 'challenge') return state;
  const digest = await digestOf(run, state);
  return digest?.sections.some(hasEvidence) ? { ...state, digest } : state;
}

/** Sources that the budget of tool calls did not reach. A model chooses from all sources by itself. */
function warnOfUnasked(run: RunContext, { strategy }: ResearchStateType): void {
  if ((run.analyst.kind === 'llm' && strategyOf(strategy).searches === 'bySection') || run.isOffline()) return;
  const unasked = run.sources.unasked();
  // With fewer searches than one section may send, the limit was not why.
  const isReached = run.sources.asked >= searchShare(run.settings['limits.maxToolCallsPerResearcher']);
  if (unasked.length === 0 || !isReached) return;
  run.warn({ kind: 'sources.notAsked', sources: unasked.join(', ') });
}

/** The writer's text. A writer that fails leaves what it wrote; code completes it from the sections. */
async function write(
  run: RunContext,
  state: ResearchStateType,
  sources: readonly Source[],
  live: LiveReport | undefined,
): Promise<Written> {
  const scope = stepScope(run, state, 'report', 'report');
  const input: ReportInput = {
    ...writingInput(run, state),
    discovered: state.discoveredItems,
    sections: state.sections.map(reviewed),
    contradictions: contradictionsOf(state),
    sources,
    isAnswer: isAnswer(run, state),
  };
  let raw = '';
  try {
    for await (const piece of run.analyst.writeReport(input, scope)) {
      raw += piece;
      live?.push(piece);
    }
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    const failure = caught(run, 'report', error);
    run.warn({ kind: 'report.cutShort', error: failure });
    return { raw, isWhole: false };
  }
  return { raw, isWhole: true };
}

async function save(
  run: RunContext,
  state: ResearchStateType,
  rendered: RenderedReport,
  claims: readonly Claim[],
  {
    refreshed,
    judged,
  }: { refreshed: Awaited<ReturnType<typeof refreshOf>>['refreshed'] } & Pick<WrittenChange, 'judged'>,
): Promise<string> {
  const { written, quoted } = rendered.parts;
  const writtenBy = run.model === null || written.length === 0 ? 'quotes' : quoted.length > 0 ? 'both' : 'model';
  const front: FrontMatter = {
    title: rendered.title,
    question: state.originalQuery,
    created: run.created,
    strategy: state.strategy,
    model: (writtenBy === 'quotes' ? null : run.model) ?? 'extractive',
    run: run.run,
    sources: run.registry.works(rendered.order),
    tokens: run.tokens.in + run.tokens.out,
    cost: run.usage().some(({ cost }) => cost !== null) ? costOfRun(run) : null,
    estimated: run.usage().some(({ estimated }) => estimated),
    usage: run.usage(),
  };
  const file = reportFile(front, withList(rendered, refreshed));
  // First into the run's folder: whatever happens to the workspace, the report is not lost.
  const storageFailed = (error: unknown): void => run.warn({ kind: 'storage', error: ResearchError.from(error) });
  await run.folder.saveReport(file).catch(storageFailed);
  await run.folder.saveSources(run.registry.toJson()).catch(storageFailed);
  let path: string | undefined;
  let isUnchanged = false;
  try {
    const change =
      refreshed?.isNews === false ? undefined : changeOf(run, state, rendered, claims, { refreshed, judged });
    path = await run.sink.save(reportFileName(state.today, rendered.title), file, change);
    // The outcome of a challenge is something new in any case.
    isUnchanged = change !== undefined && change.as !== 'challenge' && path === undefined;
  } catch (error) {
    const { location } = run.folder;
    const where = location === undefined ? '' : fillText(run.texts.savedIn, { location });
    const failure = ResearchError.from(error);
    run.warn({ kind: 'report.unsaved', error: failure, where, next: failure.next });
  }
  if (path !== undefined && claims.length > 0 && run.settings['report.evidence'] === 'sidecar')
    await run.sink
      .saveBeside?.(path, '.evidence.md', sidecarOf(run, state, rendered, claims, front))
      .catch(storageFailed);
  const corrected = claims.filter(({ verdict }) => verdict === 'corrected').length;
  const citations = { ...rendered.counts, corrected };
  run.emit({
    ...{ type: 'report/finished', citations, writtenBy },
    ...(path !== undefined && { path }),
    ...(isUnchanged && { unchanged: true }),
  });
  return file;
}

function sidecarOf(
  { registry, settings, sink }: RunContext,
  { language }: ResearchStateType,
  { order, title }: RenderedReport,
  claims: readonly Claim[],
  front: FrontMatter,
): string {
  const texts = textsIn(language, 'report');
  const sources = order.map((id) => registry.get(id)!);
  const isLeftOut = (source: Source) => isHeldBack(source, settings['workspace.forModel']);
  const workOf = (id: string) => registry.workOf(id);
  const text = evidenceText(title, sources, claims, texts, workOf, sink.toWorkspace, isLeftOut);
  return sidecarFile(front, texts.verdicts, text);
}

/** In US dollars, to a hundredth of a cent. */
function costOfRun(run: EventPort): number {
  const sum = run.usage().reduce((total, { cost }) => total + (cost ?? 0), 0);
  return Math.round(sum * 10_000) / 10_000;
}

/** Sources of the sections, and what the discovery found. */
function usedSources(run: EvidencePort, state: ResearchStateType): Source[] {
  const discovered = state.discoveredItems.map(({ source }) => source);
  const ids = new Set([...state.sections.flatMap(({ sourceIds }) => sourceIds), ...discovered]);
  return [...ids].flatMap((id) => readable(run, id) ?? []);
}
