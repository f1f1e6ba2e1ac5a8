import { useEffect, useRef, useState } from 'preact/hooks';

/** Long enough for a screen reader to take the text; after it the region is empty, so that nothing is read twice. */
const shownMs = 3000;

/** The text of the live region: a new status of the run, or what a part of the panel announces. */
export function useAnnouncements(status: string): {
  readonly announcement: string;
  readonly announce: (text: string) => void;
} {
  const [announcement, announce] = useState('');
  // What the panel shows when it opens is read from the page; only a change is news.
  const last = useRef(status);
  useEffect(() => {
    if (last.current !== status) announce(status);
    last.current = status;
  }, [status]);
  useEffect(() => {
    if (announcement === '') return;
    const timer = setTimeout(() => announce(''), shownMs);
    return () => clearTimeout(timer);
  }, [announcement]);
  return { announcement, announce };
}
