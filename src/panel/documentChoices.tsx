import { useEffect, useRef } from 'preact/hooks';
import type { DocumentItem } from '../protocol/messages.ts';
import { Foreign, Icon } from './controls.tsx';
import { usePanel } from './panelContext.ts';

export const choicesId = 'document-choices';

export function choiceId(index: number): string {
  return `${choicesId}-${index}`;
}

interface DocumentChoicesProps {
  readonly query: string;
  readonly items: readonly DocumentItem[];
  readonly current: number;
  readonly onChoose: (item: DocumentItem) => void;
}

/** What could be attached for the letters after an `@`. The focus stays in the question, which says what is current. */
export function DocumentChoices({ query, items, current, onChoose }: DocumentChoicesProps) {
  const { texts } = usePanel();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.children[current]?.scrollIntoView({ block: 'nearest' }), [current, items]);
  return (
    <div
      ref={list}
      id={choicesId}
      class="choices"
      role="listbox"
      aria-label={texts.of('attach.found')}
      data-testid="document-choices"
    >
      {items.length === 0 && <Foreign class="quiet choice" text={texts.of('attach.none', query)} />}
      {items.map((item, index) => (
        <div
          key={item.id}
          id={choiceId(index)}
          class="choice"
          role="option"
          aria-selected={index === current}
          data-testid="document-choice"
          // Before the question loses the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(item);
          }}
        >
          <Icon name={item.icon} />
          <Foreign class="choice-name" text={item.name} />
          <Foreign class="choice-place quiet" text={item.place} />
        </div>
      ))}
    </div>
  );
}
