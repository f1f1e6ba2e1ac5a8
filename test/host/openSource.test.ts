import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openSource } from '../../src/host/reports/openSource.ts';

describe('opening a source', () => {
  const { executeCommand } = vscode.commands;
  afterEach(() => void Object.assign(vscode.commands, { executeCommand }));

  it('opens a page by its address as it is written', async () => {
    const opened: unknown[][] = [];
    Object.assign(vscode.commands, { executeCommand: async (...given: unknown[]) => void opened.push(given) });
    const source = { id: 'S1', kind: 'page', title: 'A page' };
    const urls = [
      'https://example.com/a',
      'https://example.com/go?to=https%3A%2F%2Fother.example%2Fx%3Fa%3D1%26b%3D2',
      'https://example.com/a%2Fb/c%2Cd?x=1%2D2#:~:text=one%2C%20two',
      'https://example.com/?next=%253Fa',
    ];
    for (const url of urls) assert.equal(await openSource({ ...source, url }, undefined), true);
    assert.deepEqual(
      opened,
      urls.map((url) => ['vscode.open', url]),
    );
    assert.equal(await openSource({ ...source, url: 'ftp://example.com/a' }, undefined), false);
    assert.equal(opened.length, urls.length);
  });
});
