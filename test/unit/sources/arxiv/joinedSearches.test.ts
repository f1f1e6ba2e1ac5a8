import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ArxivEntry, ArxivFeed } from '../../../../src/sources/arxiv/arxivFeed.ts';
import { JoinedSearches } from '../../../../src/sources/arxiv/joinedSearches.ts';

const paper = (id: string, title: string, summary = ''): ArxivEntry => ({
  ...{ id, version: 'v1', title, authors: ['A. Author'], summary, withdrawn: false },
  ...{ published: '', updated: '', primaryCategory: '', comment: '', journalRef: '', doi: '' },
});
const papers = [
  paper('1', 'Dense retrieval of passages', 'With dual encoders.'),
  paper('2', 'Graph-based indexes', 'Approximate nearest neighbours.'),
  paper('3', 'Sparse retrieval', 'BM25 and its variants.'),
];
/** A query that finds what has all words of one of the groups. */
const any = (...groups: readonly (readonly string[])[]) => ({
  query: groups.map((group) => group.join('+')).join('|'),
  groups,
});
const never = new AbortController().signal;

/** A service that answers when it is told to, with all of its papers. */
function service(total = papers.length) {
  const sent: { readonly query: string; readonly count: number; readonly signal: AbortSignal }[] = [];
  const open: ((feed: ArxivFeed) => void)[] = [];
  const searches = new JoinedSearches((query, count, signal) => {
    sent.push({ query, count, signal });
    return new Promise((resolve) => open.push(resolve));
  });
  const answer = async (entries: readonly ArxivEntry[] = papers) => {
    open.shift()!({ entries, total });
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { sent, searches, answer };
}
const ids = async (feed: Promise<ArxivFeed>) => (await feed).entries.map(({ id }) => id);

describe('searches of arXiv that wait for each other', () => {
  it('go out as one query, and each gets the papers that match it', async () => {
    const { sent, searches, answer } = service();
    const first = searches.search(any(['retrieval']), 10, never);
    const dense = searches.search(any(['dense retrieval', 'encoder']), 10, never);
    const graphs = searches.search(any(['graph based index'], ['trees']), 10, never);
    await answer();
    await answer();
    assert.deepEqual(
      sent.map(({ query, count }) => [query, count]),
      [
        ['retrieval', 10],
        ['(dense retrieval+encoder) OR (graph based index|trees)', 20],
      ],
    );
    assert.deepEqual(await ids(first), ['1', '2', '3'], 'a search alone gets what the service sends');
    assert.deepEqual([await ids(dense), await ids(graphs)], [['1'], ['2']]);
  });

  it('are sent again alone when others have taken all places', async () => {
    const { sent, searches, answer } = service(900);
    void searches.search(any(['x']), 10, never);
    const dense = searches.search(any(['dense']), 10, never);
    const rare = searches.search(any(['quaternion']), 10, never);
    await answer([]);
    await answer();
    assert.equal(sent.at(-1)!.query, 'quaternion');
    await answer([papers[1]!]);
    assert.deepEqual([await ids(dense), await ids(rare)], [['1'], ['2']]);
  });

  it('are not joined when an entry does not show whether it matches', async () => {
    const { sent, searches, answer } = service();
    const all = [any(['x']), { query: 'cat:cs.CL' }, any(['sparse'])].map((attempt) =>
      searches.search(attempt, 10, never),
    );
    await answer();
    await answer();
    await answer();
    await Promise.all(all);
    assert.deepEqual(
      sent.map(({ query }) => query),
      ['x', 'cat:cs.CL', 'sparse'],
    );
  });

  it('end when the last of them is aborted, and not before', async () => {
    const { sent, searches, answer } = service();
    void searches.search(any(['x']), 10, never);
    const [one, other] = [new AbortController(), new AbortController()];
    const cancelled = searches.search(any(['dense']), 10, one.signal);
    const kept = searches.search(any(['sparse']), 10, other.signal);
    await answer();
    one.abort(new Error('Stopped.'));
    await assert.rejects(cancelled, /Stopped/);
    assert.ok(!sent[1]!.signal.aborted);
    await answer();
    assert.deepEqual(await ids(kept), ['3']);
    const last = searches.search(any(['dense']), 10, other.signal);
    other.abort(new Error('Stopped.'));
    await assert.rejects(last, /Stopped/);
  });

  it('fail together', async () => {
    let calls = 0;
    const searches = new JoinedSearches(async () => {
      calls += 1;
      throw new Error('down');
    });
    const all = ['a', 'b', 'c'].map((word) => searches.search(any([word]), 10, never));
    for (const search of all) await assert.rejects(search, /down/);
    assert.equal(calls, 2);
  });
});
