import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { followUpKinds, offeredKinds } from '../../../src/protocol/followUp.ts';

describe('what is offered for a question about a report', () => {
  it('is every kind with a model', () => assert.deepEqual(offeredKinds(true), followUpKinds));
  it('is what needs none without a model', () => assert.deepEqual(offeredKinds(false), ['answer', 'research']));
});
