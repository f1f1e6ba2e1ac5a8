import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementLine } from '../../../../src/research/evidence/statementLine.ts';

test('a heading inside a passage is no part of what it states', () => {
  const passage = 'First comes the search.\n\n### How the pipeline works\n\n- It *ranks* passages.\n- It cites them.';
  assert.equal(statementLine(passage), 'First comes the search. It *ranks* passages. It cites them.');
  assert.equal(statementLine('## Only a heading'), '## Only a heading');
});

test('marks that stand one inside the other leave no trace', () => {
  assert.equal(statementLine('> - [ ] It ranks\n> > passages.[^2]'), 'It ranks passages.');
  assert.equal(statementLine('[^2]: Blades turn.'), 'Blades turn.');
  assert.equal(statementLine('> [!NOTE]\n> Keep the key.\n>\n> It is shown once.'), 'Keep the key. It is shown once.');
  assert.equal(statementLine('5 > 3 and `a | b` stay.'), '5 > 3 and `a | b` stay.');
});

test('a row of a table states its cells, each behind the head of its column', () => {
  assert.equal(statementLine('| BM25 | 59.1 | - |'), 'BM25, 59.1');
  assert.equal(statementLine('| Model | Recall |\n…\n| Willow | 0.78 |'), 'Model: Willow, Recall: 0.78');
  assert.equal(
    statementLine('Sizes:\n\n| Model | GB |\n|---|--:|\n| a \\| b | 2 |\n| c | |'),
    'Sizes: Model: a | b, GB: 2 Model: c',
  );
});

test('a link is its words, short code between fences is code in the line, and a box has no mark', () => {
  assert.equal(statementLine('Valkey [forks](http://e.org/Fork_(os)), so [two][2] run.'), 'Valkey forks, so two run.');
  assert.equal(
    statementLine('Use the option `-w`:\n```sh\nhyperfine -w 3\n```\nIt warms.'),
    'Use the option `-w`: `hyperfine -w 3` It warms.',
  );
  assert.equal(statementLine('!!! warning "Support"\n\nIt is unreliable.'), 'It is unreliable.');
});
