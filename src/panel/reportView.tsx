import { useCallback, useRef } from 'preact/hooks';
import type { RunView } from '../protocol/runView.ts';
import { followEnd, stopFollowing } from './followEnd.tsx';
import { memo } from './memo.ts';
import { usePanel } from './panelContext.ts';
import { plain } from './plain.ts';
import type { Cite } from './report/reportDom.tsx';
import { useReportDom } from './report/useReportDom.ts';
import { sourceTooltip } from './sourceList.tsx';

interface ReportViewProps {
  readonly report: Pick<RunView['report'], 'text' | 'citations'>;
  readonly sources: RunView['sources'];
  readonly writing: boolean;
  /** All of the text is in the document. */
  readonly onSettled: () => void;
}

/** The report while it is written and afterwards. */
export const ReportView = memo(function ReportView({ report, sources, writing, onSettled }: ReportViewProps) {
  const { texts, host, kinds } = usePanel();
  const { text, citations } = report;
  const wasWritten = useRef(writing);
  wasWritten.current ||= writing;
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
  const element = useReportDom({ text, cite, state: writing }, (settled, root) => {
    if (writing) followEnd();
    // One that was there before is not what is followed.
    else if (settled && wasWritten.current) stopFollowing(root);
    if (settled) onSettled();
  });
  return (
    <article class="report markdown" aria-label={texts.of('report.title')} aria-busy={writing} data-testid="report">
      <div ref={element} />
    </article>
  );
});
