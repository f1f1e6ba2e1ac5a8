import { escapeHtml, inlineHtml } from '../../markdown/inlineHtml.ts';
import { wordsOf } from '../../markdown/tree.ts';
import { exportedReport, type ExportedReport, type RunFacts } from './exportedReport.ts';
import { type PageParts, renderBody } from './reportBody.ts';
import { reportStyles } from './reportStyles.ts';

/**
 * A report as one HTML page that needs nothing else: no script, no request, no font. Fetched and edited text can only
 * become text: raw HTML is shown as it was written, images are their description, links lead to http(s) or nowhere.
 */
export function reportHtml(text: string, run: RunFacts, parts: PageParts = {}): string {
  const report = exportedReport(text, run);
  const { language, isRightToLeft, title } = report;
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${isRightToLeft ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Deep Research">
<title>${escapeHtml(wordsOf(title).trim())}</title>
<style>${reportStyles}</style>
</head>
<body>
<main>
<header>
<h1 dir="auto">${inlineHtml(title, ({ number }) => `[${number}]`)}</h1>
${factList(report)}
</header>
${renderBody(report, parts)}</main>
</body>
</html>
`;
}

function factList({ facts, texts, created }: ExportedReport): string {
  const rows = facts.map(({ name, text }) => {
    const value = {
      created: `<time datetime="${escapeHtml(created)}">${escapeHtml(text)}</time>`,
      run: `<code>${escapeHtml(text)}</code>`,
    };
    const shown = name in value ? value[name as keyof typeof value] : escapeHtml(text);
    return `<div><dt>${escapeHtml(texts[name])}</dt><dd><bdi>${shown}</bdi></dd></div>`;
  });
  return `<dl>\n${rows.join('\n')}\n</dl>`;
}
