import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { terminalDialogue } from '../../../src/node/terminalDialogue.ts';

it('what a model asks steers no terminal', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const dialogue = terminalDialogue({
    ...{ yes: false, answers: [], interactive: true, input, output },
    signal: AbortSignal.timeout(5_000),
  });
  const hostile = 'Which\u001b]0;title\u0007 one\u009b2J\u202e?';
  const answered = dialogue.answer({
    ...{ id: 'q', question: hostile, missingInfo: 'goal', why: '', topicMissing: false },
    options: [{ label: hostile, recommended: true }],
  });
  input.write('1\n');
  assert.equal(await answered, '1');
  const shown = String(output.read());
  assert.match(shown, /Which\]0;title one2J\?\n {2}1\. Which/);
});
