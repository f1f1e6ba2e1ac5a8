import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type InspectedSetting, originOf, settingsByLevel, type SettingsSource } from '../../../src/host/settings.ts';

function source(values: Record<string, InspectedSetting>, changes: Partial<SettingsSource> = {}): SettingsSource {
  return {
    declared: {
      'deepResearch.model.name': { scope: 'window' },
      'deepResearch.model.baseUrl': { scope: 'machine' },
      'deepResearch.report.folder': { scope: 'resource' },
      'deepResearch.prices': { scope: 'window' },
    },
    trusted: true,
    inspect: (key) => values[key],
    all: () => ({}),
    ...changes,
  };
}

test('only what somebody set is read: a default is not a choice', () => {
  const nothing = { user: {}, folder: {} };
  const standard = { 'deepResearch.model.name': { defaultValue: 'x' } as InspectedSetting };
  assert.deepEqual(settingsByLevel(source(standard)), nothing);
  assert.deepEqual(settingsByLevel(source({ 'deepResearch.model.name': { globalValue: '' } })).user, {
    'deepResearch.model.name': '',
  });
});

test('the folder wins over the workspace, and neither hides what the user set', () => {
  const levels = { globalValue: 'user', workspaceValue: 'workspace', workspaceFolderValue: 'folder' };
  const read = (value: InspectedSetting) => settingsByLevel(source({ 'deepResearch.report.folder': value }));
  const key = 'deepResearch.report.folder';
  assert.deepEqual(read(levels), { user: { [key]: 'user' }, folder: { [key]: 'folder' } });
  assert.equal(read({ ...levels, workspaceFolderValue: undefined }).folder[key], 'workspace');
  assert.deepEqual(read({ globalValue: 'user' }).folder, {});
});

test('an address is read from the user’s own settings alone, whatever a workspace says', () => {
  const theirs = { workspaceValue: 'https://theirs', workspaceFolderValue: 'https://theirs' };
  for (const trusted of [true, false]) {
    const values = { 'deepResearch.model.baseUrl': { globalValue: 'https://mine', ...theirs } };
    assert.deepEqual(settingsByLevel(source(values, { trusted })), {
      user: { 'deepResearch.model.baseUrl': 'https://mine' },
      folder: {},
    });
  }
});

test('before a workspace is trusted nothing of its settings counts', () => {
  const values = Object.fromEntries(
    Object.keys(source({}).declared).map((key) => [key, { workspaceValue: 'theirs', workspaceFolderValue: 'theirs' }]),
  );
  assert.deepEqual(settingsByLevel(source(values, { trusted: false })), { user: {}, folder: {} });
});

test('a misspelt setting goes along, so that the engine can name it; the parts of a known one do not', () => {
  const all = () => ({ model: { nmae: 'gpt', name: 'gpt' }, prices: { gpt: { in: 1 } }, report: { folder: 'r' } });
  assert.deepEqual(settingsByLevel(source({}, { all })).user, { 'deepResearch.model.nmae': 'gpt' });
});

test('nothing that an editor may hold breaks the reading', () => {
  for (const all of [undefined, null, 5, 'text', [], [1]])
    assert.doesNotThrow(() => settingsByLevel(source({}, { all: () => all })));
});

test('a key is bound to the origin of its address', () => {
  assert.equal(originOf(' https://gateway.example:8443/v1/'), 'https://gateway.example:8443');
  assert.equal(originOf(undefined), undefined);
  for (const address of [' ', 'no address', 'file:///etc/passwd', 'javascript:alert(1)', 'localhost:8000'])
    assert.equal(originOf(address), undefined, address);
});

test('what is nested without end is read up to the depth of a name', () => {
  let deep: unknown = 'x';
  for (let depth = 0; depth < 100_000; depth += 1) deep = { a: deep };
  assert.equal(Object.keys(settingsByLevel(source({}, { all: () => ({ nonsense: deep }) })).user).length, 1);
});
