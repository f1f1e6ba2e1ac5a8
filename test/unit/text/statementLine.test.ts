import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementLine } from '../../../src/research/text/statementLine.ts';

test('a heading inside a passage is no part of what it states', () => {
  const passage = 'First comes the search.\n\n### How the pipeline works\n\n- It *ranks* passages.\n- It cites them.';
  assert.equal(statementLine(passage), 'First comes the search. It *ranks* passages. It cites them.');
  assert.equal(statementLine('## Only a heading'), '## Only a heading');
});
