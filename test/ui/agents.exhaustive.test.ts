import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { parse } from 'jsonc-parser';
import { type Editor, type EditorPage, startEditor } from '../support/editor.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import { findPanel, keepFailures } from './support/researchPage.ts';

const configuration = '{\n  // of the team\n  "mcpServers": {\n    "other": { "command": "other" }\n  }\n}\n';
interface Servers {
  readonly mcpServers: Readonly<Record<string, { command: string; args: string[]; env?: Record<string, string> }>>;
}

describe('Use from Agents', () => {
  const folder = temporaryFolder('agents');
  const file = path.join(folder, '.mcp.json');
  const skill = path.join(folder, '.agents', 'skills', 'deep-research', 'SKILL.md');
  let editor: Editor;
  let page: EditorPage;

  before(async () => {
    fs.writeFileSync(file, configuration);
    fs.writeFileSync(path.join(folder, 'tides.md'), '# Tides\n\nThe moon pulls the sea twice a day.\n');
    editor = await startEditor({
      workspace: folder,
      userSettings: {
        'deepResearch.sources.enabled': ['workspace'],
        'deepResearch.model.provider': 'extractive',
        'deepResearch.planApproval': 'always',
        // The editor's own list of servers is a part of them.
        'chat.disableAIFeatures': false,
      },
    });
    page = await editor.openPage();
  });
  keepFailures(() => page);
  after(async () => {
    await editor?.stop();
    removeFolder(folder);
  });

  const choose = (row: string) => page.pick('Deep Research: Use from Agents', row);

  it('shows the change, and writes nothing until the user says so', async () => {
    await choose('Add to');
    await page.page.locator('.multiDiffEntry', { hasText: '.mcp.json' }).first().waitFor();
    await page.page.locator('.multiDiffEntry', { hasText: 'SKILL.md' }).first().waitFor();
    const question = await page.notification('Write .mcp.json, .agents/skills/deep-research/SKILL.md');
    await page.screenshot('agents-change');
    assert.equal(fs.readFileSync(file, 'utf8'), configuration);
    assert.ok(!fs.existsSync(skill));
    await question.getByRole('button', { name: 'Write' }).click();
    await page.notification('has the tools');
    const written = fs.readFileSync(file, 'utf8');
    assert.ok(
      written.startsWith(configuration.slice(0, configuration.indexOf(' }\n') + 2)),
      'nothing that was there has changed',
    );
    assert.deepEqual(Object.keys((parse(written) as Servers).mcpServers), ['other', 'deep-research']);
    assert.match(fs.readFileSync(skill, 'utf8'), /^---\nname: deep-research\n/);
    await page.clearNotifications();
  });

  it('has written what starts the server, in that folder, with the settings of the user', async () => {
    const { command, args, env = {} } = (parse(fs.readFileSync(file, 'utf8')) as Servers).mcpServers['deep-research']!;
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command, args, env, cwd: folder, stderr: 'ignore' }));
    try {
      const found = await client.callTool({ name: 'search_workspace', arguments: { query: 'moon' } });
      assert.match(JSON.stringify(found.content), /twice a day/);
    } finally {
      await client.close();
    }
  });

  it('shows the run that an agent begins in the history, where the user approves its plan', async () => {
    const { command, args, env = {} } = (parse(fs.readFileSync(file, 'utf8')) as Servers).mcpServers['deep-research']!;
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command, args, env, cwd: folder, stderr: 'ignore' }));
    const call = async (name: string, given: Record<string, unknown>) => {
      const { content, structuredContent } = await client.callTool({ name, arguments: given });
      const { id, state, report } = (structuredContent ?? {}) as Readonly<Record<string, string>>;
      return { text: JSON.stringify(content), id, state, report };
    };
    try {
      const question = 'What pulls the sea twice a day?';
      const { id } = await call('start_research', { question });
      for (let state: string | undefined; state !== 'waiting';)
        ({ state } = await call('get_research', { id, waitSeconds: 20 }));
      assert.match((await call('get_research', { id })).text, /history of Deep Research in VS Code/);
      assert.match((await call('answer_research', { id, answer: 'yes' })).text, /decided by the user/);
      await page.pick('Deep Research: View Saved Run', question);
      const panel = await findPanel(page);
      await panel.get('resume').click();
      await panel.get('approve-plan').click();
      await panel.reaches('finished');
      await page.screenshot('agents-run');
      const { state, report } = await call('get_research', { id });
      assert.equal(state, 'finished');
      assert.match(String(report), /twice a day/);
    } finally {
      await client.close();
    }
  });

  it('adds nothing twice', async () => {
    const before = fs.readFileSync(file, 'utf8');
    await choose('Add to');
    await page.notification('are there already');
    assert.equal(fs.readFileSync(file, 'utf8'), before);
    await page.clearNotifications();
  });

  it('leaves a file alone that is no JSON', async () => {
    fs.writeFileSync(file, '{ "mcpServers": ');
    await choose('Add to');
    const refusal = await page.notification('can’t be read as JSON');
    await refusal.getByRole('button', { name: 'Open' }).click();
    await page.page.getByRole('tab', { name: /^\.mcp\.json/ }).waitFor();
    assert.equal(fs.readFileSync(file, 'utf8'), '{ "mcpServers": ');
    await page.clearNotifications();
  });

  it('shows and copies the lines for another agent, with their place', async () => {
    await choose('Codex');
    await page.notification('~/.codex/config.toml');
    await page.page.getByRole('tab', { name: /^Codex\.toml/ }).waitFor();
    await page.page.locator('.view-line', { hasText: '[mcp_servers.deep-research]' }).first().waitFor();
    await page.screenshot('agents-lines');
  });

  it('gives the agents of the editor the server, which starts', async () => {
    await page.pick('MCP: List Servers', 'Deep Research', 'Start Server');
    // The row says "Starting" first.
    await page.listed('MCP: List Servers', /Deep Research.*Running/);
  });
});
