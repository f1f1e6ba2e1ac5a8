import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ResearchError, type ErrorReason } from '../../../src/research/errors.ts';
import { commentText } from '../../../src/sources/hackernews/commentText.ts';
import { hackernews } from '../../../src/sources/hackernews/hackernewsSource.ts';
import { createHackernewsTools } from '../../../src/sources/hackernews/hackernewsTools.ts';
import { recording, recordingsOf } from '../../support/recordings.ts';
import { startScriptedService, type ScriptedService, type ServiceAnswer } from '../../support/scriptedService.ts';
import { english, sourceContext } from '../../support/sourceContext.ts';

let service: ScriptedService;
before(async () => {
  service = await startScriptedService();
});
after(() => service.close());
beforeEach(() => {
  service.requests.length = 0;
});

const never = new AbortController().signal;

function tools(options: Parameters<typeof sourceContext>[2] = {}) {
  const [search, thread] = createHackernewsTools(sourceContext(hackernews, service.url, options));
  return {
    search: (args: Record<string, unknown>) => search!.run(args, english, never),
    thread: (id: unknown) => thread!.run({ id }, english, never),
  };
}
const always = (answer: ServiceAnswer) => {
  service.answer = () => answer;
};
const fails = (reason: ErrorReason) => (error: unknown) => {
  assert.ok(ResearchError.is(error, reason), `expected ${reason}, got ${String(error)}`);
  assert.ok(error.next !== '');
  return true;
};

const story = {
  objectID: '101',
  title: 'Postgres as a queue &amp; more',
  url: 'https://example.org/queue',
  author: 'ann',
  points: 210,
  num_comments: 34,
  created_at: '2026-03-04T05:06:07Z',
  _tags: ['story'],
};
const found = (hits: readonly unknown[], more: object = {}) => ({
  body: { hits, nbHits: hits.length, page: 0, nbPages: 1, hitsPerPage: 15, ...more },
});
const comment = (id: number, author: string | null, text: string | null, children: readonly unknown[] = []) => ({
  id,
  author,
  text,
  children,
  type: 'comment',
  created_at: '2026-03-05T00:00:00.000Z',
});

describe('a search on Hacker News', () => {
  it('gives stories with their page, points and address', async () => {
    always(found([story, { objectID: '102', title: 'Ask HN: Queues?', story_text: 'Which <i>one</i>?<p>Why?' }]));
    const { documents, note } = await tools().search({ query: 'postgres queue' });
    assert.deepEqual(documents[0], {
      kind: 'hackernews',
      title: 'Postgres as a queue & more',
      authors: ['ann'],
      date: '2026-03-04',
      url: 'https://news.ycombinator.com/item?id=101',
      text: 'Postgres as a queue & more',
      facts: ['210 points', '34 comments', 'links to https://example.org/queue'],
    });
    assert.equal(documents[1]?.text, 'Ask HN: Queues?\n\nWhich *one*?\n\nWhy?');
    assert.equal(note, '2 of 2 stories for: postgres queue.');
  });

  it('gives comments with their author and story', async () => {
    always(
      found([
        { objectID: '7', author: 'bob', comment_text: 'It scales.', story_title: 'Queues', created_at: '2026-01-02' },
      ]),
    );
    const { documents } = await tools().search({ query: 'postgres', kind: 'comments' });
    assert.deepEqual(
      documents.map(({ title, authors, text, url }) => [title, authors, text, url]),
      [['bob on “Queues”', ['bob'], 'It scales.', 'https://news.ycombinator.com/item?id=7']],
    );
    assert.equal(service.requests[0]?.query.get('tags'), 'comment');
  });

  it('asks for what was wanted, within what the service takes', async () => {
    always(found([story], { nbHits: 95, nbPages: 19, page: 1 }));
    const { note } = await tools({ settings: { 'sources.since': '2026-01-01' } }).search({
      query: 'What are the best practices for a "message queue" in Postgres?',
      sort: 'date',
      min_points: 50,
      page: 2,
      max_results: 5,
    });
    const [request] = service.requests;
    assert.equal(request?.path, '/api/v1/search_by_date');
    assert.deepEqual(Object.fromEntries(request.query), {
      query: '"message queue" Postgres',
      tags: 'story',
      hitsPerPage: '5',
      page: '1',
      numericFilters: `created_at_i>=${Date.UTC(2026, 0, 1) / 1_000},points>=50`,
    });
    assert.match(note ?? '', /1 of 95 stories.* More with page 3\.$/);
  });

  it('searches with fewer words when nothing has all of them, and says when nothing is there', async () => {
    service.answer = ({ query }) => found(query.get('query') === 'Postgres throughput' ? [story] : []);
    const first = await tools().search({ query: 'Postgres queues advisory locking throughput' });
    assert.match(first.note ?? '', /searched with fewer/);
    assert.equal(first.documents.length, 1);
    always(found([]));
    const second = await tools().search({ query: 'kangaroo' });
    assert.deepEqual(
      [second.documents, second.note],
      [[], 'Hacker News has no stories for: kangaroo. Try fewer or other words.'],
    );
    await assert.rejects(tools().search({ query: '" "' }), fails('badRequest'));
  });

  it('drops what is no hit, and does not take an answer of another shape for an empty one', async () => {
    always(found([{ objectID: '../x', title: 'A' }, { objectID: '5' }, null, story]));
    assert.equal((await tools().search({ query: 'a queue' })).documents.length, 1);
    always(found([{ id: 5 }]));
    await assert.rejects(tools().search({ query: 'another queue' }), fails('badAnswer'));
  });
});

