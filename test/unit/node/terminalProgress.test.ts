import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressLine } from '../../../src/node/terminalProgress.ts';

const end = {
  ...({ type: 'run/finished', run: 'r', seq: 1, at: '2026-03-04T10:00:00.000Z' } as const),
  tokens: { in: 0, out: 0, cached: 0 },
  ms: 1_500,
};

test('the last line says that a run has gaps, and which', () => {
  assert.equal(progressLine({ ...end, outcome: 'complete' }, false), 'Finished in 1.5 s.');
  assert.equal(progressLine({ ...end, outcome: 'partial' }, false), 'Finished with gaps in 1.5 s.');
  const gaps = [{ section: 's1', gap: 'No figures of 2025.' }];
  assert.equal(
    progressLine({ ...end, outcome: 'complete', gaps }, false),
    '  not answered: No figures of 2025.\nFinished with gaps in 1.5 s.',
  );
});

test('the last line of a run that found no answer says what was searched, what came nearest, and what was not searched', () => {
  const nearest = [
    { source: 'S1', title: 'Gates' },
    { source: 'S2', title: 'Winches' },
  ];
  const searched = { sources: ['workspace', 'arxiv'], files: 1_200, nearest };
  const lines = progressLine({ ...end, outcome: 'notFound', searched }, false)?.split('\n');
  assert.deepEqual(lines, [
    '  searched: workspace (1,200 files), arxiv',
    '  nearest: Gates; Winches',
    '  the web was not searched: --check-sources says what that needs',
    'Nothing that was searched answers the question; finished in 1.5 s.',
  ]);
  const all = { sources: ['workspace', 'web'], files: 1, nearest: [] };
  assert.doesNotMatch(progressLine({ ...end, outcome: 'notFound', searched: all }, false)!, /nearest|the web was/);
});
