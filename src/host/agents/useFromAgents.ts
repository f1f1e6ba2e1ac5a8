import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { noticeLine } from '../history/plainText.ts';
import { inform, offer } from '../inform.ts';
import { readableFolder } from '../workspaceFolder.ts';
import { agentName, type ServerCommand, tomlServer, withServer } from './agentFiles.ts';
import { type AgentHost, userSettings } from './agentServer.ts';
import { agentCommand, writeLauncher } from './launcher.ts';

const scheme = 'deep-research-agents';

/** A file as it is and as it would be. */
interface Change {
  readonly uri: vscode.Uri;
  /** Undefined: there is no such file yet. */
  readonly before: string | undefined;
  readonly after: string;
}

interface Agent {
  readonly label: string;
  /** Where its servers are configured. */
  readonly place: string;
  readonly language: 'json' | 'toml';
}

/** Lets the user choose an agent. True: its configuration was written, or copied. */
export async function useFromAgents(host: AgentHost): Promise<boolean> {
  const { context } = host;
  const folder = readableFolder();
  if (folder === undefined) {
    inform(vscode.l10n.t('Open a folder that you trust first: agents research it.'));
    return false;
  }
  const name = path.basename(folder);
  const inFolder = {
    label: `$(new-file) ${vscode.l10n.t('Add to {0}', noticeLine(name))}`,
    detail: vscode.l10n.t('.mcp.json and a skill, for Claude Code and others. You see the change first.'),
  };
  const others = agents().map((agent) => ({ label: agent.label, description: agent.place, agent }));
  const chosen = await vscode.window.showQuickPick<vscode.QuickPickItem & { readonly agent?: Agent }>(
    [inFolder, { label: vscode.l10n.t('Copy the lines for'), kind: vscode.QuickPickItemKind.Separator }, ...others],
    {
      title: vscode.l10n.t('Use from Agents'),
      placeHolder: vscode.l10n.t('Agents of this editor have the tools already'),
      matchOnDescription: true,
    },
  );
  if (!chosen) return false;
  const storage = context.globalStorageUri.fsPath;
  writeLauncher(storage, context.extensionPath, userSettings(host));
  if (chosen.agent) {
    await showLines(chosen.agent, agentCommand(storage, folder));
    return true;
  }
  const skill = path.join(context.extensionPath, 'agents', 'skills', agentName, 'SKILL.md');
  return addToFolder(folder, agentCommand(storage, '.'), await fs.readFile(skill, 'utf8'));
}

function agents(): readonly Agent[] {
  return [
    { label: 'Cursor', place: '~/.cursor/mcp.json', language: 'json' },
    { label: 'Claude Desktop', place: 'claude_desktop_config.json', language: 'json' },
    { label: 'Codex', place: '~/.codex/config.toml', language: 'toml' },
    { label: 'Gemini CLI', place: '~/.gemini/settings.json', language: 'json' },
    { label: vscode.l10n.t('Another agent'), place: vscode.l10n.t('where it lists MCP servers'), language: 'json' },
  ];
}

/** Copies the lines, and shows them with the place that they belong to. */
async function showLines({ label, place, language }: Agent, server: ServerCommand): Promise<void> {
  const lines = language === 'toml' ? tomlServer(server) : withServer('', server)!;
  await vscode.env.clipboard.writeText(lines);
  const [shown] = shownTexts([{ path: `/${label}.${language}`, text: lines }]);
  await vscode.window.showTextDocument(shown!, { preview: true });
  inform(vscode.l10n.t('The lines for {0} are copied. Their place: {1}', label, place));
}

/** Shows what would be written, and writes it when the user says so. False: nothing was written. */
async function addToFolder(folder: string, server: ServerCommand, skill: string): Promise<boolean> {
  const changes = await changesOf(folder, server, skill);
  if (changes === undefined) return false;
  if (changes.length === 0) {
    inform(vscode.l10n.t('The server and the skill are there already.'));
    return true;
  }
  const names = changes.map(({ uri }) => path.relative(folder, uri.fsPath)).join(', ');
  const shown = shownTexts([
    ...changes.map(({ uri: { path: name }, before = '' }) => ({ path: name, text: before })),
    ...changes.map(({ uri: { path: name }, after }) => ({ path: name, text: after })),
  ]);
  await vscode.commands.executeCommand(
    'vscode.changes',
    vscode.l10n.t('Use from Agents'),
    changes.map(({ uri, before }, index) => [
      uri,
      before === undefined ? undefined : shown[index],
      shown[changes.length + index],
    ]),
  );
  const question = vscode.l10n.t('Write {0} to this folder?', names);
  if (!(await offer(question, vscode.l10n.t('Write')))) return false;
  for (const { uri, before, after } of changes) {
    if ((await textOf(uri.fsPath)) !== before) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('{0} has changed meanwhile and stays as it is. Run the command again.', noticeLine(uri.fsPath)),
      );
      return false;
    }
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(after));
  }
  inform(vscode.l10n.t('Written: {0}. Start the agent again in this folder, and it has the tools.', names));
  return true;
}

/** Nothing that is there is replaced. Undefined: the user has to mend a file first. */
async function changesOf(folder: string, server: ServerCommand, skill: string): Promise<Change[] | undefined> {
  const configuration = path.join(folder, '.mcp.json');
  const before = await textOf(configuration);
  const after = withServer(before ?? '', server);
  if (after === undefined) {
    const open = vscode.l10n.t('Open');
    const chosen = await vscode.window.showErrorMessage(
      vscode.l10n.t('.mcp.json can’t be read as JSON, so nothing was written. Correct it and run the command again.'),
      open,
    );
    if (chosen === open) await vscode.window.showTextDocument(vscode.Uri.file(configuration));
    return undefined;
  }
  // Claude Code reads skills in its own folder alone; every other agent in either.
  const skills = existsSync(path.join(folder, '.claude')) ? '.claude' : '.agents';
  const skillFile = path.join(folder, skills, 'skills', agentName, 'SKILL.md');
  return [
    ...(after === before ? [] : [{ uri: vscode.Uri.file(configuration), before, after }]),
    ...(existsSync(skillFile) ? [] : [{ uri: vscode.Uri.file(skillFile), before: undefined, after: skill }]),
  ];
}

/** The text as the editor has it, with edits that are not saved yet; undefined when there is no such file. */
async function textOf(file: string): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === file);
  if (open) return open.getText();
  return existsSync(file) ? fs.readFile(file, 'utf8') : undefined;
}

let provided: vscode.Disposable | undefined;

/** Addresses of read-only documents with these texts, until others are shown. */
function shownTexts(texts: readonly { readonly path: string; readonly text: string }[]): vscode.Uri[] {
  provided?.dispose();
  provided = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ fragment }) => texts[Number(fragment)]?.text ?? '',
  });
  // The editor remembers the text of an address.
  const query = randomUUID();
  return texts.map(({ path: name }, index) => vscode.Uri.from({ scheme, path: name, query, fragment: `${index}` }));
}
