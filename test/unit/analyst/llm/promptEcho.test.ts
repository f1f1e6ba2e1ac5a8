import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isPromptEcho } from '../../../../src/research/analyst/llm/promptEcho.ts';
import { root } from '../../../support/paths.ts';

test('the words of every prompt are known as ours', () => {
  const folder = path.join(root, 'prompts');
  for (const name of fs.readdirSync(folder)) {
    const lines = fs.readFileSync(path.join(folder, name), 'utf8').split('\n');
    const longest = lines.toSorted((a, b) => b.length - a.length)[0]!;
    assert.ok(isPromptEcho(longest), `${name}: ${longest}`);
  }
});
