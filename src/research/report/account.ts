import type { CitationCounts } from '../evidence/checker.ts';
import { secretMark } from '../../protocol/redact.ts';
import { plainText } from '../evidence/metadata.ts';
import { inertLine } from '../evidence/neutralize.ts';
import { fillText } from '../../protocol/fillText.ts';
import { type RunTexts, textsIn } from '../languages/texts.ts';
import type { VerificationCounts } from './decisions.ts';
import type { RunContext, EvidencePort } from '../run/runContext.ts';
import { isInAccount } from '../languages/warning.ts';
import type { ReportParts } from './renderReport.ts';
import type { ResearchStateType } from '../state.ts';

/** Titles that are named as left out, and the length of one in UTF-16 units. */
const mostTitles = 5;
const longestShown = 80;

/**
 * How the report was made, one line an item, in the report's language: what wrote it, what it is based on, what failed, was cut
 * short or assumed. Inert Markdown.
 *
 * @param order Ids of the cited sources.
 */
export function accountOf(
  run: RunContext,
  state: ResearchStateType,
  { dropped, verified }: CitationCounts,
  order: readonly string[],
  { written, quoted }: ReportParts = { written: [], quoted: [] },
  verification?: VerificationCounts,
): string[] {
  // A report may be written again in another language than that of the run.
  const { account: texts, strategies } = textsIn(state.language, 'run');
  const line = (text: string, values: Readonly<Record<string, string | number>>): string =>
    fillText(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inertLine(String(value))])));
  const sources = run.registry.all();
  const { today, strategy, lastReview, lastReflection, reviewIterations, iterationCount } = state;
  const { model, provider } = run;
  const isWithout = model === null || run.analyst.kind === 'extractive';
  const writtenBy = isWithout ? texts.withoutModel : written.length === 0 ? texts.modelUnused : texts.withModel;
  // Of a digest without a quote there is nothing to say but what was missing.
  const isEmpty = isWithout && order.length === 0;
  const lines = [
    ...(isEmpty ? [] : [line(writtenBy, { today, model: model ?? '', provider, strategy })]),
    // Only a small question is given it; a follow-up has it whatever is asked.
    ...(strategy === 'short' && !run.parent ? [strategies.fact] : []),
    ...(written.length > 0 && quoted.length > 0 ? [line(texts.quoted, { titles: quoted.join('; ') })] : []),
    ...(isEmpty && sources.length === 0 ? [] : [line(texts.sources, countsOf(run, order, verified))]),
    ...(order.some((id) => run.registry.get(id)?.text.includes(secretMark))
      ? [line(texts.masked, { mark: secretMark })]
      : []),
  ];
  const checked = verification && !isWithout && verificationLine(verification, texts, state.language);
  if (checked) lines.push(line(...checked));
  const { date, site } = run.admission.counts;
  const undated = run.admission.hasDate
    ? sources.filter(({ kind, date: day }) => day === undefined && !run.admission.isLocal(kind)).length
    : 0;
  if (date + site > 0) lines.push(line(texts.leftOut, { date, site }));
  if (undated > 0) lines.push(line(texts.undated, { count: undated }));
  const offTopic = foreignTitles(run, state, order);
  if (offTopic !== '') lines.push(line(texts.offTopic, { titles: offTopic }));
  const left = state.sections.flatMap(({ distilled }) => distilled?.asides ?? []);
  const asides = new Set(left.map(({ source }) => source));
  if (asides.size > 0) lines.push(line(texts.asides, { titles: titlesOf(run, [...asides]) }));
  if (dropped > 0) lines.push(line(texts.dropped, { count: dropped }));
  for (const assumption of state.assumptions) lines.push(line(texts.assumed, { assumption }));
  if (lastReview) {
    const text = reviewIterations > 0 ? texts.reviewRounds : texts.review;
    lines.push(line(text, { score: lastReview.overallScore, rounds: reviewIterations }));
  }
  if (lastReflection)
    lines.push(line(texts.reflection, { score: lastReflection.overallScore, rounds: iterationCount }));
  const { followed, unused } = run.steering.counts;
  if (followed + unused > 0) lines.push(line(texts.remarks, { followed, unused }));
  for (const [text, values] of failuresOf(state, texts)) lines.push(line(text, values));
  if (run.finishSignal.aborted) lines.push(texts.finishedEarly);
  for (const warning of run.warnings)
    if (isInAccount(warning)) lines.push(line(texts.note, { warning: warning.message }));
  return lines;
}

/** The passages of a file are one source, cited or not; each has a reference of its own. */
function countsOf(run: EvidencePort, order: readonly string[], verified: number) {
  const { registry } = run;
  const cited = registry.works(order);
  const count = registry.works(registry.all().map(({ id }) => id));
  return { count, kinds: kindsOf(run), cited, references: order.length, verified: Math.min(verified, cited) };
}

/** Sections that the user stopped, and those that failed. */
function failuresOf({ sections }: ResearchStateType, texts: RunTexts['account']): [string, Record<string, string>][] {
  return sections.flatMap(({ status, title, error = '', stopped }): [string, Record<string, string>][] => {
    if (stopped) return [[texts.stopped, { title }]];
    return status === 'failed' ? [[texts.failed, { title, error }]] : [];
  });
}

/** How many works there are of each kind. */
function kindsOf({ registry }: EvidencePort): string {
  // A work is of the kind that it was first found as.
  const works = registry.all().filter(({ id }) => registry.workOf(id) === id);
  return [...Map.groupBy(works, ({ kind }) => kind)].map(([kind, found]) => `${kind} ${found.length}`).join(', ');
}

/** Undefined where every statement is a quote: there was nothing to judge. */
function verificationLine(
  { isRead, reason = 'off', ...counts }: VerificationCounts,
  texts: RunTexts['account'],
  language: string,
): [string, Readonly<Record<string, string | number>>] | undefined {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (isRead) return [texts.verified, { ...counts, total }];
  if (counts.unverified === 0) return undefined;
  return [texts.unverified, { ...counts, total, reason: textsIn(language, 'report').reasons[reason] }];
}

/** Titles of sources that sections left out and nothing cites, the first few. */
function foreignTitles(run: EvidencePort, { sections }: ResearchStateType, order: readonly string[]): string {
  const used = new Set([...order, ...sections.flatMap(({ sourceIds }) => sourceIds)]);
  const ids = new Set(sections.flatMap(({ distilled }) => distilled?.offTopic ?? []));
  return titlesOf(
    run,
    [...ids].filter((id) => !used.has(id)),
  );
}

function titlesOf(run: EvidencePort, ids: readonly string[]): string {
  const titles = ids.flatMap((id) => run.registry.get(id)?.title ?? []);
  const shown = titles.slice(0, mostTitles).map((title) => `“${plainText(title, longestShown)}”`);
  return titles.length > mostTitles ? `${shown.join('; ')}; …` : shown.join('; ');
}
