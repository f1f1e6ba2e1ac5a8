import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Cite, ReportDom } from './reportDom.tsx';

/** How long a frame may work on the report (milliseconds): a long one that arrives at once takes several. */
const frameShareMs = 3;

/**
 * Draws a growing report into the element that gets the reference, some of it in each frame. A change of `state` draws it too.
 *
 * @param onFrame Called after each; `settled`: all of the text is in the document.
 */
export function useReportDom(
  { text, cite, charts, state }: { text: string; cite: Cite; charts?: (statement: string) => boolean; state?: unknown },
  onFrame: (settled: boolean, element: HTMLElement) => void,
) {
  const element = useRef<HTMLDivElement>(null);
  const dom = useRef<ReportDom>(null);
  useLayoutEffect(() => {
    const root = element.current!;
    const shown = (dom.current ??= new ReportDom(root));
    let frame = 0;
    const draw = () => {
      shown.update(text, cite, performance.now() + frameShareMs, charts);
      if (!shown.settled) frame = requestAnimationFrame(draw);
      onFrame(shown.settled, root);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [text, cite, charts, state]);
  return element;
}
