import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as z from 'zod';
import { openWorkspace } from '../../../src/node/workspace.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import type { WorkspacePort } from '../../../src/research/ports.ts';
import { arxiv } from '../../../src/sources/arxiv/arxivSource.ts';
import { createTools, enabledSources } from '../../../src/sources/createTools.ts';
import { github } from '../../../src/sources/github/githubSource.ts';
import { createPoliteClient } from '../../../src/sources/http/politeClient.ts';
import { workspace as workspaceSource } from '../../../src/sources/workspace/workspaceSource.ts';
import { readAllSettings } from '../../../src/catalogue.ts';
import { english, noFacts, noSecrets, silentLog } from '../../support/sourceContext.ts';
import { startSourceServer, type SourceServer } from '../../support/sourceServer.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';
import { virtualClock } from '../../support/virtualClock.ts';

let server: SourceServer;
let folder: TemporaryFolder;
let workspace: WorkspacePort;
before(async () => {
  server = await startSourceServer();
  folder = await temporaryFolder({ 'a.md': '# RAG\n\nRetrieval helps.\n' });
  workspace = openWorkspace(folder.path, { exclude: [], reportFolder: 'research' });
});
after(async () => {
  await server.close();
  await folder.remove();
});

/** Whatever else is registered. */
const definitions = [workspaceSource, arxiv, github];
const never = new AbortController().signal;
const settingsOf = (raw: Record<string, unknown>) =>
  readAllSettings({ 'endpoints.arxiv': server.arxivUrl, 'endpoints.github': server.githubUrl, ...raw }).settings;

async function create(raw: Record<string, unknown> = {}, more: Partial<Parameters<typeof createTools>[0]> = {}) {
  const client = createPoliteClient({ userAgent: 'deep-research-vscode/0.0.0-test', clock: virtualClock() });
  const created = await createTools(
    {
      settings: settingsOf(raw),
      workspace,
      secrets: noSecrets,
      client,
      log: silentLog,
      ...more,
    },
    definitions,
  );
  const run = (name: string, args: Record<string, unknown>) =>
    created.tools.find((tool) => tool.name === name)!.run(args, english, never);
  return { ...created, names: created.tools.map(({ name }) => name), run };
}
const all = [
  'search_workspace',
  'read_workspace_file',
  'find_symbol',
  'read_git_history',
  'search_arxiv_papers',
  'get_arxiv_paper',
  'read_arxiv_paper',
  'github_search',
  'get_github_readme',
  'get_github_file',
  'get_github_issue',
  'get_github_releases',
];

describe('the tools of a run', () => {
  it('are those of all sources unless some are chosen', async () => {
    assert.deepEqual((await create()).names, all);
    assert.deepEqual((await create()).unavailable, []);
    assert.deepEqual((await create({ 'sources.enabled': ['GitHub', 'arxiv'] })).names, all.slice(4));
    assert.deepEqual((await create({}, { workspace: undefined })).names, all.slice(4));
    assert.deepEqual((await create({}, { workspace: undefined })).unavailable, []);
  });

  it('tell of sources that are unknown or can not be had', async () => {
    const odd = await create({ 'sources.enabled': ['arxiv', 'scihub', 'workspace'] }, { workspace: undefined });
    assert.deepEqual(odd.names, ['search_arxiv_papers', 'get_arxiv_paper', 'read_arxiv_paper']);
    assert.deepEqual(
      odd.unavailable.map(({ source }) => source),
      ['scihub', 'workspace'],
    );
    assert.match(odd.unavailable[0]!.why, /no source "\w+".*arxiv/);
  });

  it('read no file when a model may not see file texts', async () => {
    for (const forModel of ['off', 'metadata']) {
      const { names, unavailable } = await create({ 'workspace.forModel': forModel });
      assert.deepEqual(names, all.slice(4));
      assert.match(unavailable[0]?.why ?? '', new RegExp(`is ${forModel}`));
    }
  });

  it('use the facts of the workspace only when a model may know them', async () => {
    const facts = { ...noFacts, arxivIds: ['2604.05012'] };
    const marked = async (forModel: string) =>
      (await (await create({ 'workspace.forModel': forModel }, { facts })).run('get_arxiv_paper', { id: '2604.05012' }))
        .documents[0]?.alreadyCited;
    assert.deepEqual([await marked('content'), await marked('metadata'), await marked('off')], [true, true, undefined]);
  });

  it('have arguments that can be written as JSON Schema, and a description', async () => {
    for (const tool of (await create()).tools) {
      const schema = z.toJSONSchema(tool.parameters);
      assert.equal(schema.type, 'object');
      assert.ok(Object.keys(schema.properties ?? {}).length > 0 && tool.description.length > 20);
      assert.equal(tool.kind === 'search', 'query' in (schema.properties ?? {}));
    }
  });

  it('share down hosts within a run and forget them in the next', async () => {
    const dead = await startSourceServer();
    await dead.close();
    let calls = 0;
    const client = createPoliteClient({
      userAgent: 'x',
      clock: virtualClock(),
      fetch: (...args) => ((calls += 1), fetch(...args)),
    });
    const make = async () =>
      (
        await createTools({
          settings: settingsOf({ 'endpoints.arxiv': dead.arxivUrl }),
          secrets: noSecrets,
          client,
          log: silentLog,
        })
      ).tools;
    const tools = await make();
    for (const name of ['search_arxiv_papers', 'search_arxiv_papers', 'get_arxiv_paper']) {
      await assert.rejects(
        tools.find((tool) => tool.name === name)!.run({ query: `q${calls}`, id: '2604.05012' }, english, never),
        (error: unknown) => ResearchError.is(error, 'network'),
      );
    }
    assert.equal(calls, 1);
    await assert.rejects((await make())[0]!.run({ query: 'anything' }, english, never));
    assert.equal(calls, 2);
  });
});

describe('the enabled sources', () => {
  const enabled = (raw: Readonly<Record<string, unknown>>, hasWorkspace: boolean) => {
    const { settings } = readAllSettings(raw);
    return enabledSources({ settings, hasWorkspace, secrets: noSecrets, log: silentLog }, definitions);
  };

  it('are named with the hosts that queries go to', async () => {
    const elsewhere = { 'endpoints.github': 'https://git.example.com/api/v3' };
    assert.deepEqual(await enabled(elsewhere, true), [
      { name: 'workspace', label: 'Workspace', hosts: [] },
      { name: 'arxiv', label: 'arXiv', hosts: ['export.arxiv.org'] },
      { name: 'github', label: 'GitHub', hosts: ['git.example.com'] },
    ]);
    assert.deepEqual(
      (await enabled(elsewhere, false)).map(({ name }) => name),
      ['arxiv', 'github'],
    );
    assert.deepEqual(await enabled({ 'workspace.forModel': 'metadata', 'sources.enabled': ['workspace'] }, true), []);
  });
});
