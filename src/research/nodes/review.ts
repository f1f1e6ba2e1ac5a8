import { Command } from '@langchain/langgraph';
import type { EventBody, EventDetails } from '../../protocol/events.ts';
import type { ReviewDecision } from '../../protocol/ports.ts';
import type { Review, ReviewInput } from '../analyst/analyst.ts';
import type { Route } from '../routes.ts';
import { mayGoBack } from '../policy/sectionSufficiency.ts';
import { beginDrafts } from '../report/drafts.ts';
import { optionalFailure } from '../run/failure.ts';
import { eachOnce } from '../section/contradictions.ts';
import { withRemarks } from '../section/reviewed.ts';
import { stepScope, type RunContext, type EventPort } from '../run/runContext.ts';
import { isNamed, type ResearchStateType, type SectionState } from '../state.ts';
import { pendingRemarks } from './pendingRemarks.ts';

/** Reviews all findings together and names the sections to send back, within the allowed rounds. */
export function reviewNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'review'>> => {
    // Nothing could be sent back any more.
    if (run.budget.isNarrow) return new Command({ goto: 'report' });
    const toReport = async (update: Partial<ResearchStateType> = {}): Promise<Route<'review'>> => {
      const sections = await pendingRemarks(run, state, 'review', true);
      if (sections.length === 0) return new Command({ update, goto: 'report' });
      await written(sections.map(({ id }) => id));
      return new Command({ update: { ...update, sections }, goto: 'dispatch' });
    };
    const round = state.reviewIterations + 1;
    const roundsLeft = Math.max(0, run.settings['limits.maxReviewIterations'] - state.reviewIterations);
    run.emit({ type: 'run/phase', phase: 'review' });
    const written = beginDrafts(run, state);
    const scope = stepScope(run, state, 'review', reviewPlace(state));
    let review: Review;
    try {
      review = await run.analyst.review!(
        { question: state.clarifiedQuery, ...toReview(run, state), round, roundsLeft },
        scope,
      );
    } catch (error) {
      const failure = optionalFailure(run, 'review', error);
      if (failure.reason !== 'budget') run.warn({ kind: 'review.failed', error: failure });
      return toReport();
    }
    const open = state.sections.filter((section) => mayGoBack(section, run.settings));
    const retry = roundsLeft > 0 && !review.isSufficient ? knownSections(review.sectionsToRetry, open) : [];
    const needsApproval = roundsLeft > 0 && open.length > 0 && run.settings.reviewApproval === 'always';
    run.emit(reviewFinished(review, { retry, round, needsApproval }));
    const lastReview: Review = { ...withSettled(review, state.lastReview, state.sections), sectionsToRetry: retry };
    await written(needsApproval ? open.map(({ id }) => id) : retry);
    if (needsApproval) return new Command({ update: { lastReview }, goto: 'confirmReview' });
    if (retry.length === 0) return toReport({ lastReview });
    const back = sentBack(state, lastReview);
    const others = await pendingRemarks(run, state, 'review', false);
    await written(others.map(({ id }) => id));
    return new Command({
      update: { ...back, ...joined(lastReview, back.sections, others) },
      goto: 'dispatch',
    });
  };
}

/** The round of a review: sections that went back for a remark are reviewed again in the same round. */
export function reviewPlace({ reviewIterations, sections }: ResearchStateType): string {
  const place = `review/${reviewIterations + 1}`;
  const attempts = sections.reduce((sum, { attempt }) => sum + attempt, 0);
  return sections.some(({ remarks = 0 }) => remarks > 0) ? `${place}/${attempts}` : place;
}

/** What a review sends back, and the sections that go back with them for a remark: the next review reads them all. */
export function joined(
  review: Review,
  back: readonly SectionState[],
  others: readonly SectionState[],
): Pick<ResearchStateType, 'lastReview' | 'sections'> {
  const known = new Set(back.map(({ id }) => id));
  const sections = [...back, ...others.filter(({ id }) => !known.has(id))];
  return { lastReview: { ...review, sectionsToRetry: sections.map(({ id }) => id) }, sections };
}

