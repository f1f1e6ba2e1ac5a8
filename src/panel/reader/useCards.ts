import { useEffect, useRef, useState } from 'preact/hooks';
import type { Cited, ReaderMessage } from '../../protocol/readerMessages.ts';
import { citationNear, citationsOf, placeOf } from './places.ts';

export type CardMessage = Extract<ReaderMessage, { type: 'findEvidence' | 'openCited' | 'challenge' | 'openPage' }>;

export interface OpenCard {
  readonly id: number;
  readonly chip: HTMLElement;
  readonly cited: Cited;
}

/** Between the pointer and the card, so that a pointer on its way opens and loses none (milliseconds). */
const showAfterMs = 150;
const hideAfterMs = 300;

/** A page may show several reports. */
let lastId = 0;

/** Which citation's evidence is shown: the focused one's, else that under the pointer. */
export function useCards(element: { readonly current: HTMLElement | null }, post: (message: CardMessage) => void) {
  const [open, setOpen] = useState<OpenCard | null>(null);
  const shown = useRef<OpenCard | null>(null);
  const timer = useRef(0);
  /** Where the reader came from to a reference, by its number. */
  const cameFrom = useRef(new Map<number, HTMLElement>());

  const set = (card: OpenCard | null) => {
    shown.current = card;
    setOpen(card);
  };
  const later = (ms: number, act: () => void) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(act, ms);
  };
  const show = (chip: HTMLElement) => {
    clearTimeout(timer.current);
    if (shown.current?.chip === chip) return;
    const card = { id: (lastId += 1), chip, cited: placeOf(chip) };
    set(card);
    if (chip.dataset['target'] === undefined) cameFrom.current.set(card.cited.number, chip);
    post({ type: 'findEvidence', id: card.id, ...card.cited });
  };
  const close = (goBack = false) => {
    clearTimeout(timer.current);
    if (goBack) shown.current?.chip.focus();
    set(null);
  };
  const hide = () =>
    later(hideAfterMs, () => {
      const active = document.activeElement;
      if (!active || !(active === shown.current?.chip || active.closest('.evidence'))) close();
    });
  const follow = (chip: HTMLElement) => {
    const number = Number(chip.dataset['citation']);
    if (chip.dataset['target'] === undefined) {
      post({ type: 'openCited', copy: false, ...placeOf(chip) });
      return;
    }
    const from = cameFrom.current.get(number);
    const back = from?.isConnected ? from : citationsOf(element.current!).find((one) => isOf(one, number));
    back?.scrollIntoView({ block: 'center' });
    back?.focus({ preventScroll: true });
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && shown.current) return close(true);
      const isPlain = event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey || event.altKey);
      const isTyped = event.target instanceof Element && event.target.matches('input, textarea, select');
      if (!isPlain || isTyped || event.defaultPrevented || (event.key !== '[' && event.key !== ']')) return;
      // The open card is that of another report on the page.
      if (!shown.current && document.querySelector('.evidence')) return;
      const next = citationNear(element.current!, shown.current?.chip ?? null, event.key === ']' ? 1 : -1);
      if (!next) return;
      event.preventDefault();
      next.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const chipOf = (target: EventTarget | null) =>
    target instanceof Element ? target.closest<HTMLElement>('[data-citation]:not(span)') : null;
  const handlers = {
    onPointerOver: ({ target }: PointerEvent) => {
      const chip = chipOf(target);
      if (chip && chip !== shown.current?.chip) later(showAfterMs, () => show(chip));
      else if (chip) clearTimeout(timer.current);
      else if (shown.current) hide();
      else clearTimeout(timer.current);
    },
    onFocusIn: ({ target }: FocusEvent) => {
      const chip = chipOf(target);
      if (chip) show(chip);
    },
    onFocusOut: hide,
    onKeyDown: (event: KeyboardEvent) => {
      const first = document.querySelector<HTMLElement>('.evidence button');
      if (event.key !== 'Tab' || event.shiftKey || !first || chipOf(event.target) !== shown.current?.chip) return;
      event.preventDefault();
      first.focus();
    },
    onClick: (event: MouseEvent) => {
      const chip = chipOf(event.target);
      if (chip) follow(chip);
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (!link) return;
      // The editor would open the address as it parses it.
      event.preventDefault();
      event.stopPropagation();
      post({ type: 'openPage', url: link.getAttribute('href')! });
    },
  };
  return { open, close, handlers };
}

function isOf(chip: HTMLElement, number: number): boolean {
  return chip.dataset['citation'] === String(number);
}
