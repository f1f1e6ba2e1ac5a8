import { useLayoutEffect, useRef } from 'preact/hooks';
import { ReportDom } from './report/reportDom.ts';

/** A short untrusted Markdown text (a clarifying question), rendered by the rules of the report. */
export function MarkdownText({
  text,
  id,
  testId,
}: {
  readonly text: string;
  readonly id?: string;
  readonly testId: string;
}) {
  const element = useRef<HTMLDivElement>(null);
  const dom = useRef<ReportDom>(null);
  useLayoutEffect(() => {
    if (element.current) (dom.current ??= new ReportDom(element.current)).update(text, Infinity);
  }, [text]);
  return <div ref={element} id={id} class="markdown" data-testid={testId} />;
}
