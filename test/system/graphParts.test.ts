import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { buildResearchGraph, createAnalyst, createSources } from '../../src/api.ts';
import { startModelServer } from '../support/modelServer.ts';
import { root } from '../support/paths.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('the graph as a library', () => {
  it('is driven by the example of the documentation, on the built package', async () => {
    const runDir = await temporaryFolder({});
    const child = spawn(
      process.execPath,
      [path.join('docs', 'drive-the-graph.mjs'), 'How does HyDE work?', 'examples'],
      {
        cwd: root,
        env: { ...process.env, XDG_DATA_HOME: runDir.path },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const [report, steps] = await Promise.all([text(child.stdout), text(child.stderr)]);
    await runDir.remove();
    assert.match(report, /HyDE[^]*\[\[1\]\]\(#ref-1\)[^]*## References/, steps);
    assert.deepEqual(
      ['assess', 'plan', 'report'].filter((node) => !steps.split('\n').includes(node)),
      [],
    );
  });

  it('thinks with the model that the settings name, and looks where they say', async () => {
    const server = await startModelServer();
    const folder = await temporaryFolder({ 'notes/tides.md': '# Tides\n\nThe moon pulls the sea twice a day.\n' });
    try {
      const config = {
        ...{ 'model.provider': 'openai-compatible', 'model.baseUrl': server.url, 'model.name': 'imitation-1' },
        ...{ 'sources.enabled': ['workspace'], clarification: 'off', planApproval: 'never', 'model.trust': 'always' },
      };
      const setup = { config, workspace: path.join(folder.path, 'notes'), runDir: path.join(folder.path, 'runs') };
      const { close, ...sources } = await createSources(setup);
      const analyst = await createAnalyst(setup);
      assert.deepEqual([analyst.provider, analyst.model], ['openai-compatible', 'imitation-1']);
      const graph = buildResearchGraph({ ...analyst, ...sources, config });
      const { finalReport } = await graph.invoke(
        { originalQuery: 'What does the moon pull, and how often?', today: '2026-11-24', language: 'en' },
        { configurable: { thread_id: 'one' }, recursionLimit: 300 },
      );
      await close();
      assert.match(finalReport ?? '', /tides\.md/);
      assert.ok(server.requests.length > 3);
    } finally {
      await server.close();
      await folder.remove();
    }
  });

  it('says what is wrong with the settings before anything runs', async () => {
    await assert.rejects(createAnalyst({ config: { 'model.provider': 'nobody' } }), { reason: 'config' });
    await assert.rejects(createSources({ config: { depth: 'bottomless' } }), { reason: 'config' });
  });
});
