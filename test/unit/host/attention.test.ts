import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attentionOf } from '../../../src/host/sessions/attention.ts';
import { emptyView } from '../../../src/protocol/reduceRun.ts';
import type { RunView } from '../../../src/protocol/runView.ts';

const hidden = { visible: false, seen: false };
const seen = { visible: false, seen: true };
const open = { visible: true, seen: true };
const view = (changes: Partial<RunView>): RunView => ({ ...emptyView(), ...changes });

test('a run in progress is shown, with the number of completed sections', () => {
  const section = { id: 's', title: 'S', description: '', attempt: 1, activity: '', sources: 0, thoughts: [] };
  const running = view({
    status: 'running',
    phase: 'research',
    sections: [
      { ...section, status: 'completed' },
      { ...section, status: 'failed' },
      { ...section, status: 'researching' },
    ],
  });
  for (const panel of [hidden, seen, open])
    assert.deepEqual(attentionOf(running, panel), { kind: 'running', phase: 'research', done: 2, of: 3 });
});

test('a run that waits calls the user until the panel is open', () => {
  const waiting = view({ status: 'waiting', waitingFor: 'plan' });
  assert.deepEqual(attentionOf(waiting, hidden), { kind: 'waiting', waitingFor: 'plan' });
  assert.deepEqual(attentionOf(waiting, seen), { kind: 'waiting', waitingFor: 'plan' });
  assert.deepEqual(attentionOf(waiting, open), { kind: 'none' });
});

test('a run that is held by its connection says so quietly, whether the panel is open or not; one that was paused for good says nothing', () => {
  const held = view({ status: 'paused', end: { reason: 'network', message: 'No connection.', next: '' } });
  for (const panel of [hidden, seen, open])
    assert.deepEqual(attentionOf(held, panel), { kind: 'held', message: 'No connection.' });
  assert.deepEqual(
    attentionOf(view({ status: 'paused', end: { reason: 'needsAnswer', message: '', next: '' } }), hidden),
    { kind: 'none' },
  );
});

test('an end is shown once, and only until the user has seen it', () => {
  const finished = view({ status: 'finished', end: { outcome: 'partial', reason: 'partial', message: '', next: '' } });
  const failed = view({ status: 'failed', end: { reason: 'network', message: 'No network.', next: '' } });
  assert.deepEqual(attentionOf(finished, hidden), { kind: 'finished', what: 'gaps' });
  const gaps = [{ section: 's1', gap: 'No figures.' }];
  const end = { outcome: 'complete', reason: 'complete', message: '', next: '' } as const;
  assert.deepEqual(attentionOf(view({ status: 'finished', end: { ...end, gaps } }), hidden), {
    kind: 'finished',
    what: 'gaps',
  });
  assert.deepEqual(attentionOf(view({ status: 'finished', end }), hidden), { kind: 'finished', what: 'report' });
  assert.deepEqual(attentionOf(failed, hidden), { kind: 'failed', message: 'No network.' });
  for (const panel of [seen, open]) {
    assert.deepEqual(attentionOf(finished, panel), { kind: 'none' });
    assert.deepEqual(attentionOf(failed, panel), { kind: 'none' });
  }
});

test('the end of a follow-up says what it has given', () => {
  const report = { ...emptyView().report, done: true, text: 'Yes.' };
  const end = { outcome: 'complete', reason: 'complete', message: '', next: '' } as const;
  const followUp = (change: Partial<RunView>) => view({ status: 'finished', parent: 'r1', end, report, ...change });
  const shown = (change: Partial<RunView>) => attentionOf(followUp(change), hidden);
  assert.deepEqual(shown({}), { kind: 'finished', what: 'answer' });
  assert.deepEqual(shown({ report: { ...report, unchanged: true } }), { kind: 'finished', what: 'unchanged' });
  const path = '/runs/r1/versions/2.md';
  assert.deepEqual(shown({ report: { ...report, path } }), { kind: 'finished', what: 'version' });
  const partial = { ...end, outcome: 'partial' } as const;
  assert.deepEqual(shown({ report: { ...report, path }, end: partial }), { kind: 'finished', what: 'gaps' });
  assert.deepEqual(shown({ end: { ...end, outcome: 'notFound' } }), { kind: 'finished', what: 'notFound' });
});

test('nothing is shown for an empty panel, or for a run that the user stopped', () => {
  for (const status of ['idle', 'cancelled', 'paused'] as const)
    assert.deepEqual(attentionOf(view({ status }), hidden), { kind: 'none' });
});
