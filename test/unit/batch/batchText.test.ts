import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { progressBar, timeLeft } from '../../../src/batch/batchText.ts';
import { type BatchCounts, noneByStatus } from '../../../src/batch/questionQueue.ts';

const minute = 60_000;

function counts(by: Partial<BatchCounts['by']>, more: Partial<BatchCounts> = {}): BatchCounts {
  const figures = { tokens: 0, cost: 0, ms: 0 };
  return { by: { ...noneByStatus(), ...by }, figures, isPaused: false, ...more };
}

describe('the progress bar of a batch', () => {
  it('has done, running, waiting, failed, tokens, cost and time left', () => {
    const by = { reported: 3, failed: 2, cancelled: 1, running: 2, waiting: 1, pending: 3 };
    assert.equal(
      progressBar(counts(by, { figures: { tokens: 1_200, cost: 0.104, ms: 1 } }), 4 * minute),
      '[############············] 3 of 12 done, 2 running, 1 waiting, 2 failed, 1 cancelled, 1,200 tokens, 0.10 USD, about 4 min left',
    );
  });

  it('leaves out what there is none of, and a cost that is not known', () => {
    const figures = { tokens: 1, cost: null, ms: 1 };
    assert.equal(
      progressBar(counts({ pending: 1_999, running: 1 }, { figures }), undefined),
      `[${'·'.repeat(24)}] 0 of 2,000 done, 1 running, 1 token`,
    );
  });

  it('says that the batch is paused instead of a time', () => {
    const bar = progressBar(counts({ pending: 1, reported: 1 }, { isPaused: true }), minute);
    assert.equal(bar, `[${'#'.repeat(12)}${'·'.repeat(12)}] 1 of 2 done, 0 running, paused`);
  });

  it('is full only at the end', () => {
    assert.match(progressBar(counts({ reported: 999, running: 1 }), undefined), /^\[#{23}·\]/);
    assert.match(progressBar(counts({ reported: 1_000 }), undefined), /^\[#{24}\]/);
    assert.match(progressBar(counts({}), undefined), /^\[#{24}\] 0 of 0/);
  });

  it('gives hours from an hour and a half on, and no less than a minute', () => {
    const left = (ms: number) =>
      progressBar(counts({ pending: 1 }), ms)
        .split(', ')
        .at(-1);
    assert.deepEqual([1, 89 * minute, 90 * minute, 600 * minute].map(left), [
      'about 1 min left',
      'about 89 min left',
      'about 2 h left',
      'about 10 h left',
    ]);
  });
});

describe('the time that is left of a batch', () => {
  const ended = [2, 4].map((minutes) => ({ tokens: 0, cost: null, ms: minutes * minute }));

  it('is that of those that are left, divided among those in progress', () => {
    assert.equal(timeLeft(counts({ pending: 6, running: 2, waiting: 5 }), ended), (3 * minute * 8) / 2);
    assert.equal(timeLeft(counts({ pending: 6 }), ended), 18 * minute, 'as if there were one');
    assert.equal(timeLeft(counts({ reported: 2 }), ended), 0);
  });

  it('is not known before a question has ended', () => {
    assert.equal(timeLeft(counts({ pending: 6, running: 2 }), []), undefined);
  });
});
