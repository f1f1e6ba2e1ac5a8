import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'jsonc-parser';
import { parse as parseYaml } from 'yaml';
import { tomlServer, withServer } from '../../../src/host/agents/agentFiles.ts';
import { root } from '../../support/paths.ts';

const server = { command: 'deep-research', args: ['mcp', '--workspace', '.'] };

describe('the configuration of an agent', () => {
  it('is written where there is none', () => {
    for (const text of ['', '\n', '{}', '{ }', '{ "mcpServers": {} }', '{ "mcpServers": {\n} }'])
      assert.deepEqual(JSON.parse(withServer(text, server)!), { mcpServers: { 'deep-research': server } });
  });

  it('stays as it is but for our server: comments, other servers, order, indentation, line ends', () => {
    const lines = [
      '{',
      '\t// ours',
      '\t"mcpServers": {',
      '\t\t"other": { "command": "x", }, // last',
      '\t},',
      '\t"b": 1',
      '}',
      '',
    ];
    const text = lines.join('\r\n');
    const changed = withServer(text, server)!;
    assert.match(changed, /\t\t"deep-research": \{\r\n\t\t\t"command"/);
    const added = changed.slice(text.indexOf('}, // last') + 1, changed.indexOf(', // last'));
    assert.equal(changed.replace(added, ''), text, 'what was there is there, character by character');
    assert.deepEqual(parse(changed), { mcpServers: { other: { command: 'x' }, 'deep-research': server }, b: 1 });
    assert.doesNotMatch(changed.replaceAll('\r\n', ''), /\n/);
  });

  it('is left alone where a server of this name is there', () => {
    const text = '{ "mcpServers": { "deep-research": { "command": "mine" } } }';
    assert.equal(withServer(text, server), text);
  });

  it('is not touched where it is no JSON object', () => {
    for (const text of ['[]', '{', 'null', '"x"', '{ "mcpServers": [] }', '{ "mcpServers": null }', '<<<<<<< ours\n{}'])
      assert.equal(withServer(text, server), undefined, text);
  });

  it('escapes what stands in paths, in TOML too', () => {
    const windows = { command: 'C:\\Program Files\\Code.exe', args: ['a "b"'], env: { ELECTRON_RUN_AS_NODE: '1' } };
    assert.equal(
      tomlServer(windows),
      [
        '[mcp_servers.deep-research]',
        String.raw`command = "C:\\Program Files\\Code.exe"`,
        String.raw`args = ["a \"b\""]`,
        'env = { ELECTRON_RUN_AS_NODE = "1" }',
        '',
      ].join('\n'),
    );
  });
});

describe('the plugin for agents', () => {
  const read = (file: string) => fs.readFileSync(path.join(root, 'agents', file), 'utf8');
  const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
    license: string;
    contributes: { chatSkills: readonly { path: string }[] };
  };

  it('is of the version of the package', () => {
    const { name, version, license } = JSON.parse(read('plugin.json')) as Record<string, unknown>;
    assert.deepEqual([name, version, license], ['deep-research', manifest.version, manifest.license]);
  });

  it('has a skill that loads: its name is its folder, and its description fits', () => {
    const [{ path: file } = { path: '' }] = manifest.contributes.chatSkills;
    assert.equal(file, './agents/skills/deep-research/SKILL.md');
    const [, head = ''] = /^---\n([^]*?)\n---\n/.exec(read('skills/deep-research/SKILL.md')) ?? [];
    const { name, description, ...others } = parseYaml(head) as Record<string, string>;
    assert.equal(name, path.basename(path.dirname(file)));
    assert.ok(description!.length > 100 && description!.length <= 1024);
    assert.deepEqual(others, {});
  });

  it('names tools that the server has', async () => {
    const { servedTools } = await import('../../../src/mcp/tools.ts');
    const named = read('skills/deep-research/SKILL.md')
      .match(/`[a-z]+_[a-z]+`/g)!
      .map((word) => word.slice(1, -1));
    const known = servedTools.map(({ name }) => name);
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((name) => !known.includes(name)),
      [],
    );
  });
});
