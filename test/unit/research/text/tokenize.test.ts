import assert from 'node:assert/strict';
import { test } from 'node:test';
import { termsOf } from '../../../../src/research/text/tokenize.ts';

test('a version is found by those that it is one of, and a number of 60,000 parts by its first ones', () => {
  assert.deepEqual(termsOf('v0.14.2'), ['0.14', '0.14.2']);
  assert.ok(termsOf('1.'.repeat(60_000) + '1').join('').length < 100);
});
