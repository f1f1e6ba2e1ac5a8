import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import type { RunView } from '../protocol/runView.ts';
import { followEnd, stopFollowing } from './followEnd.tsx';
import { memo } from './memo.ts';
import { usePanel } from './panelContext.ts';
import { plain } from './plain.ts';
import { type Cite, ReportDom } from './report/reportDom.tsx';
import { sourceTooltip } from './sourceList.tsx';

interface ReportViewProps {
  readonly report: Pick<RunView['report'], 'text' | 'citations'>;
  readonly sources: RunView['sources'];
  readonly writing: boolean;
  /** All of the text is in the document. */
  readonly onSettled: () => void;
}

/** How long a frame may work on the report (milliseconds): a long one that arrives at once takes several. */
const frameShareMs = 3;

/** The report while it is written and afterwards. */
export const ReportView = memo(function ReportView({ report, sources, writing, onSettled }: ReportViewProps) {
  const { texts, host, kinds } = usePanel();
  const { text, citations } = report;
  const element = useRef<HTMLDivElement>(null);
  const dom = useRef<ReportDom>(null);
  const wasWritten = useRef(writing);
  const cite = useCallback<Cite>(
    (number) => {
      const source = sources.find(({ id }) => id === citations[number - 1]);
      return (
        source && {
          label: texts.of('citation.open', number, plain(source.title)),
          tooltip: sourceTooltip(source, { kinds }),
          onOpen: () => host.post({ type: 'openSource', id: source.id }),
        }
      );
    },
    [citations, sources, texts, kinds, host],
  );
  useLayoutEffect(() => {
    const root = element.current!;
    const shown = (dom.current ??= new ReportDom(root));
    wasWritten.current ||= writing;
    let frame = 0;
    const draw = () => {
      shown.update(text, cite, performance.now() + frameShareMs);
      if (!shown.settled) frame = requestAnimationFrame(draw);
      if (writing) followEnd();
      // One that was there before is not what is followed.
      else if (shown.settled && wasWritten.current) stopFollowing(root);
      if (shown.settled) onSettled();
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [text, cite, writing]);
  return (
    <article class="report markdown" aria-label={texts.of('report.title')} aria-busy={writing} data-testid="report">
      <div ref={element} />
    </article>
  );
});
