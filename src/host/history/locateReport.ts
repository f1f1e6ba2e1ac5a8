import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { reportFolderSetting } from '../commandIds.ts';
import { isSameFolder } from '../../files/sameFolder.ts';
import { keyOf } from '../../files/statementKey.ts';
import { findReportFile, runOfFile } from './reportFiles.ts';
import { mayRead } from '../restrictedMode.ts';
import { hasReport, type RunEntry } from '../../runs/runEntry.ts';

/** A workspace may hold more Markdown than is worth searching; the report folder comes first. */
const mostFiles = 2_000;
const notSearched = '**/{node_modules,.git,.venv,venv,dist,out,target}/**';

/**
 * The file of a run's report, wherever it was moved: its front matter names the run. A Markdown file at the recorded place that names
 * no run and has the report's title counts too: its front matter was edited away. A record from elsewhere may name any file. Undefined
 * when there is none. In Restricted Mode the recorded place alone counts, and what is there is not read.
 */
export async function locateReport(run: RunEntry): Promise<string | undefined> {
  if (run.path !== undefined && !mayRead(vscode.Uri.file(run.path))) return existsSync(run.path) ? run.path : undefined;
  const there = run.path === undefined ? 'gone' : await runOfFile(run.path);
  if (there !== 'gone' && there.run === run.run) return run.path;
  const isLike =
    there !== 'gone' &&
    keyOf(run.title ?? '') !== '' &&
    keyOf(there.title ?? '') === keyOf(run.title!) &&
    isMarkdownHere(run.path!);
  return (await search(run)) ?? (isLike ? run.path : undefined);
}

async function search(entry: RunEntry): Promise<string | undefined> {
  const { run, path: before, workspace } = entry;
  // A run that never wrote a report has none to be found.
  if (before === undefined && !hasReport(entry)) return undefined;
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    if (
      folder.uri.scheme !== 'file' ||
      !mayRead(folder.uri) ||
      (workspace !== undefined && !isSameFolder(workspace, folder.uri.fsPath))
    )
      continue;
    const reports = vscode.workspace.getConfiguration(undefined, folder.uri).get<string>(reportFolderSetting) ?? '';
    for (const pattern of new Set([path.posix.join(reports.replaceAll('\\', '/'), '**/*.md'), '**/*.md'])) {
      const files = await vscode.workspace.findFiles(
        new vscode.RelativePattern(folder, pattern),
        notSearched,
        mostFiles,
      );
      const found = await findReportFile(
        run,
        files.map(({ fsPath }) => fsPath),
      );
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function isMarkdownHere(file: string): boolean {
  return /\.md$/i.test(file) && vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) !== undefined;
}
