import * as vscode from 'vscode';
import type { ResearchHost } from '../../../src/host/researchHost.ts';

export function extension(): vscode.Extension<ResearchHost> {
  const found = vscode.extensions.getExtension<ResearchHost>('deep-research.deep-research');
  if (!found) throw new Error('The extension is not there.');
  return found;
}

/** The extension's own host, which it hands out in test mode only. */
export async function activateExtension(): Promise<ResearchHost> {
  return extension().activate();
}

/** LangChain keeps one global of its own, from the moment that it is loaded into the process. */
export function engineIsLoaded(): boolean {
  return Object.getOwnPropertySymbols(globalThis).some(
    (symbol) => symbol.description?.includes('lc:') || symbol.description?.includes('tracing_async_local_storage'),
  );
}

/** Runs a command of the editor, such as one that closes a list, until something has ended that waits for the user. */
export async function runUntil<T>(command: string, ended: PromiseLike<T>): Promise<T> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver) await vscode.commands.executeCommand(command);
  return ended;
}

/** Resolves with the first value that `read` gives when `event` fires, or gives already. */
export function when<T>(event: vscode.Event<unknown>, read: () => T | undefined): Promise<T> {
  const now = read();
  if (now !== undefined) return Promise.resolve(now);
  return new Promise((resolve) => {
    const subscription = event(() => {
      const value = read();
      if (value === undefined) return;
      subscription.dispose();
      resolve(value);
    });
  });
}
