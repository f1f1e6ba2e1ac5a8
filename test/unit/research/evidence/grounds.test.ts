import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groundOfFinding, nearestGround } from '../../../../src/research/evidence/grounds.ts';
import { source } from '../../../support/analystTestKit.ts';

const crane = source(
  'S12345',
  `The crane of the quarry lifts 40 tons an hour. ${'It stands at the gate of the northern pit. '.repeat(20)}`,
);

test('what statements rest on is read once for all that rest on the same sentences', () => {
  const ground = nearestGround(crane, 'The crane lifts 40 tons.');
  assert.equal(ground?.passages.length, 1);
  assert.equal(nearestGround(crane, 'In an hour the crane of the quarry lifts tons.'), ground);
  const finding = { claim: 'It lifts.', quote: 'The crane of the quarry lifts 40 tons an hour.', source: crane.id };
  assert.equal(groundOfFinding(finding, crane), ground);
  assert.notEqual(nearestGround({ ...crane }, 'The crane lifts 40 tons.'), ground);
});

test('of several lines the first has its indentation as the others do', () => {
  const code = source('S22222', 'def gates():\n\n    if tide > 2:\n        close()\n');
  const finding = { claim: 'It closes.', quote: '    if tide > 2:\n        close()', source: code.id };
  assert.deepEqual(
    groundOfFinding(finding, code)?.passages.map(({ text }) => text),
    ['    if tide > 2:\n        close()'],
  );
});
