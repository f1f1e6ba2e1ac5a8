import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takesTooLong } from '../../../../src/sources/readers/document.ts';

test('a document takes too long by the work that it is, not because the machine is busy', () => {
  assert.equal(takesTooLong(20_000, 3_000, 60_000), false);
  assert.equal(takesTooLong(20_000, 20_020, 20_020), true);
});

test('a reader that waits for nothing ends too', () => {
  assert.equal(takesTooLong(20_000, 100, 100_020), true);
});