describe('a thread of Hacker News', () => {
  it('is one text in which every comment stands under its author', async () => {
    always({
      body: {
        ...comment(101, 'ann', null, [
          comment(1, 'bob', 'It scales.', [comment(2, 'cy', 'To <i>what</i>?')]),
          comment(3, null, null, [comment(4, 'dee', 'An answer to a deleted comment.')]),
          comment(5, 'x](evil)', 'A name that is none.'),
          { id: 'broken' },
        ]),
        type: 'story',
        title: 'Queues',
        url: 'https://example.org/q',
        points: 12,
      },
    });
    const { documents, note } = await tools().thread('https://news.ycombinator.com/item?id=101#1');
    assert.equal(service.requests[0]?.path, '/api/v1/items/101');
    assert.equal(
      documents[0]?.text,
      [
        'Queues',
        '## bob, 2026-03-05\n\nIt scales.',
        '## cy, 2026-03-05, in reply to bob\n\nTo *what*?',
        '## dee, 2026-03-05, in reply to somebody\n\nAn answer to a deleted comment.',
        '## somebody, 2026-03-05\n\nA name that is none.',
      ].join('\n\n'),
    );
    assert.deepEqual(documents[0]?.facts, ['12 points', '4 comments', 'links to https://example.org/q']);
    assert.equal(note, '4 comments, each under the name of its author.');
  });

  it('is bounded in depth and length, whatever is sent', async () => {
    const open = Array.from({ length: 3_000 }, (_, id) => `{"id":${id},"author":"y","text":"level","children":[`);
    always({ body: `${open.join('')}${']}'.repeat(3_000)}`.replace('"text"', '"title":"Deep","text"') });
    const { documents, note } = await tools().thread(1);
    assert.match(note ?? '', /^8 comments.*not read/);
    assert.ok(documents[0]!.text.length < 2_000);
    const wide = Array.from({ length: 3_000 }, (_, id) => comment(id, 'y', 'word '.repeat(400)));
    always({ body: { ...comment(2, 'ann', 'Top.', wide), title: 'Wide' } });
    assert.ok((await tools().thread(2)).documents[0]!.text.length < 301_000);
  });

  it('of something else is refused without a request', async () => {
    for (const id of ['abc', '', '../1', 'https://example.org/item?id=1', '1 OR 2'])
      await assert.rejects(tools().thread(id), fails('badRequest'));
    assert.equal(service.requests.length, 0);
  });

  it('that was deleted, or never was, does not exist', async () => {
    always({ body: comment(1, null, null) });
    await assert.rejects(tools().thread(1), fails('notFound'));
    always({ body: 'null' });
    await assert.rejects(tools().thread(2), fails('notFound'));
  });
});

