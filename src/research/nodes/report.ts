import type { ReportInput } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import { caught } from '../run/failure.ts';
import type { CitableEvidence } from '../evidence/checker.ts';
import { CitationWriter } from '../evidence/citations.ts';
import type { Source } from '../evidence/source.ts';
import { fillText } from '../languages/sayings.ts';
import { searchShare } from '../policy/budget.ts';
import { accountOf } from '../report/account.ts';
import { isReport } from '../report/floor.ts';
import { foundSoFar } from '../report/foundSoFar.ts';
import { sectionQuotes } from '../report/sectionQuotes.ts';
import { renderReport, type RenderedReport } from '../report/renderReport.ts';
import { reportFile, reportFileName } from '../report/reportFile.ts';
import { scopeOf, type RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';
import { assertEvidence, hasEvidence } from './aggregate.ts';
import { questionOf } from './analyze.ts';
import { reviewed } from './review.ts';

/** Writes the report: streamed and checked sentence by sentence, completed by code, saved. */
export function reportNode(run: RunContext) {
  return async (before: ResearchStateType): Promise<Partial<ResearchStateType>> => {
    const early = run.finishSignal.aborted && !before.sections.some(hasEvidence) && run.registry.all().length > 0;
    const state = early ? await foundSoFar(run, before) : before;
    assertEvidence(run, state);
    run.emit({ type: 'run/phase', phase: 'report' });
    warnOfUnasked(run, state);
    const sources = usedSources(run, state);
    const evidence: CitableEvidence = {
      get: (id) => run.registry.get(id),
      byUrl: (url) => run.registry.byUrl(url),
      candidates: sources,
    };
    const given = [
      state.originalQuery,
      state.clarifiedQuery,
      state.outline?.title ?? '',
      ...state.sections.map((section) => section.title),
      state.today,
    ].join('\n');
    // Findings were checked against the stored text when they were distilled.
    const verified = new Set(
      state.sections.flatMap((section) => section.distilled?.findings.map((finding) => finding.source) ?? []),
    );
    const live = new LiveReport(run, new CitationWriter(evidence, given, verified));
    const quotes = run.analyst.kind === 'llm' ? sectionQuotes(run, state) : undefined;
    // What it fails with is thrown where it is needed.
    quotes?.catch(() => undefined);
    const { raw, isWhole } = await write(run, state, sources, live);
    const rendered = renderReport({
      raw,
      isWhole,
      title: state.outline?.title ?? state.originalQuery,
      sections: state.sections,
      language: state.language,
      evidence,
      given,
      verified,
      ...(quotes ? { quotes: await quotes } : {}),
      account: (counts, order, parts) => accountOf(run, state, counts, order, parts),
    });
    live.replace(rendered);
    const file = await save(run, state, rendered);
    return { finalReport: file };
  };
}

/** Sources that the budget of tool calls did not reach. A model chooses from all sources by itself. */
function warnOfUnasked(run: RunContext, { strategy }: ResearchStateType): void {
  if (run.analyst.kind === 'llm' && strategy !== 'iterative') return;
  const searches = run.tools.filter(({ kind }) => kind === 'search');
  const unasked = run.sources.unasked();
  if (unasked.length === 0 || searches.length <= searchShare(run.settings['limits.maxToolCallsPerResearcher'])) return;
  run.warn({ kind: 'sources.notAsked', sources: unasked.join(', ') });
}

/** What the panel sees: grows with the stream; the completed report replaces it from the first difference on. */
class LiveReport {
  readonly #run: RunContext;
  readonly #writer: CitationWriter;
  #shown = '';
  #cited = 0;

  constructor(run: RunContext, writer: CitationWriter) {
    this.#run = run;
    this.#writer = writer;
  }

  push(piece: string): void {
    this.#show(this.#shown.length, this.#writer.push(piece), this.#writer.order);
  }

  replace(rendered: RenderedReport): void {
    let same = 0;
    while (same < this.#shown.length && this.#shown[same] === rendered.markdown[same]) same += 1;
    // Never between the halves of a surrogate pair.
    if (same > 0 && /[\uD800-\uDBFF]/.test(this.#shown[same - 1]!)) same -= 1;
    this.#cited = -1;
    this.#show(same, rendered.markdown.slice(same), rendered.order);
  }

  #show(offset: number, text: string, order: readonly string[]): void {
    if (text === '' && offset === this.#shown.length) return;
    this.#shown = this.#shown.slice(0, offset) + text;
    const grew = order.length !== this.#cited;
    this.#cited = order.length;
    this.#run.emit({ type: 'report/delta', offset, text, ...(grew ? { citations: [...order] } : {}) });
  }
}

/** The writer's text. A writer that fails leaves what it wrote; code completes it from the sections. */
async function write(
  run: RunContext,
  state: ResearchStateType,
  sources: readonly Source[],
  live: LiveReport,
): Promise<{ raw: string; isWhole: boolean }> {
  const scope = scopeOf(
    run,
    { path: 'report', phase: 'report', today: state.today, language: state.language },
    run.signal,
  );
  const input: ReportInput = {
    ...questionOf(run, state),
    title: state.outline?.title ?? '',
    objective: [state.outline?.objective, state.outline?.scope].filter(Boolean).join(' '),
    analysis: state.analysis!,
    discovered: state.discoveredItems,
    sections: state.sections.map(reviewed),
    contradictions: state.lastReview?.contradictions ?? state.lastReflection?.contradictions ?? [],
    sources,
  };
  let raw = '';
  try {
    for await (const piece of run.analyst.writeReport(input, scope)) {
      raw += piece;
      live.push(piece);
    }
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    const failure = caught(run, 'report', error);
    run.warn({ kind: 'report.cutShort', error: failure });
    return { raw, isWhole: false };
  }
  if (
    run.analyst.kind === 'llm' &&
    raw.trim() !== '' &&
    !isReport(raw, state.sections, (id) => run.registry.get(id) !== undefined)
  ) {
    run.warn({ kind: 'report.notWritten' });
    return { raw: '', isWhole: true };
  }
  return { raw, isWhole: true };
}

async function save(run: RunContext, state: ResearchStateType, rendered: RenderedReport): Promise<string> {
  const file = reportFile(
    {
      title: rendered.title,
      question: state.originalQuery,
      created: run.created,
      strategy: state.strategy,
      model: run.model ?? 'none (extractive)',
      run: run.run,
      sources: run.registry.works(rendered.order),
      tokens: run.tokens.in + run.tokens.out,
      cost: run.usage().some(({ cost }) => cost !== null) ? costOfRun(run) : null,
      estimated: run.usage().some(({ estimated }) => estimated),
      usage: run.usage(),
    },
    rendered.markdown,
  );
  // First into the run's folder: whatever happens to the workspace, the report is not lost.
  const storageFailed = (error: unknown): void => run.warn({ kind: 'storage', error: ResearchError.from(error) });
  await run.folder.saveReport(file).catch(storageFailed);
  await run.folder.saveSources(run.registry.toJson()).catch(storageFailed);
  let path: string | undefined;
  try {
    path = await run.sink.save(reportFileName(state.today, rendered.title), file);
  } catch (error) {
    const { location } = run.folder;
    const where = location === undefined ? '' : fillText(run.texts.savedIn, { location });
    const failure = ResearchError.from(error);
    run.warn({ kind: 'report.unsaved', error: failure, where, next: failure.next });
  }
  run.emit({ type: 'report/finished', ...(path === undefined ? {} : { path }), citations: rendered.counts });
  return file;
}

/** In US dollars, to a hundredth of a cent. */
function costOfRun(run: RunContext): number {
  const sum = run.usage().reduce((total, { cost }) => total + (cost ?? 0), 0);
  return Math.round(sum * 10_000) / 10_000;
}

/** Sources of the sections, and what the discovery found. */
function usedSources(run: RunContext, state: ResearchStateType): Source[] {
  const ids = [
    ...new Set([
      ...state.sections.flatMap((section) => section.sourceIds),
      ...state.discoveredItems.map((entity) => entity.source),
    ]),
  ];
  return ids.map((id) => run.registry.get(id)).filter((source): source is Source => source !== undefined);
}
