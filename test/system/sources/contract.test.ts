import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ResearchError } from '../../../src/research/errors.ts';
import type { FoundDocument } from '../../../src/research/ports.ts';
import { arxiv } from '../../../src/sources/arxiv/arxivSource.ts';
import { createArxivTools } from '../../../src/sources/arxiv/arxivTools.ts';
import { github } from '../../../src/sources/github/githubSource.ts';
import { createGithubTools } from '../../../src/sources/github/githubTools.ts';
import { recording, recordingsOf, type Recording } from '../../support/recordings.ts';
import { english, sourceContext } from '../../support/sourceContext.ts';
import { startSourceServer, type ImitatedService, type SourceServer } from '../../support/sourceServer.ts';

/**
 * Replays answers that were recorded from the real services. They are not part of the repository: where the folder is absent
 * the suite is skipped, and the tests beside this one stand on their own fixtures.
 */
const skip = recordingsOf('arxiv').length > 0 ? false : 'the recorded answers are not here';

function load(path: string): Recording {
  const { headers, ...recorded } = recording('.', path);
  return path.endsWith('.xml')
    ? { ...recorded, headers: { 'content-type': 'application/atom+xml' } }
    : { ...recorded, headers: { 'content-type': 'application/json', ...headers } };
}
function filesOf(folder: string): string[] {
  return recordingsOf(folder).map((name) => `${folder}/${name}`);
}

let server: SourceServer;
before(async () => {
  server = await startSourceServer();
});
after(() => server.close());

const never = new AbortController().signal;
let serial = 0;

/** What a tool makes of a recorded answer: its documents, or the reason of its failure. */
async function outcome(
  service: ImitatedService,
  tool: number,
  args: Record<string, unknown>,
  path: string,
): Promise<readonly FoundDocument[] | string> {
  server.script(service, { ...load(path), times: 3 });
  const tools =
    service === 'arxiv'
      ? createArxivTools(sourceContext(arxiv, server.arxivUrl))
      : createGithubTools(sourceContext(github, server.githubUrl), true);
  try {
    return (await tools[tool]!.run(args, english, never)).documents;
  } catch (error) {
    assert.ok(ResearchError.is(error), `${path}: ${String(error)}`);
    assert.ok(error.message.length > 10 && error.next !== '', path);
    return error.reason;
  } finally {
    server.clearScripts();
  }
}