describe('a failure of Hacker News', () => {
  const cases: readonly (readonly [string, ServiceAnswer, ErrorReason, number])[] = [
    ['404', { status: 404, body: { status: 404, error: 'Not Found' } }, 'notFound', 1],
    ['a bad filter', { status: 400, body: { message: 'invalid numericFilters', status: 400 } }, 'badRequest', 1],
    ['a block', { status: 403, body: '<html>blocked</html>' }, 'auth', 1],
    ['429 with a long Retry-After', { status: 429, headers: { 'retry-after': '600' }, body: {} }, 'rateLimit', 1],
    ['429 with a short Retry-After', { status: 429, headers: { 'retry-after': '2' }, body: {} }, 'rateLimit', 3],
    ['429 without', { status: 429, body: { message: 'Too Many Requests' } }, 'rateLimit', 3],
    ['503', { status: 503, body: '<html>' }, 'network', 3],
    ['a page of a proxy', { body: '<html>Sign in</html>' }, 'badAnswer', 3],
    ['a cut body', { body: found([story]).body, fault: 'truncate' }, 'network', 3],
    ['another shape', { body: { results: [] } }, 'badAnswer', 1],
    ['a list', { body: [] }, 'badAnswer', 1],
  ];
  for (const [name, answer, reason, requests] of cases) {
    it(`${name} is ${reason}`, async () => {
      always(answer);
      await assert.rejects(tools().search({ query: 'queue' }), fails(reason));
      assert.equal(service.requests.length, requests);
      await assert.rejects(tools().thread(5), fails(reason));
    });
  }

  it('does not say more than a sentence of what the service said', async () => {
    always({ status: 400, body: { message: `x${' very'.repeat(1_000)}` } });
    await assert.rejects(tools().search({ query: 'queue' }), (error: Error) => error.message.length < 400);
  });
});

describe('the text of a comment', () => {
  it('has paragraphs, code and whole addresses, and no HTML', () => {
    assert.equal(
      commentText(
        'It&#x27;s <i>fine</i>.<p>See <a href="https:&#x2F;&#x2F;a.org&#x2F;long&#x2F;path" rel="nofollow">https:&#x2F;&#x2F;a.org&#x2F;lo...</a>' +
          '<pre><code>if (a &lt; b)\n  go();\n</code></pre><script>x</script>',
      ),
      "It's *fine*.\n\nSee https://a.org/long/path\n\n```\nif (a < b)\n  go();\n\n```\n\nx",
    );
  });

  it('costs no more than its length', () => {
    for (const piece of ['<a href="', '<p>', '<i>', '<pre><code>', '&#x27;', '<', '</code></pre>', '\n'])
      assert.equal(typeof commentText(piece.repeat(60_000)), 'string');
  });
});

describe('recorded answers of Hacker News', { skip: recordingsOf('hackernews').length === 0 }, () => {
  for (const path of recordingsOf('hackernews').filter((name) => /^(search|item)-/.test(name))) {
    it(path, async () => {
      const recorded = recording('hackernews', path);
      always(recorded);
      const { documents } = path.startsWith('item')
        ? await tools().thread(48_073_246)
        : await tools().search({ query: 'LLM', kind: path.includes('comments') ? 'comments' : 'stories' });
      const { hits } = JSON.parse(recorded.body) as { hits?: unknown[] };
      assert.equal(documents.length, hits?.length ?? 1);
      for (const { title, text, url, date } of documents) {
        assert.ok(title !== '' && text !== '');
        assert.doesNotMatch(title + text, /&#?\w+;|<\/?(?:p|a|i|pre|code)\b/);
        assert.match(url ?? '', /^https:\/\/news\.ycombinator\.com\/item\?id=\d+$/);
        assert.match(date ?? '', /^20\d\d-\d\d-\d\d$/);
      }
      if (path.startsWith('item')) assert.match(documents[0]!.text, /## causal, 2026-05-09\n\nYeah I've been saying/);
    });
  }
  for (const path of recordingsOf('hackernews').filter((name) => name.startsWith('error-'))) {
    it(path, async () => {
      always(recording('hackernews', path));
      const reason = path.includes('404') ? 'notFound' : path.includes('429') ? 'rateLimit' : 'badRequest';
      await assert.rejects(tools().search({ query: 'LLM' }), fails(reason));
    });
  }
});