/** A second review reads what went back; the others stay as they were reviewed. */
function toReview(
  run: EventPort,
  { sections, lastReview }: ResearchStateType,
): Pick<ReviewInput, 'sections' | 'settled'> {
  const back = new Set(lastReview?.sectionsToRetry ?? []);
  if (back.size === 0) return { sections: sections.map((section) => withRemarks(run, section)) };
  const settled = sections.filter(({ id }) => !back.has(id));
  return {
    sections: sections.filter(({ id }) => back.has(id)).map((section) => withRemarks(run, section)),
    settled: settled.map(({ id, title, description }) => ({ id, title, description })),
  };
}

/** What an earlier review said of sections that this one did not read. */
function withSettled(review: Review, before: Review | undefined, sections: readonly SectionState[]): Review {
  const back = new Set(before?.sectionsToRetry ?? []);
  if (before === undefined || back.size === 0) return review;
  const coverage = [...review.sectionCoverage, ...before.sectionCoverage.filter(({ id }) => !back.has(id))];
  return {
    ...review,
    sectionCoverage: sections.flatMap(({ id }) => coverage.find((one) => one.id === id) ?? []),
    gaps: [...review.gaps, ...before.gaps.filter(({ section }) => section !== '' && !back.has(section))],
    contradictions: eachOnce([...review.contradictions, ...before.contradictions]),
  };
}

/** The event of a review. */
export function reviewFinished(
  { overallScore, isSufficient, gaps, sectionCoverage, reasoning }: Review,
  then: Pick<EventDetails<'review/finished'>, 'retry' | 'round' | 'needsApproval'>,
): EventBody {
  return {
    type: 'review/finished',
    ...{ score: overallScore, sufficient: isSufficient, gaps: gaps.map(({ section, gap }) => ({ section, gap })) },
    ...then,
    ...(sectionCoverage.length === 0
      ? {}
      : { coverage: sectionCoverage.map(({ id: section, status, notes }) => ({ section, status, notes })) }),
    ...(reasoning === '' ? {} : { reasoning }),
  };
}

/** Sends the sections of the review back: pending again, with the reviewer's gaps and everything they had found. */
export function sentBack(
  state: ResearchStateType,
  review: Review,
): Pick<ResearchStateType, 'sections' | 'reviewIterations'> {
  const retry = new Set(review.sectionsToRetry);
  const sections = state.sections
    .filter((section) => retry.has(section.id))
    .map((section): SectionState => {
      const gaps = review.gaps.filter((gap) => isNamed(section, gap.section)).map(({ gap }) => gap);
      const notes = review.sectionCoverage
        .filter((coverage) => isNamed(section, coverage.id))
        .map(({ notes: note }) => note);
      const why = [...gaps, ...(gaps.length === 0 ? notes : [])].filter((text) => text.trim() !== '');
      return {
        ...section,
        status: 'pending',
        gaps: why.length > 0 ? why : [review.reasoning || 'More depth and more sources are needed.'],
      };
    });
  return { sections, reviewIterations: state.reviewIterations + 1 };
}

/** Ids of the sections that the user sends back. */
export function sentBackBy(
  decision: ReviewDecision,
  retry: readonly string[],
  open: readonly { readonly id: string }[],
): string[] {
  if (decision === 'report') return [];
  if (decision === 'continue') return [...retry];
  return open.map(({ id }) => id).filter((id) => decision.sections.some((section) => section.id === id));
}

/** Ids of the sections that the analyst named; unknown names are dropped. */
function knownSections(wanted: readonly string[], sections: readonly SectionState[]): string[] {
  return sections.filter((section) => wanted.some((name) => isNamed(section, name))).map((section) => section.id);
}
