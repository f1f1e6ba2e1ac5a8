import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useCardFocus } from './cardFocus.ts';
import { Icon } from './controls.tsx';

interface AskingCardProps {
  /** Of the heading; `NAME-title`. One card asks at a time. */
  readonly name: 'clarify' | 'entities' | 'plan' | 'review';
  readonly icon: string;
  readonly title: string;
  /** The decision is pending; nothing can be changed any more. */
  readonly sent: boolean;
  readonly testId: string;
  /** Id of the text that a screen reader adds to the title. */
  readonly describedBy?: string;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ComponentChildren;
}

/** The frame of a card that asks the user something. It gets the focus when it appears. */
export function AskingCard({ name, icon, title, sent, testId, describedBy, onKeyDown, children }: AskingCardProps) {
  const card = useRef<HTMLElement>(null);
  useCardFocus(card);
  return (
    <section
      ref={card}
      class="card asking"
      tabIndex={-1}
      aria-labelledby={`${name}-title`}
      aria-describedby={describedBy}
      aria-busy={sent}
      data-testid={testId}
      onKeyDown={onKeyDown}
    >
      <h2 id={`${name}-title`}>
        <Icon name={icon} />
        {title}
      </h2>
      {children}
    </section>
  );
}
