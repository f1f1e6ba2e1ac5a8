import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

interface Card {
  readonly current: HTMLElement | null;
}

/** Scrolls to a card that appears, unless its beginning is visible anyway. */
export function useInSight(card: Card): void {
  useEffect(() => {
    const top = card.current?.getBoundingClientRect().top ?? 0;
    if (top < 0 || top > innerHeight / 2) card.current?.scrollIntoView({ block: 'start' });
  }, []);
}

/**
 * Moves the focus to a card that asks something, if the panel has the focus: a question must not catch what the user
 * types in an editor beside it.
 */
export function useCardFocus(card: Card): void {
  useInSight(card);
  useEffect(() => {
    if (document.hasFocus()) card.current?.focus({ preventScroll: true });
  }, []);
}

/**
 * When the focused element is removed (a card that was answered, the Stop button of a run that ended), the focus would
 * fall to the page and the keyboard user would start over. It moves to the last element with `data-focus-fallback`
 * instead.
 */
export function useFocusFallback(): void {
  const focused = useRef<Element | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      focused.current = target instanceof Element ? target : null;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  useLayoutEffect(() => {
    if (focused.current?.isConnected !== false || document.activeElement !== document.body) return;
    const fallbacks = document.querySelectorAll<HTMLElement>('[data-focus-fallback]');
    fallbacks[fallbacks.length - 1]?.focus({ preventScroll: true });
  });
}
