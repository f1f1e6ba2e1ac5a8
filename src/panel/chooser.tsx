import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './controls.tsx';

interface ChooserProps {
  readonly name: string;
  /** What is chosen. */
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A button that opens to a choice; Escape closes it. */
export function Chooser({ name, title, children }: ChooserProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div
      class="chooser"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        setOpen(false);
        event.currentTarget.querySelector('button')?.focus();
      }}
    >
      <button
        type="button"
        class="button secondary"
        aria-expanded={isOpen}
        aria-controls={`${name}-chooser`}
        data-testid={`${name}-toggle`}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span>{title}</span>
      </button>
      {isOpen && (
        <div id={`${name}-chooser`} class="chooser-list">
          {children}
        </div>
      )}
    </div>
  );
}