function checkDocuments(documents: readonly FoundDocument[] | string, path: string): readonly FoundDocument[] {
  assert.ok(typeof documents !== 'string', `${path}: no documents`);
  for (const document of documents) {
    assert.ok(document.title !== '' && document.text !== '', path);
    assert.doesNotMatch(document.title + document.text, /\u0000|&(amp|lt|gt|quot|#\d+);/, path);
    assert.ok(document.url !== undefined && URL.canParse(document.url), path);
    assert.match(document.date ?? '2000-01-01', /^\d{4}-\d{2}-\d{2}$/);
    assert.ok(document.authors.every((name) => name.trim() !== ''));
  }
  return documents;
}

describe('recorded answers of arXiv', { skip }, () => {
  const failures: Readonly<Record<string, string>> = {
    'error-406-edge.http.json': 'rateLimit',
    'error-429.http.json': 'rateLimit',
    'error-503.http.json': 'network',
    'error-max-results-too-large.http.json': 'badRequest',
    'html-instead-of-xml.http.json': 'badAnswer',
    'id-bad-format-error.http.json': 'badRequest',
    'malformed-truncated.xml': 'badAnswer',
    'search-recursive-two-pages-concatenated.xml': 'badAnswer',
  };
  const empty = new Set(['id-missing-empty-feed.http.json', 'id-malformed-date-empty-feed.http.json']);
  for (const path of filesOf('arxiv')) {
    const name = path.slice('arxiv/'.length);
    it(`${name} ${failures[name] === undefined ? 'gives its papers' : `is a failure: ${failures[name]}`}`, async () => {
      const result = await outcome('arxiv', 0, { query: `ti:query${(serial += 1)}`, max_results: 50 }, path);
      if (failures[name] !== undefined) {
        assert.equal(result, failures[name]);
        return;
      }
      const documents = checkDocuments(result, path);
      const ids = new Set(
        [...load(path).body.matchAll(/<id>https?:\/\/arxiv\.org\/abs\/([^<]+?)(?:v\d+)?<\/id>/g)].map(([, id]) => id),
      );
      assert.deepEqual(new Set(documents.map(({ ids: own }) => own?.arxiv)), ids);
      assert.equal(documents.length === 0, empty.has(name));
      assert.ok(documents.every(({ authors, date }) => authors.length > 0 && date !== undefined));
      assert.ok(
        documents.every(({ text, title }) => !/\s{2}|\n/.test(text + title) && !/\\(textbf|emph|textit)\b/.test(text)),
      );
      if (name === 'id-withdrawn-2.xml') assert.ok(documents.every(({ facts }) => facts?.[0]?.startsWith('withdrawn')));
      else assert.ok(documents.every(({ facts }) => !facts?.[0]?.startsWith('withdrawn')));
    });
  }
  it('an id that is missing from a list is reported', async () => {
    server.script('arxiv', load('arxiv/id-list-one-missing.http.json'));
    const { documents, note } = await createArxivTools(sourceContext(arxiv, server.arxivUrl))[1]!.run(
      { ids: ['0808.05394', '1707.08567'] },
      english,
      never,
    );
    assert.deepEqual([documents.length, note], [1, 'arXiv has no paper 0808.05394.']);
  });
});

describe('recorded answers of GitHub', { skip }, () => {
  const failures: Readonly<Record<string, string>> = {
    'error-401-bad-credentials.http.json': 'auth',
    'error-401-code-search-needs-auth.http.json': 'auth',
    'error-403-abuse-retry-after.http.json': 'rateLimit',
    'error-403-primary-rate-limit-2013.http.json': 'rateLimit',
    'error-403-primary-rate-limit-unauthenticated.http.json': 'rateLimit',
    'error-403-secondary-limit.http.json': 'rateLimit',
    'error-404-readme.http.json': 'notFound',
    'error-404.http.json': 'notFound',
    'error-422-search-issues-qualifier.http.json': 'badRequest',
    'error-422-search-query.http.json': 'badRequest',
    'error-422-validation.http.json': 'badRequest',
    'error-429-secondary-limit.http.json': 'rateLimit',
    'error-503-html.http.json': 'network',
  };
  // Answers of other requests: to a search for repositories they are no answer.
  const foreign = /^(page-issues-|rate-limit|get-repository|repo-get|search-code|search-incomplete)/;
  for (const path of filesOf('github').filter((file) => file.endsWith('.json'))) {
    const name = path.slice('github/'.length);
    const kind = /search-issues/.test(name) ? 'issues' : 'repositories';
    it(`${name} ${failures[name] ?? (foreign.test(name) ? 'is no answer to a search' : `gives its ${kind}`)}`, async () => {
      const result = await outcome('github', 0, { query: `query${(serial += 1)}`, kind, max_results: 30 }, path);
      if (failures[name] !== undefined || foreign.test(name)) {
        assert.equal(result, failures[name] ?? 'badAnswer');
        return;
      }
      const documents = checkDocuments(result, path);
      assert.equal(documents.length, (JSON.parse(load(path).body) as { items: unknown[] }).items.length);
      if (name.includes('theme-36')) assert.ok(documents.some(({ facts }) => facts?.[0]?.startsWith('archived')));
      if (kind === 'issues')
        assert.ok(documents.every(({ ids }) => ids?.repo !== undefined && ids.issue !== undefined));
    });
  }
  for (const path of filesOf('github').filter((file) => file.includes('search-code')))
    it(`${path} gives its files to a search for code`, async () => {
      const documents = checkDocuments(await outcome('github', 0, { query: 'toto', kind: 'code' }, path), path);
      const { items } = JSON.parse(load(path).body) as { items: { path: string; text_matches?: unknown }[] };
      assert.equal(documents.length, items.length);
      for (const [index, { url, text, title }] of documents.entries()) {
        assert.match(url ?? '', /^https:\/\/github\.com\/[^/]+\/[^/]+\/blob\/[0-9a-f]{40}\//);
        assert.ok(title.startsWith(items[index]!.path));
        if (items[index]!.text_matches) assert.match(text, /toto/i);
      }
    });
  for (const path of filesOf('github/readme')) {
    it(`${path} gives a text that can be quoted`, async () => {
      const repo = path.slice('github/readme/'.length, -'.json'.length).replace('__', '/');
      const [document] = checkDocuments(await outcome('github', 1, { repo }, path), path);
      const prose = document!.text.replace(/^\s*(```|~~~)[\s\S]*?^\s*(```|~~~)\s*$/gm, '');
      assert.ok(document!.text.length > 300, path);
      assert.doesNotMatch(prose, /<(div|img|p|a|br|table|h\d)\b|img\.shields\.io|!\[[^\]]*\]\(/i, path);
      assert.equal(document!.ids?.repo, repo);
    });
  }
});
