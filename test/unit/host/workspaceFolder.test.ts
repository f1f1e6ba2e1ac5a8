import assert from 'node:assert/strict';
import fs from 'node:fs';
import { beforeEach, test } from 'node:test';
import { editor, openFolders, Uri } from '../../support/imitatedEditor.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';

const { currentFolder, readableFolder } = await import('../../../src/host/workspaceFolder.ts');

/** Brings a tab to the front: a text has an editor, a report or an image has not. */
function show(uri: Uri | undefined, isText = false): void {
  editor.window.activeTextEditor = isText ? { document: { uri } } : undefined;
  editor.window.tabGroups.activeTabGroup = { activeTab: { input: isText ? {} : { uri } } };
}
const path = () => currentFolder()?.uri.fsPath;

beforeEach(() => openFolders(['/a/app', '/b/app']));

test('the folder of the tab in front is researched, whatever the tab shows it as', () => {
  show(Uri.file('/b/app/notes.md'), true);
  assert.equal(path(), '/b/app');
  show(Uri.file('/a/app/research/report.md'));
  assert.equal(path(), '/a/app');
  show(Uri.file('/b/app/research/report.md'));
  assert.equal(path(), '/b/app');
});

test('a tab in no folder leaves the last one current, as long as that is open', () => {
  show(Uri.file('/b/app/notes.md'), true);
  assert.equal(path(), '/b/app');
  show(undefined);
  assert.equal(path(), '/b/app');
  show(new Uri('output', '/b/app/log'), true);
  assert.equal(path(), '/b/app');
  editor.workspace.workspaceFolders.pop();
  assert.equal(path(), '/a/app');
});

test('a run that belongs somewhere is researched there, where that is open', () => {
  show(Uri.file('/a/app/notes.md'), true);
  assert.equal(readableFolder('/b/app'), '/b/app');
  assert.equal(readableFolder('/c/app'), '/a/app');
  assert.equal(readableFolder(), '/a/app');
});

test('a folder that is open through a link is the folder of its runs', () => {
  const real = temporaryFolder('linked');
  const link = `${real}-link`;
  fs.symlinkSync(real, link);
  try {
    openFolders(['/a/app', link]);
    show(Uri.file('/a/app/notes.md'), true);
    assert.equal(readableFolder(real), link);
  } finally {
    fs.unlinkSync(link);
    removeFolder(real);
  }
});
