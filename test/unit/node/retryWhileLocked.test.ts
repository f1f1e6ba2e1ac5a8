import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryWhileLocked } from '../../../src/files/retryWhileLocked.ts';

const refusal = (code: string) => Object.assign(new Error(code), { code });

/** Tries what gives or throws its results in turn, the last one again and again. */
async function tried(
  ...results: (Error | string)[]
): Promise<{ readonly outcome: unknown; readonly tries: number; readonly waited: number[] }> {
  const waited: number[] = [];
  let tries = 0;
  const act = async () => {
    const result = results[Math.min(tries++, results.length - 1)];
    if (result instanceof Error) throw result;
    return result;
  };
  const outcome: unknown = await retryWhileLocked(act, async (ms) => void waited.push(ms)).catch(
    (error: unknown) => error,
  );
  return { outcome, tries, waited };
}

for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
  test(`what is refused for moments with ${code} is tried again, after waits that grow`, async () => {
    const { outcome, tries, waited } = await tried(refusal(code), refusal('EBUSY'), refusal(code), 'done');
    assert.deepEqual([outcome, tries], ['done', 4]);
    assert.deepEqual(
      waited,
      waited.toSorted((a, b) => a - b),
    );
  });
}

test('what stays refused fails after 1.5 s, with the last refusal', async () => {
  const last = refusal('EACCES');
  const { outcome, tries, waited } = await tried(...Array.from({ length: 6 }, () => refusal('EPERM')), last);
  assert.equal(outcome, last);
  assert.equal(tries, 7);
  const all = waited.reduce((sum, ms) => sum + ms, 0);
  assert.ok(all >= 1_400 && all <= 1_600, `${all} ms`);
});

test('another failure rejects at once', async () => {
  for (const failure of [refusal('ENOENT'), refusal('ENOSPC'), new Error('a mistake')]) {
    const { outcome, tries, waited } = await tried(failure, 'done');
    assert.deepEqual([outcome, tries, waited.length], [failure, 1, 0]);
  }
});
