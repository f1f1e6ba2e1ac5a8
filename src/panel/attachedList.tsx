import { useEffect, useRef } from 'preact/hooks';
import type { DocumentItem } from '../protocol/messages.ts';
import { Foreign, Icon, IconButton } from './controls.tsx';
import { plain } from './plain.ts';
import { usePanel } from './panelContext.ts';

/** What is attached to the question, each with a button that removes it. */
export function AttachedList({ items }: { readonly items: readonly DocumentItem[] }) {
  const { texts, host, announce } = usePanel();
  const list = useRef<HTMLUListElement>(null);
  const before = useRef(items);
  useEffect(() => {
    const [old, now] = [before.current, items];
    before.current = items;
    const added = now.filter(({ id }) => old.every((one) => one.id !== id));
    const removed = old.filter(({ id }) => now.every((one) => one.id !== id));
    if (added.length > 0) announce(texts.of('attach.added', texts.list(added.map(({ name }) => plain(name)))));
    else if (removed.length > 0)
      announce(texts.of('attach.removed', texts.list(removed.map(({ name }) => plain(name)))));
  }, [items]);
  const remove = (index: number, id: string) => {
    host.post({ type: 'detach', id });
    // The focus stays among the buttons, or goes back to the question.
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    (buttons[index + 1] ?? buttons[index - 1] ?? document.getElementById('question'))?.focus();
  };
  if (items.length === 0) return null;
  return (
    <ul ref={list} class="attached" aria-label={texts.of('attach.label')} data-testid="attached">
      {items.map(({ id, name, place, icon }, index) => (
        <li key={id} class="attached-item" title={plain(place === '' ? name : `${place}/${name}`)}>
          <Icon name={icon} />
          <Foreign class="attached-name" text={name} />
          <IconButton
            icon="close"
            label={texts.of('attach.remove', plain(name))}
            testId="detach"
            onClick={() => remove(index, id)}
          />
        </li>
      ))}
    </ul>
  );
}
