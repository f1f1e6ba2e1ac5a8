import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHTML } from 'linkedom';
import MarkdownIt from 'markdown-it';
import { referencesOf } from '../../../../src/files/references.ts';
import { readDocument } from '../../../../src/markdown/readDocument.ts';
import { rewriteDocument } from '../../../../src/markdown/rewriteDocument.ts';
import { reportHtml } from '../../../../src/research/export/reportHtml.ts';
import { wordsOf } from '../../../../src/markdown/tree.ts';
import { writeInlines } from '../../../../src/markdown/writeInlines.ts';
import { reference } from '../../../../src/research/report/reference.ts';
import { plainMarks } from '../../../support/plainMarks.ts';
import { savedFiles } from '../../../support/savedRun.ts';
import { citedFile as file, citedReport as markdown, renderers } from '../../../support/citedReport.ts';

interface Page {
  querySelectorAll(selector: string): Iterable<PageElement>;
  getElementById(id: string): PageElement | null;
}

interface PageElement {
  readonly id: string;
  readonly textContent: string;
  getAttribute(name: string): string | null;
  closest(selector: string): PageElement | null;
}

/** The compiler knows no DOM here. */
function pageOf(html: string): Page {
  return (parseHTML(html) as { document: Page }).document;
}

/** Citations of a rendered report: the words of each, and the words of what it leads to. */
function followed(html: string): [string, string][] {
  const document = pageOf(`<html><body>${html}</body></html>`);
  const links = [...document.querySelectorAll('a[href^="#ref-"]')];
  return links.map((link) => {
    const target = document.getElementById(link.getAttribute('href')!.slice(1));
    return [link.textContent, target?.closest('li')?.textContent.trim() ?? ''];
  });
}

describe('the citations of a saved report', () => {
  for (const [name, render] of Object.entries(renderers))
    it(`lead to their references in ${name}`, { skip: render === undefined && 'cmark-gfm is not installed' }, () => {
      const links = followed(render!(markdown));
      assert.equal(links.length, 4);
      for (const [words, reference] of links) assert.ok(reference.startsWith(words), `${words}: ${reference}`);
    });

  it('are led back to by their references in the exported page', () => {
    const document = pageOf(reportHtml(markdown, savedFiles([]).record));
    const backs = [...document.querySelectorAll('.reference .back')];
    assert.equal(backs.length, 4);
    for (const back of backs) {
      const citation = document.getElementById(back.getAttribute('href')!.slice(1));
      assert.equal(citation?.getAttribute('href'), `#${back.closest('li')!.id}`);
    }
  });

  it('are shown as their numbers, and lead to files by a path from the report', () => {
    assert.match(plainMarks(markdown), /12 shards \[1\]\. Readers never block writers \[2\]: so it is\./);
    assert.match(markdown, /^- <a id="ref-1"><\/a>\[1\] /m);
    const html = new MarkdownIt({ html: true }).render(markdown);
    assert.match(
      html,
      /<a href="\.\.\/docs\/lock%20%26%20key%20%28old%29\.md#L3-L9">docs\/lock &amp; key \(old\)\.md#L3-L9</,
    );
  });

  it('lead to no line of a notebook or PDF, whose lines are those of the text that was read of it', () => {
    for (const path of ['a.ipynb', 'docs/b c.pdf']) {
      const nodes = reference(1, { ...file, file: { ...file.file, path } }, { retrieved: '' }, '..');
      const [link] = nodes.filter(({ type }) => type === 'link');
      assert.deepEqual(link && 'href' in link && link.href, `../${encodeURI(path)}`);
      const read = referencesOf(`- ${writeInlines(nodes)}`).get(1);
      assert.deepEqual(read?.file, { path: `../${path}`, firstLine: 3, lastLine: 9 });
    }
  });

  it('lead to no file outside of the folder, whatever the files of a run say', () => {
    const led = (path: string, toWorkspace: string) =>
      reference(1, { ...file, file: { ...file.file, path } }, { retrieved: '' }, toWorkspace);
    for (const path of ['../x.md', 'a/../../x.md', '..\\x.md', '/etc/passwd', '\\\\host\\x', 'C:/x.md', 'c:\\x.md'])
      for (const toWorkspace of ['', '..']) {
        const nodes = led(path, toWorkspace);
        assert.ok(
          nodes.every(({ type }) => type !== 'link'),
          path,
        );
        assert.ok(wordsOf(nodes).includes(`${path}#L3-L9`), path);
      }
    for (const path of ['..x/a..b.md', 'a/...md']) assert.ok(led(path, '').some(({ type }) => type === 'link'));
  });

  it('are read as citations, as those of older reports are', () => {
    const read = (text: string) => JSON.stringify(readDocument(text)).replaceAll(',"isTarget":true', '');
    const text = 'It is so. [[1]](#ref-1)\n\n## References\n\n- <a id="ref-1"></a>[1] A page.\n';
    assert.equal(read(text).replaceAll(/"at":\d+/g, ''), read(plainMarks(text)).replaceAll(/"at":\d+/g, ''));
    assert.equal(rewriteDocument(text), text);
  });

  it('are nothing but their own form: a link to another number is text', () => {
    const text = rewriteDocument('A [[1]](#ref-2), [words](#ref-1), <a id="ref-1" onclick="x"></a>[1]x.\n');
    assert.equal(text, 'A \\[1\\], words, &lt;a id="ref-1" onclick="x">&lt;/a>[[1]](#ref-1)x.\n');
  });
});
