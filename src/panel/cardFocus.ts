import { useEffect } from 'preact/hooks';

interface Card {
  readonly current: HTMLElement | null;
}

/** Brings a card that appears into sight, unless its beginning can be seen anyway. */
export function useInSight(card: Card): void {
  useEffect(() => {
    const top = card.current?.getBoundingClientRect().top ?? 0;
    if (top < 0 || top > innerHeight / 2) card.current?.scrollIntoView({ block: 'start' });
  }, []);
}

/**
 * Moves the focus to a card that asks something, if the user is in the panel at all: a question must not catch the keys of
 * somebody who types in an editor beside it.
 */
export function useCardFocus(card: Card): void {
  useInSight(card);
  useEffect(() => {
    if (document.hasFocus()) card.current?.focus({ preventScroll: true });
  }, []);
}
