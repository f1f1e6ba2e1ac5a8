import { Command } from '@langchain/langgraph';
import type { Review, ReviewInput } from '../analyst/analyst.ts';
import type { Route } from '../routes.ts';
import { mayGoBack } from '../policy/sectionSufficiency.ts';
import { writesSections } from '../report/drafts.ts';
import { optionalFailure } from '../run/failure.ts';
import { reviewed } from '../section/reviewed.ts';
import { scopeOf, type RunContext } from '../run/runContext.ts';
import { isNamed, type ResearchStateType, type SectionState } from '../state.ts';

/** Reviews all findings together and names the sections to send back, within the allowed rounds. */
export function reviewNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'review'>> => {
    // Nothing could be sent back any more.
    if (run.budget.isNarrow) return new Command({ goto: 'report' });
    const round = state.reviewIterations + 1;
    const roundsLeft = Math.max(0, run.settings['limits.maxReviewIterations'] - state.reviewIterations);
    run.emit({ type: 'run/phase', phase: 'review' });
    const drafts = beginDrafts(run, state);
    const scope = scopeOf(
      run,
      { path: `review/${round}`, phase: 'review', today: state.today, language: state.language },
      run.signal,
    );
    let review: Review;
    try {
      review = await run.analyst.review!(
        { question: state.clarifiedQuery, ...toReview(state), round, roundsLeft },
        scope,
      );
    } catch (error) {
      const failure = optionalFailure(run, 'review', error);
      if (failure.reason !== 'budget') run.warn({ kind: 'review.failed', error: failure });
      return new Command({ goto: 'report' });
    }
    const open = state.sections.filter((section) => mayGoBack(section, run.settings));
    const retry = roundsLeft > 0 && !review.isSufficient ? knownSections(review.sectionsToRetry, open) : [];
    const needsApproval = retry.length > 0 && run.settings.reviewApproval === 'always';
    run.emit({
      type: 'review/finished',
      score: review.overallScore,
      sufficient: review.isSufficient,
      gaps: review.gaps.map(({ section, gap }) => ({ section, gap })),
      retry,
      round,
      needsApproval,
    });
    const lastReview: Review = { ...withSettled(review, state.lastReview, state.sections), sectionsToRetry: retry };
    // A draft that was sent is in the journal before its section goes back: a resumed run sends neither more nor less.
    await Promise.all(retry.flatMap((id) => drafts.get(id) ?? []));
    run.signal.throwIfAborted();
    if (retry.length === 0) return new Command({ update: { lastReview }, goto: 'report' });
    if (needsApproval) return new Command({ update: { lastReview }, goto: 'confirmReview' });
    return new Command({ update: { lastReview, ...sentBack(state, lastReview) }, goto: 'dispatch' });
  };
}

/** The sections are written while they are reviewed; those that a run before a resume had not begun, too. */
function beginDrafts(run: RunContext, state: ResearchStateType): ReadonlyMap<string, Promise<string>> {
  if (!writesSections(run, state)) return new Map();
  run.drafts.open(state);
  return new Map(
    state.sections.map((section) => [
      section.id,
      run.researchers.use(() => run.drafts.begin(run, section), run.signal).catch(() => ''),
    ]),
  );
}

/** A second review reads what went back; the others stay as they were judged. */
function toReview({ sections, lastReview }: ResearchStateType): Pick<ReviewInput, 'sections' | 'settled'> {
  const back = new Set(lastReview?.sectionsToRetry ?? []);
  if (back.size === 0) return { sections: sections.map(reviewed) };
  const settled = sections.filter(({ id }) => !back.has(id));
  return {
    sections: sections.filter(({ id }) => back.has(id)).map(reviewed),
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
    contradictions: [...new Set([...review.contradictions, ...before.contradictions])],
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

/** Ids of the sections that the analyst named; unknown names are dropped. */
function knownSections(wanted: readonly string[], sections: readonly SectionState[]): string[] {
  return sections.filter((section) => wanted.some((name) => isNamed(section, name))).map((section) => section.id);
}
