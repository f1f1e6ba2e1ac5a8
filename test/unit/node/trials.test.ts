import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { knownTrials, trialPort } from '../../../src/node/trials.ts';
import type { Tried } from '../../../src/protocol/ports.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';

const folder = temporaryFolder('trials');
after(() => removeFolder(folder));

const day = 24 * 60 * 60_000;
let now = Date.parse('2026-05-01T00:00:00Z');
const clock = { now: () => new Date(now) };
const port = (model: string, build?: string | null) =>
  trialPort(folder, { host: 'localhost:1', model, build: () => Promise.resolve(build) }, clock);
const outcome = (trust: Tried['trust']): Tried => ({ trust, right: 7, of: 10 });

it('the outcome of a trial is that of one build of a model', async () => {
  await port('small', 'sha256:1').learnt(outcome('quotes'));
  assert.deepEqual(await port('small', 'sha256:1').known(), outcome('quotes'));
  assert.equal(await port('small', 'sha256:2').known(), undefined);
  assert.equal(await port('small').known(), undefined);
  assert.equal(await port('other', 'sha256:1').known(), undefined);
});

it('that of the last build holds while the server can’t be asked which it has', async () => {
  await port('busy', 'sha256:1').learnt(outcome('leads'));
  await port('busy', 'sha256:2 812 Q4_0').learnt(outcome('quotes'));
  await port('busy-8b', 'sha256:3').learnt(outcome('leads'));
  assert.deepEqual(await port('busy', null).known(), outcome('quotes'));
  assert.equal(await port('bus', null).known(), undefined);
});

it('is stored by the build when the server lists it after the trial', async () => {
  const listed = [null, 'sha256:9'];
  const late = trialPort(folder, { host: 'localhost:1', model: 'slow', build: async () => listed.shift() }, clock);
  assert.equal(await late.known(), undefined);
  await late.learnt(outcome('leads'));
  assert.deepEqual(await port('slow', 'sha256:9').known(), outcome('leads'));
});

it('one between the thresholds is forgotten after a week, one that was late after a day, any other is not', async () => {
  for (const trust of ['leads', 'helps', 'quotes'] as const) await port(trust).learnt(outcome(trust));
  const known = async () => Promise.all(['leads', 'helps', 'quotes'].map((model) => port(model).known()));
  now += 6 * day;
  assert.deepEqual(await known(), [outcome('leads'), outcome('helps'), outcome('quotes')]);
  now += 2 * day;
  assert.deepEqual(await known(), [outcome('leads'), undefined, outcome('quotes')]);
  await port('late').learnt({ ...outcome('quotes'), isLate: true });
  assert.equal((await port('late').known())?.isLate, true);
  now += 1.1 * day;
  assert.equal(await port('late').known(), undefined, 'after a day');
  const shown = await knownTrials(folder, clock);
  assert.equal(shown({ host: 'localhost:1', model: 'helps' }), undefined);
});
