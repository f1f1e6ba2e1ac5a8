import { useEffect, useRef } from 'preact/hooks';
import { usePanel } from './panelContext.ts';

/**
 * Remembers the scroll position of a run, and returns a function that restores it, once: to be called when everything
 * that the page had is drawn again.
 */
export function useScrollMemory(): () => void {
  const { host, run } = usePanel();
  const wanted = useRef(host.ui.scroll?.run === run ? host.ui.scroll.top : null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = () => {
      // A user who scrolls before the page is complete has chosen a position.
      wanted.current = null;
      clearTimeout(timer);
      timer = setTimeout(() => host.remember({ scroll: { run, top: window.scrollY } }), 200);
    };
    addEventListener('scroll', remember, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', remember);
    };
  }, [host, run]);
  return useRef(() => {
    if (wanted.current !== null) window.scrollTo(0, wanted.current);
    wanted.current = null;
  }).current;
}
