import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endActions } from '../../../src/panel/endActions.ts';
import { interruptedReason } from '../../../src/protocol/reduceRun.ts';
import type { ErrorReason } from '../../../src/research/errors.ts';

const reasons: Readonly<Record<ErrorReason, readonly string[]>> = {
  auth: ['setKey'],
  quota: ['openSettings'],
  budget: ['openSettings', 'resume'],
  rateLimit: ['resume', 'openSettings'],
  network: ['resume', 'openSettings'],
  timeout: ['resume', 'openSettings'],
  streamBroken: ['resume', 'openSettings'],
  contextLength: ['openSettings'],
  contentFilter: ['edit', 'openSettings'],
  notFound: ['openSettings'],
  badRequest: ['openSettings', 'edit'],
  badAnswer: ['resume', 'edit', 'openSettings'],
  config: ['openSettings'],
  noEvidence: ['edit', 'openSettings'],
  cannotDo: ['edit'],
  needsAnswer: ['resume', 'edit'],
  storage: ['resume', 'showLog'],
  abort: ['resume'],
  finish: ['resume'],
  bug: ['showLog'],
};

describe('what can be done about a run that ended without a report', () => {
  const setup = { provider: 'hosted', keyProviders: ['hosted', 'local'] };
  const types = (reason: string, run = 'r1') =>
    endActions({ run, provider: 'local', end: { reason, message: '', next: '' } }, setup).map(({ type }) => type);

  for (const [reason, advised] of Object.entries(reasons)) {
    it(`begins with ${advised.join(', ')} after ${reason}, and has Resume and Rerun as the history does`, () => {
      const offered = types(reason);
      assert.deepEqual(offered.slice(0, advised.length), advised);
      assert.deepEqual([...offered].sort(), [...new Set([...advised, 'resume', 'rerun'])].sort());
    });
  }

  it('is to resume an interrupted run, or to rerun it', () => {
    assert.deepEqual(types(interruptedReason), ['resume', 'rerun']);
  });

  it('is a key for the server that refused the run, or another model where it takes none', () => {
    const end = { reason: 'auth', message: '', next: '' };
    const first = (provider: string) => endActions({ run: 'r1', provider, end }, setup)[0];
    assert.deepEqual(first('local'), { type: 'setKey', provider: 'local' });
    assert.deepEqual(first('keyless'), { type: 'selectModel' });
    // It failed before it had a provider.
    assert.deepEqual(first(''), { type: 'setKey', provider: 'hosted' });
  });

  it('has no Resume where no run was created', () => {
    assert.deepEqual(types('config', ''), ['openSettings', 'rerun']);
    assert.deepEqual(types('network', ''), ['openSettings', 'rerun']);
  });

  it('is, of what was asked about a report, never a question of its own', () => {
    const about = (reason: string, run = 'r2') =>
      endActions({ run, parent: 'r1', provider: 'local', end: { reason, message: '', next: '' } }, setup);
    assert.deepEqual(
      about('badAnswer').map(({ type }) => type),
      ['resume', 'openSettings', 'rerun'],
    );
    assert.deepEqual(
      about('badRequest', '').map(({ type }) => type),
      ['openSettings'],
    );
  });
});
