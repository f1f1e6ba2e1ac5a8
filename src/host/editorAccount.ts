import * as vscode from 'vscode';
import type { KeyService } from '../protocol/ports.ts';

/** The token of the editor's own account that the user let this extension use for a service; never asks. */
export async function editorAccount({ signIn }: Pick<KeyService, 'signIn'>): Promise<string | undefined> {
  if (signIn === undefined) return undefined;
  const session = await vscode.authentication.getSession(signIn.provider, signIn.scopes, { silent: true });
  return session?.accessToken;
}
