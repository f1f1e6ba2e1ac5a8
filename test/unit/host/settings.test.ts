import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type InspectedSetting, originOf, type SettingsSource, userSettings } from '../../../src/host/settings.ts';

function source(values: Record<string, InspectedSetting>, changes: Partial<SettingsSource> = {}): SettingsSource {
  return {
    declared: {
      'deepResearch.model.name': { scope: 'window' },
      'deepResearch.model.baseUrl': { scope: 'machine' },
      'deepResearch.report.folder': { scope: 'resource' },
      'deepResearch.prices': { scope: 'window' },
    },
    restricted: ['deepResearch.model.name', 'deepResearch.report.folder'],
    trusted: true,
    inspect: (key) => values[key],
    all: () => ({}),
    ...changes,
  };
}

test('only what the user set is read: a default is not a choice', () => {
  assert.deepEqual(userSettings(source({ 'deepResearch.model.name': { defaultValue: 'x' } as InspectedSetting })), {});
  assert.deepEqual(userSettings(source({ 'deepResearch.model.name': { globalValue: '' } })), {
    'deepResearch.model.name': '',
  });
});

test('the folder wins over the workspace, the workspace over the user', () => {
  const levels = { globalValue: 'user', workspaceValue: 'workspace', workspaceFolderValue: 'folder' };
  const read = (value: InspectedSetting) =>
    userSettings(source({ 'deepResearch.report.folder': value }))['deepResearch.report.folder'];
  assert.equal(read(levels), 'folder');
  assert.equal(read({ ...levels, workspaceFolderValue: undefined }), 'workspace');
  assert.equal(read({ globalValue: 'user' }), 'user');
});

test('an address is read from the user’s own settings alone, whatever a workspace says', () => {
  const values = {
    'deepResearch.model.baseUrl': {
      globalValue: 'https://mine',
      workspaceValue: 'https://theirs',
      workspaceFolderValue: 'https://theirs',
    },
  };
  for (const trusted of [true, false]) {
    assert.deepEqual(userSettings(source(values, { trusted })), { 'deepResearch.model.baseUrl': 'https://mine' });
  }
  assert.deepEqual(userSettings(source({ 'deepResearch.model.baseUrl': { workspaceValue: 'https://theirs' } })), {});
});

test('before the workspace is trusted its restricted settings do not count', () => {
  const values = { 'deepResearch.report.folder': { globalValue: 'mine', workspaceValue: '../../theirs' } };
  assert.deepEqual(userSettings(source(values, { trusted: false })), { 'deepResearch.report.folder': 'mine' });
});

test('a misspelt setting goes along, so that the engine can name it; the parts of a known one do not', () => {
  const all = () => ({ model: { nmae: 'gpt', name: 'gpt' }, prices: { gpt: { in: 1 } }, report: { folder: 'r' } });
  assert.deepEqual(userSettings(source({}, { all })), { 'deepResearch.model.nmae': 'gpt' });
});

test('nothing that an editor may hold breaks the reading', () => {
  for (const all of [undefined, null, 5, 'text', [], [1]])
    assert.doesNotThrow(() => userSettings(source({}, { all: () => all })));
});

test('a key is bound to the origin of the set address, else of the standard one', () => {
  assert.equal(originOf('https://gateway.example:8443/v1/', 'https://api.openai.com'), 'https://gateway.example:8443');
  assert.equal(originOf(' ', 'https://api.openai.com'), 'https://api.openai.com');
  assert.equal(originOf(undefined, 'https://api.openai.com'), 'https://api.openai.com');
  assert.equal(originOf(undefined), undefined);
  for (const address of ['no address', 'file:///etc/passwd', 'javascript:alert(1)', 'localhost:8000'])
    assert.equal(originOf(address), undefined, address);
});
