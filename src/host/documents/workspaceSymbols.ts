import * as vscode from 'vscode';
import type { SymbolPlace } from '../../protocol/ports.ts';

/** A language that is still starting answers late, or never. */
const longestMs = 8_000;
const most = 100;

/** Where the languages of the editor know a name to be defined in a folder. None when they know nothing, or take too long. */
export async function workspaceSymbols(
  folder: vscode.Uri,
  name: string,
  signal: AbortSignal,
): Promise<readonly SymbolPlace[]> {
  signal.throwIfAborted();
  const asked = vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    name,
  );
  const late = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  const given = new Promise<undefined>((resolve) => late.addEventListener('abort', () => resolve(undefined)));
  const found = await Promise.race([asked, given]);
  signal.throwIfAborted();
  const prefix = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  return (found ?? [])
    .filter(({ location }) => location.uri.scheme === 'file' && location.uri.path.startsWith(prefix))
    .slice(0, most)
    .map(({ name: own, kind, containerName, location: { uri, range } }) => ({
      // Some languages add the parameters.
      name: own.split('(', 1)[0]!,
      kind: vscode.SymbolKind[kind]?.toLowerCase() ?? '',
      container: containerName,
      path: uri.path.slice(prefix.length),
      firstLine: range.start.line + 1,
      lastLine: range.end.line + 1,
    }));
}
