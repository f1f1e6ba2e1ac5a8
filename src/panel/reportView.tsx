import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { RunView } from '../protocol/runView.ts';
import { followEnd, stopFollowing } from './followEnd.tsx';
import { memo } from './memo.ts';
import { usePanel } from './panelContext.ts';
import { plain } from './plain.ts';
import { type Citation, ReportDom } from './report/reportDom.ts';
import { sourceTooltip } from './sourceList.tsx';

interface ReportViewProps {
  readonly report: RunView['report'];
  readonly sources: RunView['sources'];
  readonly writing: boolean;
  /** All of the text is in the document. */
  readonly onSettled: () => void;
}

/** How long a frame may work on the report (milliseconds): a long one that arrives at once takes several. */
const frameShareMs = 3;

/**
 * The report while it is written and afterwards. Preact does not manage its content: completed blocks stay untouched.
 */
export const ReportView = memo(function ReportView({ report, sources, writing, onSettled }: ReportViewProps) {
  const { texts, host, kinds } = usePanel();
  const element = useRef<HTMLDivElement>(null);
  const dom = useRef<ReportDom>(null);
  /** What the citation markers were last matched with. */
  const cited = useRef<Pick<ReportViewProps, 'sources'> & { readonly citations: readonly string[] }>({
    citations: [],
    sources: [],
  });

  useLayoutEffect(() => {
    const root = element.current;
    if (!root) return;
    const shown = (dom.current ??= new ReportDom(root));
    const known = new Map(sources.map((source) => [source.id, source]));
    const citation = (number: number): Citation | undefined => {
      const source = known.get(report.citations[number - 1] ?? '');
      return (
        source && {
          label: texts.of('citation.open', number, plain(source.title)),
          tooltip: sourceTooltip(source, { kinds }),
        }
      );
    };
    if (cited.current.citations !== report.citations || cited.current.sources !== sources) shown.cite(citation);
    cited.current = { citations: report.citations, sources };
    let frame = 0;
    const draw = () => {
      shown.cite(citation, shown.update(report.text, performance.now() + frameShareMs));
      if (!shown.settled) frame = requestAnimationFrame(draw);
      if (writing) followEnd();
      else if (shown.settled) stopFollowing(root);
      if (shown.settled) onSettled();
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [report, sources, texts, kinds, writing]);

  // One listener for all chips: they come and go with the text.
  useEffect(() => {
    const open = (event: MouseEvent) => {
      const chip = event.target instanceof Element ? event.target.closest<HTMLElement>('button[data-citation]') : null;
      const id = chip && cited.current.citations[Number(chip.dataset['citation']) - 1];
      if (id) host.post({ type: 'openSource', id });
    };
    const root = element.current;
    root?.addEventListener('click', open);
    return () => root?.removeEventListener('click', open);
  }, [host]);

  return (
    <article class="report markdown" aria-label={texts.of('report.title')} aria-busy={writing} data-testid="report">
      <div ref={element} />
    </article>
  );
});
