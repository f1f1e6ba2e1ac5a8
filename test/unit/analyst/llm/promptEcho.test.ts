import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fillPrompt } from '../../../../src/research/analyst/llm/fill.ts';
import { isPromptEcho } from '../../../../src/research/analyst/llm/promptEcho.ts';
import { root } from '../../../support/paths.ts';

test('the words of every prompt are known as ours once it is sent', () => {
  const folder = path.join(root, 'prompts');
  // Other tests of this process may have sent those of the product.
  const own = 'Count the blue herons along the northern shore.';
  assert.ok(!isPromptEcho(own));
  fillPrompt(`${own}\n<!-- user -->\nNow.`, {});
  assert.ok(isPromptEcho(own));
  for (const name of fs.readdirSync(folder)) {
    const prompt = fs.readFileSync(path.join(folder, name), 'utf8');
    const longest = prompt.split('\n').toSorted((a, b) => b.length - a.length)[0]!;
    const places = prompt.matchAll(/\{\{([a-z_]+)\}\}/g);
    const values = Object.fromEntries([...places].map(([, place = '']) => [place, 'x']));
    // The other one is a part of a prompt.
    if (!/^<!-- user -->$/m.test(prompt)) continue;
    fillPrompt(prompt, values);
    assert.ok(isPromptEcho(longest), `${name}: ${longest}`);
  }
});
