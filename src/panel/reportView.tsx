import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { RunView } from '../protocol/runView.ts';
import { followEnd } from './followEnd.tsx';
import { memo } from './memo.ts';
import { usePanel } from './panelContext.ts';
import { plain } from './plain.ts';
import { ReportDom } from './report/reportDom.ts';
import { sourceTooltip } from './sourceList.tsx';

interface ReportViewProps {
  readonly report: RunView['report'];
  readonly sources: RunView['sources'];
  readonly writing: boolean;
}

/** The report while it is written and afterwards. Its content is not the framework's: blocks that are complete stay untouched. */
export const ReportView = memo(function ReportView({ report, sources, writing }: ReportViewProps) {
  const { texts, host } = usePanel();
  const element = useRef<HTMLDivElement>(null);
  const dom = useRef<ReportDom>(null);
  const cited = useRef<readonly string[]>([]);

  useLayoutEffect(() => {
    if (!element.current) return;
    dom.current ??= new ReportDom(element.current);
    dom.current.update(report.text);
    const known = new Map(sources.map((source) => [source.id, source]));
    const grew = cited.current.every((id, i) => report.citations[i] === id);
    dom.current.cite((number) => {
      const source = known.get(report.citations[number - 1] ?? '');
      return source && { label: texts.of('citation.open', number, plain(source.title)), tooltip: sourceTooltip(source, texts) };
    }, !grew);
    cited.current = report.citations;
    if (writing) followEnd();
  }, [report, sources, texts]);

  // One listener for all chips: they come and go with the text.
  useEffect(() => {
    const open = (event: MouseEvent) => {
      const chip = event.target instanceof Element ? event.target.closest<HTMLElement>('button[data-citation]') : null;
      const id = chip && cited.current[Number(chip.dataset['citation']) - 1];
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
