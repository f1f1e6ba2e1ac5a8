import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DocumentItem } from '../protocol/messages.ts';
import { Foreign, Icon } from './controls.tsx';
import { type Mention, mentionAt, withName } from './mention.ts';
import { usePanel } from './panelContext.ts';
import type { PanelState } from './panelStore.ts';

export const choicesId = 'document-choices';

export function choiceId(index: number): string {
  return `${choicesId}-${index}`;
}

export type FoundDocuments = NonNullable<PanelState['found']>;

/**
 * The documents that the `@` at the caret of a text box could mean, and the keys that choose among them. `found`: the host's last
 * answer; `type` replaces the text of the box.
 */
export function useDocumentChoices(
  box: RefObject<HTMLTextAreaElement | null>,
  found: FoundDocuments | null,
  type: (text: string) => void,
) {
  const { host } = usePanel();
  const [mention, setMention] = useState<Mention | null>(null);
  const [current, setCurrent] = useState(0);
  // An answer for other letters is out of date.
  const choices = mention && found?.query === mention.query ? found : null;
  const look = () => {
    const { value, selectionStart, selectionEnd } = box.current!;
    const next = (selectionStart === selectionEnd && mentionAt(value, selectionEnd)) || null;
    if (next && next.query !== mention?.query) host.post({ type: 'findDocuments', query: next.query });
    if (next?.query !== mention?.query) setCurrent(0);
    setMention(next);
  };
  const attach = (item: DocumentItem) => {
    if (!mention) return;
    const { text, caret } = withName(box.current!.value, mention, item.name);
    type(text);
    setMention(null);
    host.post({ type: 'attach', ids: [item.id] });
    // Once the text is in the box.
    requestAnimationFrame(() => box.current?.setSelectionRange(caret, caret));
  };
  /** Handles a key of the list, and prevents what it would do to the box. */
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') return setMention(null);
    const count = choices?.items.length ?? 0;
    if (!choices || count === 0 || event.isComposing || event.shiftKey) return;
    if (event.key === 'ArrowDown') setCurrent((current + 1) % count);
    else if (event.key === 'ArrowUp') setCurrent((current + count - 1) % count);
    else if (event.key === 'Enter' || event.key === 'Tab') attach(choices.items[Math.min(current, count - 1)]!);
    else return;
    event.preventDefault();
  };
  return { choices, current, look, attach, onKeyDown, close: () => setMention(null) };
}

interface DocumentChoicesProps extends FoundDocuments {
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
