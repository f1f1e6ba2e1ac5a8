import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './controls.tsx';
import { usePanel } from './panelContext.ts';

/**
 * A report that was complete within this time was too fast to follow: the reader starts at its beginning
 * (milliseconds).
 */
const tooFastMs = 5000;

/** Whether the end of the page is visible. The observer reports after each frame, so that no update has to measure. */
let endInSight = false;
/** When the growing report was first followed, on the clock of `performance.now`; null while none grows. */
let followedSince: number | null = null;

/**
 * To be called when the growing report has changed: a reader at its end stays at the end, one further up stays there.
 */
export function followEnd(): void {
  // While the end is followed no scroll anchor is needed, and finding one is slow in a long report.
  document.documentElement.classList.toggle('following', endInSight);
  if (!endInSight) return;
  followedSince ??= performance.now();
  toEnd();
}

/** The report is complete: the page holds its place again. */
export function stopFollowing(report: Element): void {
  document.documentElement.classList.remove('following');
  const ranPast = followedSince !== null && performance.now() - followedSince < tooFastMs;
  // What can be done comes before what was found in vain.
  if (ranPast && endInSight) (document.querySelector('[data-read-first]') ?? report).scrollIntoView({ block: 'start' });
  followedSince = null;
}

function toEnd(): void {
  const page = document.scrollingElement ?? document.documentElement;
  page.scrollTop = page.scrollHeight;
}

/** The end of the page, and a button that scrolls there while the report is written out of sight. */
export function PageEnd({ writing }: { readonly writing: boolean }) {
  const { texts } = usePanel();
  const end = useRef<HTMLDivElement>(null);
  const [inSight, setInSight] = useState(true);
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        endInSight = entries.at(-1)?.isIntersecting ?? true;
        setInSight(endInSight);
      },
      { rootMargin: '0px 0px 24px 0px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <div ref={end} class="page-end" />
      {writing && !inSight && (
        <button
          type="button"
          class="to-end"
          data-testid="to-end"
          title={texts.of('action.toEnd')}
          aria-label={texts.of('action.toEnd')}
          onClick={toEnd}
        >
          <Icon name="arrow-down" />
        </button>
      )}
    </>
  );
}
