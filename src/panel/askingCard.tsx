import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useCardFocus } from './cardFocus.ts';
import { Button, Icon } from './controls.tsx';
import { usePanel } from './panelContext.ts';

interface AskingCardProps {
  /** Of the heading; `NAME-title`. One card asks at a time. */
  readonly name: 'clarify' | 'entities' | 'plan' | 'review';
  readonly icon: string;
  readonly title: string;
  readonly testId: string;
  /** Id of the text that a screen reader adds to the title. */
  readonly describedBy?: string;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ComponentChildren;
}

/** The frame of a card that asks the user something. It gets the focus when it appears. */
export function AskingCard({ name, icon, title, testId, describedBy, onKeyDown, children }: AskingCardProps) {
  const { locked } = usePanel();
  const card = useRef<HTMLElement>(null);
  useCardFocus(card);
  return (
    <section
      ref={card}
      class="card asking"
      tabIndex={-1}
      aria-labelledby={`${name}-title`}
      aria-describedby={describedBy}
      aria-busy={locked}
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

interface CardFootProps {
  readonly name: 'entities' | 'plan';
  /** What is chosen or what it will take. */
  readonly status: string;
  readonly statusId: string;
  readonly problem: string;
  readonly problemId: string;
  /** Label of the button that approves. */
  readonly approve: string;
  readonly title?: string;
  readonly onApprove: () => void;
}

/** The end of a card with a long list: what is chosen, what is wrong, and its buttons are always in sight. */
export function CardFoot(props: CardFootProps) {
  const { name, status, statusId, problem, problemId, approve, title, onApprove } = props;
  const { texts, locked, send } = usePanel();
  return (
    <div class="card-foot">
      <p class="quiet" role="status" data-testid={statusId}>
        {status}
      </p>
      <div id={problemId} class="field-problem" role="alert" data-testid={problemId}>
        {problem}
      </div>
      <div class="actions">
        <Button look="primary" testId={`approve-${name}`} title={title} disabled={locked} onClick={onApprove}>
          {approve}
        </Button>
        <Button testId={`stop-${name}`} disabled={locked} onClick={() => send('stop', { type: 'stop' })}>
          {texts.of('action.stop')}
        </Button>
      </div>
    </div>
  );
}

/** Ctrl+Enter, or Cmd+Enter, anywhere in an element. */
export function onControlEnter(event: KeyboardEvent, action: () => void): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing || event.defaultPrevented) return;
  event.preventDefault();
  action();
}
