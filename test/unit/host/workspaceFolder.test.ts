import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { imitatedFolders, imitateEditor, ImitatedUri } from '../../support/imitatedEditor.ts';

const tabs: { activeTabGroup: { activeTab?: { input: unknown } } } = { activeTabGroup: {} };
const window: { activeTextEditor: unknown; readonly tabGroups: unknown } = {
  activeTextEditor: undefined,
  tabGroups: tabs,
};
const workspace = { ...imitatedFolders(['/a/app', '/b/app']), isTrusted: true };
imitateEditor({ Uri: ImitatedUri, window, workspace });
const { currentFolder, readableFolder } = await import('../../../src/host/workspaceFolder.ts');

/** Brings a tab to the front: a text has an editor, a report or an image has not. */
function show(uri: ImitatedUri | undefined, isText = false): void {
  window.activeTextEditor = isText ? { document: { uri } } : undefined;
  tabs.activeTabGroup = { activeTab: { input: isText ? {} : { uri } } };
}
const path = () => currentFolder()?.uri.fsPath;

afterEach(() => show(undefined));

test('the folder of the tab in front is researched, whatever the tab shows it as', () => {
  show(ImitatedUri.file('/b/app/notes.md'), true);
  assert.equal(path(), '/b/app');
  show(ImitatedUri.file('/a/app/research/report.md'));
  assert.equal(path(), '/a/app');
  show(ImitatedUri.file('/b/app/research/report.md'));
  assert.equal(path(), '/b/app');
});

test('a tab in no folder leaves the last one current, as long as that is open', () => {
  show(ImitatedUri.file('/b/app/notes.md'), true);
  assert.equal(path(), '/b/app');
  show(undefined);
  assert.equal(path(), '/b/app');
  show(new ImitatedUri('output', '/b/app/log'), true);
  assert.equal(path(), '/b/app');
  workspace.workspaceFolders.pop();
  assert.equal(path(), '/a/app');
});

test('a run that belongs somewhere is researched there, where that is open', () => {
  Object.assign(workspace, imitatedFolders(['/a/app', '/b/app']));
  show(ImitatedUri.file('/a/app/notes.md'), true);
  assert.equal(readableFolder('/b/app'), '/b/app');
  assert.equal(readableFolder('/c/app'), '/a/app');
  assert.equal(readableFolder(), '/a/app');
});
