import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFound, worksOf } from '../../../src/protocol/works.ts';
import { emptyView, reduceRun } from '../../../src/protocol/reduceRun.ts';

const countWorks = (sources: Parameters<typeof worksOf>[0]) => worksOf(sources).length;

describe('the number of works', () => {
  it('counts what belongs to another source once', () => {
    assert.equal(countWorks([]), 0);
    assert.equal(countWorks([{ id: 'a' }, { id: 'b', work: 'a' }, { id: 'c', work: 'b' }, { id: 'd' }]), 2);
    // Damaged events are no reason to run forever.
    assert.equal(
      countWorks([
        { id: 'a', work: 'b' },
        { id: 'b', work: 'a' },
      ]),
      2,
    );
  });

  it('falls in the view when a source turns out to be another one', () => {
    const at = '2026-01-01T00:00:00.000Z';
    const source = { type: 'source/added', run: 'r', at, kind: 'web', title: 'T' } as const;
    const view = [
      { ...source, seq: 1, id: 'S1' },
      { ...source, seq: 2, id: 'S2' },
      { ...source, seq: 3, id: 'S2', work: 'S1' },
      { ...source, seq: 4, id: 'S2' },
    ].reduce(reduceRun, { ...emptyView(), run: 'r' });
    assert.equal(view.sources.length, 2);
    assert.equal(countWorks(view.sources), 1);
  });
});

describe('the works of a run', () => {
  const file = (id: string, path: string, firstLine: number, work?: string) => ({
    ...{ id, kind: 'workspace', title: path, file: { path, firstLine, lastLine: firstLine + 5 } },
    ...(work !== undefined && { work }),
  });
  const sources = [
    { id: 'S1', kind: 'web', title: 'Never cited', url: 'https://a.example' },
    file('S2', 'docs/tides.md', 1),
    file('S3', 'docs/tides.md', 20, 'S2'),
    file('S4', 'docs/tides.md', 40, 'S2'),
    { id: 'S5', kind: 'arxiv', title: 'A paper', date: '2020-05-22' },
  ];
  const works = worksOf(sources, ['S4', 'S5', 'S3']);

  it('are in the order of their first citation, with their passages and numbers', () => {
    assert.deepEqual(
      works.map(({ source, passages, numbers }) => [source.id, passages.map(({ id }) => id), numbers]),
      [
        ['S4', ['S4', 'S3', 'S2'], [1, 3]],
        ['S5', ['S5'], [2]],
        ['S1', ['S1'], []],
      ],
    );
  });

  it('are found by words of their titles, paths, kinds and dates', () => {
    const found = (query: string) => works.filter((work) => isFound(work, query)).map(({ source }) => source.id);
    assert.deepEqual(found('TIDES docs'), ['S4']);
    assert.deepEqual(found('2020 arxiv'), ['S5']);
    assert.deepEqual(found(''), ['S4', 'S5', 'S1']);
    assert.deepEqual(found('nothing'), []);
  });
});
