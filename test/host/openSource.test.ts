import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openSource } from '../../src/host/reports/openSource.ts';

describe('opening a source', () => {
  const { openExternal } = vscode.env;
  afterEach(() => void Object.assign(vscode.env, { openExternal }));

  it('is no error when the user cancels the editor’s question whether to open a page', async () => {
    const asked: string[] = [];
    const cancelled = async (uri: vscode.Uri) => (asked.push(uri.toString()), false);
    Object.assign(vscode.env, { openExternal: cancelled });
    const source = { id: 'S1', kind: 'page', title: 'A page', url: 'https://example.com/a' };
    assert.equal(await openSource(source, undefined), true);
    assert.deepEqual(asked, ['https://example.com/a']);
    assert.equal(await openSource({ ...source, url: 'ftp://example.com/a' }, undefined), false);
  });
});
