import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { freePath } from '../../../src/files/freePath.ts';

test('a file is never written over another one', () => {
  const taken = new Set(['a.html', 'a-2.html'].map((name) => path.join('reports', name)));
  const free = (name: string) => freePath(path.join('reports', name), (file) => taken.has(file));
  assert.equal(free('a.html'), path.join('reports', 'a-3.html'));
  assert.equal(free('b.html'), path.join('reports', 'b.html'));
});
