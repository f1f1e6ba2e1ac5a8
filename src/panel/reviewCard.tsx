import type { RunView } from '../protocol/runView.ts';
import { AskingCard } from './askingCard.tsx';
import { Button, Foreign } from './controls.tsx';
import { usePanel } from './panelContext.ts';

interface ReviewCardProps {
  readonly review: NonNullable<RunView['review']>;
  readonly sections: RunView['sections'];
  readonly sent: boolean;
  readonly onDecide: (decision: 'continue' | 'report') => void;
}

/** The review found thin sections: research them further, or write the report now. */
export function ReviewCard({ review, sections, sent, onDecide }: ReviewCardProps) {
  const { texts } = usePanel();
  const thin = sections.filter((section) => review.retry.includes(section.id));
  return (
    <AskingCard name="review" icon="checklist" title={texts.of('review.title')} sent={sent} testId="review-card">
      <p>{texts.of('review.intro', review.score)}</p>
      <ul class="gaps">
        {thin.map((section) => (
          <li key={section.id}>
            <Foreign class="gap-section" text={section.title} />
            {review.gaps
              .filter((gap) => gap.section === section.id)
              .map((gap) => (
                <Foreign key={gap.gap} as="p" class="quiet" text={gap.gap} />
              ))}
          </li>
        ))}
      </ul>
      <div class="actions">
        <Button look="primary" testId="review-continue" disabled={sent} onClick={() => onDecide('continue')}>
          {texts.of('review.continue')}
        </Button>
        <Button testId="review-report" disabled={sent} onClick={() => onDecide('report')}>
          {texts.of('review.report')}
        </Button>
      </div>
    </AskingCard>
  );
}
