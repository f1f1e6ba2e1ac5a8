import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canFinish, statusLook } from '../../../src/panel/statusLook.ts';
import { Texts } from '../../../src/protocol/texts.ts';
import type { EventBody } from '../../../src/protocol/events.ts';
import { isOnHold, isLive, type RunView } from '../../../src/protocol/runView.ts';
import { interrupted } from '../../../src/protocol/interrupted.ts';
import { reduceRun } from '../../../src/protocol/reduceRun.ts';
import { panelStrings } from '../../../src/protocol/strings.ts';
import { events, panelStates, viewOf } from '../../support/panelStates.ts';

const texts = new Texts(panelStrings, 'en');
const paused = (reason: string): EventBody => ({
  type: 'run/paused',
  reason,
  message: 'Out of reach.',
  next: 'Nothing is lost.',
});
const resumed = (reason: string): EventBody => ({ type: 'run/resumed', reason, message: 'Back.', next: '' });
const researching = viewOfState('research');
const after = (...bodies: EventBody[]): RunView =>
  events(bodies, researching.run, researching.lastSeq + 1).reduce(reduceRun, researching);

function viewOfState(name: string): RunView {
  const message = panelStates[name]![0]!;
  assert.equal(message.type, 'snapshot');
  return message.view;
}

test('a run that lost its connection is paused and live; one that waits to be resumed is not live', () => {
  const held = after(paused('network'));
  assert.deepEqual([isOnHold(held), isLive(held)], [true, true]);
  assert.equal(statusLook(held, texts).label, 'Paused: no connection');
  assert.equal(statusLook(after(paused('rateLimit')), texts).label, 'Paused: the model is busy');
  const waiting = after(paused('needsAnswer'));
  assert.deepEqual([isOnHold(waiting), isLive(waiting)], [false, false]);
  assert.equal(statusLook(waiting, texts).label, 'Paused');
});

test('when the connection is back, or the report begins, the pause is over', () => {
  for (const end of [resumed('network'), { type: 'run/phase', phase: 'report' } as const]) {
    const view = after(paused('network'), end);
    assert.deepEqual([view.status, view.end], ['running', null]);
  }
});

test('the time of a pause is no running time', () => {
  const [pause, back] = events([paused('network'), resumed('network')], researching.run, researching.lastSeq + 1);
  const later = { ...back!, at: new Date(Date.parse(pause!.at) + 600_000).toISOString() };
  assert.equal([pause!, later].reduce(reduceRun, researching).waitedMs - researching.waitedMs, 600_000);
});

test('a run that was paused when its window closed is interrupted', () => {
  assert.equal(interrupted(after(paused('network')), panelStrings).status, 'failed');
  assert.equal(interrupted(after(paused('needsAnswer')), panelStrings).status, 'paused');
});

test('Finish now is offered wherever something was found and the report is not being written', () => {
  assert.equal(canFinish(researching), true);
  assert.equal(canFinish(after(paused('network'))), true);
  assert.equal(canFinish(after({ type: 'run/phase', phase: 'report' })), false);
  assert.equal(canFinish(after({ type: 'run/phase', phase: 'report' }, paused('network'))), true);
  assert.equal(canFinish({ ...researching, sources: [] }), false);
  assert.equal(canFinish(viewOfState('finished')), false);
  assert.equal(canFinish(viewOfState('cancelled')), false);
  assert.equal(canFinish(viewOf([])), false);
  // Its own card offers to write the report.
  assert.equal(canFinish({ ...researching, status: 'waiting', waitingFor: 'review' }), false);
});
