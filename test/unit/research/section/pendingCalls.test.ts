import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CallOutcome } from '../../../../src/research/section/loopState.ts';
import { answeredInTime } from '../../../../src/research/section/pendingCalls.ts';

it('a search of this machine is waited for, however much the others have found', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const outcome = { answer: { sources: ['Saaaaa'] } } as unknown as CallOutcome;
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  for (const isLocal of [true, false]) {
    const slow = Promise.withResolvers<CallOutcome>();
    let answered: readonly number[] | undefined;
    void answeredInTime(
      [Promise.resolve(outcome), slow.promise],
      (index) => isLocal && index === 1,
      () => true,
    ).then((known) => (answered = known));
    await turns();
    for (let ms = 0; ms < 10_000; ms += 100) test.mock.timers.tick(100);
    await turns();
    assert.deepEqual(answered, isLocal ? undefined : [0]);
    slow.resolve(outcome);
    await turns();
    assert.deepEqual(answered, isLocal ? [0, 1] : [0]);
  }
});
