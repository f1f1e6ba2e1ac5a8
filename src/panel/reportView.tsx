import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { RunView } from '../protocol/runView.ts';
import { followEnd, stopFollowing } from './followEnd.tsx';
import { memo } from './memo.ts';
import { usePanel } from './panelContext.ts';
import { plain } from './plain.ts';
import { copyWithLinks } from './reader/copyWithLinks.ts';
import { EvidenceCard } from './reader/evidenceCard.tsx';
import { type CardMessage, useCards } from './reader/useCards.ts';
import type { Cite } from './report/reportDom.tsx';
import { useReportDom } from './report/useReportDom.ts';

interface ReportViewProps {
  /** Id of the run that wrote it. */
  readonly run: string;
  readonly report: Pick<RunView['report'], 'text' | 'citations'>;
  readonly sources: RunView['sources'];
  readonly writing: boolean;
  /** All of the text is in the document. */
  readonly onSettled: () => void;
}

/** The report while it is written and afterwards. */
export const ReportView = memo(function ReportView({ run, report, sources, writing, onSettled }: ReportViewProps) {
  const { texts, host, evidence } = usePanel();
  const { text, citations } = report;
  const wasWritten = useRef(writing);
  wasWritten.current ||= writing;
  const cite = useCallback<Cite>(
    (number, isTarget) => {
      const source = sources.find(({ id }) => id === citations[number - 1]);
      if (isTarget) return source && { label: texts.of('reader.back', `[${number}]`) };
      return source && { label: texts.of('citation.open', number, plain(source.title)) };
    },
    [citations, sources, texts],
  );
  const element = useReportDom({ text, cite, state: writing }, (settled, root) => {
    if (writing) followEnd();
    // One that was there before is not what is followed.
    else if (settled && wasWritten.current) stopFollowing(root);
    if (settled) onSettled();
  });
  const post = (message: CardMessage) => host.post({ type: 'cited', run, message });
  const cards = useCards(element, post);
  useEffect(() => copyWithLinks(element.current!, { origin: '', text }), [text]);
  return (
    <>
      <article
        class="report markdown"
        aria-label={texts.of('report.title')}
        aria-busy={writing}
        data-testid="report"
        {...cards.handlers}
      >
        <div ref={element} />
      </article>
      <EvidenceCard {...{ texts, cards, post }} answer={evidence} />
    </>
  );
});
