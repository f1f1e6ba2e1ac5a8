import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Cite, ReportDom } from './reportDom.tsx';

/** How long a task may work on the report (milliseconds): a long one that arrives at once takes several. */
const taskShareMs = 4;

/**
 * Draws a growing report into the element that gets the reference, some of it in each task: a key that is pressed meanwhile is not
 * late, and nothing waits for frames, which are rare on a busy machine. A change of `state` draws it too.
 *
 * @param onStep Called after each; `settled`: all of the text is in the document.
 */
export function useReportDom(
  { text, cite, charts, state }: { text: string; cite: Cite; charts?: (statement: string) => boolean; state?: unknown },
  onStep: (settled: boolean, element: HTMLElement) => void,
) {
  const element = useRef<HTMLDivElement>(null);
  const dom = useRef<ReportDom>(null);
  useLayoutEffect(() => {
    const root = element.current!;
    const shown = (dom.current ??= new ReportDom(root));
    // Timers wait some milliseconds each.
    const { port1, port2 } = new MessageChannel();
    const draw = () => {
      shown.update(text, cite, performance.now() + taskShareMs, charts);
      if (!shown.settled) port2.postMessage(undefined);
      onStep(shown.settled, root);
    };
    port1.onmessage = draw;
    draw();
    return () => port1.close();
  }, [text, cite, charts, state]);
  return element;
}
