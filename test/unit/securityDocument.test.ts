import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../support/paths.ts';

test('each row of the threat model names tests that are there', () => {
  const rows = fs
    .readFileSync(path.join(root, 'SECURITY.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:who|---)/.test(line));
  assert.ok(rows.length >= 10);
  for (const row of rows) {
    const tests = [...row.matchAll(/`((?:unit|ui|system|bench|fuzz)\/[\w./]+)`/g)].map(([, file]) => file!);
    assert.ok(tests.length > 0, row);
    for (const file of tests) assert.ok(fs.existsSync(path.join(root, 'test', file)), file);
  }
});
