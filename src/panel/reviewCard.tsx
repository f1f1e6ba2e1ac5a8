import type { RunView, SectionView } from '../protocol/runView.ts';
import { longestRemark } from '../protocol/steering.ts';
import type { StringKey } from '../protocol/strings.ts';
import { AskingCard, onControlEnter } from './askingCard.tsx';
import { Button, Foreign, TextBox } from './controls.tsx';
import { headingWords } from './headingWords.ts';
import { usePanel } from './panelContext.ts';
import { useRunState } from './runState.ts';

type Review = NonNullable<RunView['review']>;

/** The sections that are ticked, and what is typed for each, by id. */
interface Choice {
  readonly chosen: Readonly<Record<string, boolean>>;
  readonly remarks: Readonly<Record<string, string>>;
}

interface ReviewCardProps {
  readonly review: Review;
  readonly sections: RunView['sections'];
}

/** What the review says, and which sections are researched further: those that it names, unless the user chooses others. */
export function ReviewCard({ review, sections }: ReviewCardProps) {
  const { texts, locked, send } = usePanel();
  const [{ chosen, remarks }, change] = useRunState<Choice>(`review/${review.round}`, () => ({
    chosen: Object.fromEntries(review.retry.map((id) => [id, true])),
    remarks: {},
  }));
  const open = sections.filter(({ stopped }) => !stopped);
  const back = open.filter(({ id }) => chosen[id]).map(({ id }) => ({ id, remark: remarks[id]?.trim() ?? '' }));
  const isTooLong = back.some(({ remark }) => remark.length > longestRemark);
  const isOff = locked || isTooLong;
  const report = () => send('decision', { type: 'decideReview', decision: 'report' });
  const sendBack = () => {
    if (isOff) return;
    if (back.length === 0) report();
    else send('decision', { type: 'decideReview', decision: 'continue', sections: back });
  };
  return (
    <AskingCard
      name="review"
      icon="checklist"
      title={texts.of(titleOf(review))}
      testId="review-card"
      describedBy="review-verdict"
      onKeyDown={(event) => onControlEnter(event, sendBack)}
    >
      <p id="review-verdict">{texts.of(review.retry.length > 0 ? 'review.intro' : 'review.introGood', review.score)}</p>
      {review.reasoning !== undefined && <Foreign as="p" class="quiet" text={review.reasoning} />}
      <fieldset class="review-sections" disabled={locked}>
        <legend class="quiet">{texts.of('review.choose')}</legend>
        <ul class="gaps">
          {sections.map((section) => (
            <ReviewedSection
              key={section.id}
              section={section}
              review={review}
              isChosen={chosen[section.id] ?? false}
              remark={remarks[section.id] ?? ''}
              onChoose={(isChosen) => change({ remarks, chosen: { ...chosen, [section.id]: isChosen } })}
              onWrite={(remark) => change({ chosen, remarks: { ...remarks, [section.id]: remark } })}
            />
          ))}
        </ul>
      </fieldset>
      <div class="field-problem" role="alert">
        {isTooLong && texts.of('remark.problem.tooLong', longestRemark)}
      </div>
      <div class="actions">
        <Button
          look={back.length > 0 ? 'primary' : 'secondary'}
          testId="review-continue"
          disabled={isOff || back.length === 0}
          onClick={sendBack}
        >
          {back.length === 0 ? texts.of('review.continue') : texts.of('review.sendBack', back.length)}
        </Button>
        <Button
          look={back.length > 0 ? 'secondary' : 'primary'}
          testId="review-report"
          disabled={locked}
          onClick={report}
        >
          {texts.of('review.report')}
        </Button>
      </div>
    </AskingCard>
  );
}

/** A review may send a section back that it calls covered. */
function titleOf({ retry, coverage }: Review): StringKey {
  if (retry.length === 0) return 'review.good';
  const isThin = coverage === undefined || coverage.some(({ status }) => status !== 'sufficient');
  return isThin ? 'review.title' : 'review.more';
}

interface ReviewedSectionProps {
  readonly section: SectionView;
  readonly review: Review;
  readonly isChosen: boolean;
  readonly remark: string;
  readonly onChoose: (isChosen: boolean) => void;
  readonly onWrite: (remark: string) => void;
}

function ReviewedSection({ section, review, isChosen, remark, onChoose, onWrite }: ReviewedSectionProps) {
  const { texts } = usePanel();
  const { id, stopped = false } = section;
  const title = headingWords(section.title);
  const coverage = review.coverage?.find((one) => one.section === id);
  const gaps = review.gaps.filter((gap) => gap.section === id).map(({ gap }) => gap);
  const notes = gaps.length > 0 || coverage === undefined || coverage.notes === '' ? gaps : [coverage.notes];
  return (
    <li data-testid="review-section" data-coverage={coverage?.status}>
      <label class="review-choice">
        <input
          type="checkbox"
          data-testid="review-choose"
          checked={isChosen && !stopped}
          disabled={stopped}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
        <Foreign class="gap-section" text={title} />
        {(stopped || coverage) && (
          <span class={`badge ${coverage?.status ?? ''}`}>
            {texts.of(stopped ? 'section.stopped' : `review.${coverage!.status}`)}
          </span>
        )}
      </label>
      {notes.map((note) => (
        <Foreign key={note} as="p" class="quiet" text={note} />
      ))}
      {isChosen && !stopped && (
        <TextBox
          testId="review-remark"
          rows={2}
          aria-label={texts.of('review.remark', title)}
          placeholder={texts.of('remark.placeholder')}
          value={remark}
          onType={onWrite}
        />
      )}
    </li>
  );
}
