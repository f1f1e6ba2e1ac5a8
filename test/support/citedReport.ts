// A report as it is saved, with citations in prose, a table and a quotation.
import { execFileSync, spawnSync } from 'node:child_process';
import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { reportHtml } from '../../src/research/export/reportHtml.ts';
import { renderReport } from '../../src/research/report/renderReport.ts';
import { source } from './analystTestKit.ts';
import { savedFiles } from './savedRun.ts';

export const exportedPage = 'the exported page';

const page = { ...source('Saaaaa', 'The index holds 12 shards.'), url: 'https://db.example/index' };
export const citedFile = {
  ...source('Sbbbbb', 'Readers never block writers.'),
  file: { path: 'docs/lock & key (old).md', firstLine: 3, lastLine: 9 },
};
export const { markdown: citedReport } = renderReport({
  raw:
    '# Databases\n\nThe index holds 12 shards [Saaaaa]. Readers never block writers [Sbbbbb][Saaaaa]: so it is.\n\n' +
    '## Table\n\n| what | how |\n| --- | --- |\n| index | 12 shards [Saaaaa] |\n\n> Readers never block writers. [Sbbbbb]\n',
  ...{ isWhole: true, title: 'Databases', sections: [], language: 'en', given: '', verified: new Set<string>() },
  evidence: {
    get: (id) => [page, citedFile].find((one) => one.id === id),
    byUrl: () => undefined,
    candidates: [page, citedFile],
  },
  toWorkspace: '..',
  account: () => ['Made.'],
});

const extensions = ['table', 'strikethrough', 'autolink', 'tagfilter', 'tasklist'].flatMap((name) => ['-e', name]);

/** What shows the file to people. GitHub's renderer is a package of Debian; undefined where it is not installed. */
export const renderers: Readonly<Record<string, ((text: string) => string) | undefined>> = {
  'markdown-it': (text) => new MarkdownIt({ html: true }).render(text),
  marked: (text) => marked.parse(text, { async: false }),
  'cmark-gfm': spawnSync('cmark-gfm', ['--version']).error
    ? undefined
    : // Without --unsafe it leaves out all HTML; GitHub leaves out what is dangerous.
      (text) => execFileSync('cmark-gfm', ['--unsafe', ...extensions], { input: text, encoding: 'utf8' }),
  [exportedPage]: (text) => reportHtml(text, savedFiles([]).record),
};
