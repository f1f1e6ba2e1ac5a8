import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countWorks } from '../../../src/protocol/countWorks.ts';
import { emptyView, reduceRun } from '../../../src/protocol/reduceRun.ts';

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
