import { useRef } from 'preact/hooks';
import type { RunView } from '../protocol/runView.ts';
import { useCardFocus } from './cardFocus.ts';
import { Button, Foreign, Icon } from './controls.tsx';
import { usePanel } from './panelContext.ts';

interface ReviewCardProps {
  readonly review: NonNullable<RunView['review']>;
  readonly sections: RunView['sections'];
  readonly sent: boolean;
  readonly onDecide: (decision: 'continue' | 'report') => void;
}

/** The review found thin sections: go on with them, or write the report from what is there. */
export function ReviewCard({ review, sections, sent, onDecide }: ReviewCardProps) {
  const { texts } = usePanel();
  const card = useRef<HTMLElement>(null);
  useCardFocus(card);
  const thin = sections.filter((section) => review.retry.includes(section.id));
  return (
    <section
      ref={card}
      class="card asking"
      tabIndex={-1}
      aria-labelledby="review-title"
      aria-busy={sent}
      data-testid="review-card"
    >
      <h2 id="review-title">
        <Icon name="checklist" />
        {texts.of('review.title')}
      </h2>
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
    </section>
  );
}
