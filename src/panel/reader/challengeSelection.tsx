import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Texts } from '../../protocol/texts.ts';
import { place } from './evidenceCard.tsx';
import { wordsIn } from './places.ts';
import type { CardMessage } from './useCards.ts';

interface ChallengeSelectionProps {
  readonly texts: Texts;
  readonly report: { readonly current: HTMLElement | null };
  readonly post: (message: CardMessage) => void;
}

/** As long as an input box takes, in UTF-16 units. */
const longest = 1_000;

/** A button at what is selected in the report, the next one by Tab: searches what speaks against it. */
export function ChallengeSelection({ texts, report, post }: ChallengeSelectionProps) {
  const [range, setRange] = useState<Range | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // What Find selects, which has the focus then, is not meant.
    const onSelection = () => setRange(document.hasFocus() ? selectedIn(report.current!) : null);
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setRange(null);
      const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
      const isNext = event.key === 'Tab' && isPlain && document.activeElement === document.body;
      if (!isNext || !button.current) return;
      event.preventDefault();
      button.current.focus();
    };
    document.addEventListener('selectionchange', onSelection);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('selectionchange', onSelection);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
  useLayoutEffect(() => {
    if (range) place(button.current!, range);
  }, [range]);
  if (!range) return null;
  const statement = wordsIn(range).replace(/\s+/g, ' ').trim().slice(0, longest);
  return (
    <button
      ref={button}
      type="button"
      class="challenge-selection"
      data-testid="challenge-selection"
      // The selection stays.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => post({ type: 'challenge', statement })}
    >
      {texts.of('reader.challenge')}
    </button>
  );
}

function selectedIn(report: HTMLElement): Range | null {
  const selection = document.getSelection();
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
  const isWithin = range && report.contains(range.commonAncestorContainer) && wordsIn(range).trim() !== '';
  // The selection's own range is the same object as it grows.
  return isWithin ? range.cloneRange() : null;
}
