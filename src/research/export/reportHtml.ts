import type { RunRecord } from '../../protocol/runRecord.ts';
import { oneLine, stripHidden } from '../../markdown/hidden.ts';
import { escapeHtml } from '../../markdown/inlineHtml.ts';
import { detectLanguage } from '../text/language.ts';
import { textsIn, type Texts } from '../languages/texts.ts';
import { readReport } from './frontMatter.ts';
import { type PageParts, renderBody } from './reportBody.ts';
import { reportStyles } from './reportStyles.ts';

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'yi']);

/** What is known of a run beside its report. */
export type RunFacts = Pick<RunRecord, 'run' | 'question' | 'created' | 'strategy' | 'model' | 'title' | 'settings'>;

/**
 * A report as one HTML page that needs nothing else: no script, no request, no font. Fetched and edited text can only
 * become text: raw HTML is shown as it was written, images are their description, links lead to http(s) or nowhere. Its fixed words are
 * those of {@link reportLanguage}, when they are loaded.
 */
export function reportHtml(report: string, facts: RunFacts, parts: PageParts = {}): string {
  const { fields, markdown } = readReport(stripHidden(report));
  const language = reportLanguage(facts);
  const texts = textsIn(language, 'page');
  const body = renderBody(markdown, texts, parts);
  const question = oneLine(fields['question'] ?? facts.question);
  const title = body.title ?? oneLine(fields['title'] ?? facts.title ?? facts.question);
  const direction = rightToLeft.has(language.split('-')[0]!) ? 'rtl' : 'ltr';
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Deep Research">
<title>${escapeHtml(title)}</title>
<style>${reportStyles}</style>
</head>
<body>
<main>
<header>
<h1 dir="auto">${body.titleHtml ?? escapeHtml(title)}</h1>
${factList(fields, facts, question, language, texts)}
</header>
${body.html}</main>
</body>
</html>
`;
}

function factList(
  fields: Readonly<Record<string, string>>,
  facts: RunFacts,
  question: string,
  language: string,
  texts: Texts['page'],
): string {
  const created = isInstant(fields['created']) ? fields['created'] : facts.created;
  const rows: readonly (readonly [string, string])[] = [
    [texts.question, escapeHtml(question)],
    [texts.created, `<time datetime="${escapeHtml(created)}">${escapeHtml(dateIn(created, language))}</time>`],
    [texts.strategy, escapeHtml(oneLine(fields['strategy'] ?? facts.strategy))],
    [texts.model, escapeHtml(oneLine(fields['model'] ?? facts.model ?? '—'))],
    [texts.run, `<code>${escapeHtml(facts.run)}</code>`],
  ];
  return `<dl>\n${rows.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd><bdi>${value}</bdi></dd></div>`).join('\n')}\n</dl>`;
}

/** The language that the report was written in: the setting of its run, else that of the question. */
export function reportLanguage({ settings, question }: RunFacts): string {
  const set = settings['report.language'];
  if (typeof set === 'string' && set !== 'auto') {
    try {
      return Intl.getCanonicalLocales(set)[0] ?? detectLanguage(question);
    } catch {
      // No tag of a language: a hand-made record.
    }
  }
  return detectLanguage(question);
}

function dateIn(instant: string, language: string): string {
  // UTC, as in the report's own dates and its name.
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(instant));
}

function isInstant(text: string | undefined): text is string {
  return (
    text !== undefined &&
    /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}
