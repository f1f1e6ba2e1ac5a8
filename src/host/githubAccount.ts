import * as vscode from 'vscode';

/** The least that a session can ask for: public data needs no more. */
export const githubScopes = ['user:email'];

/** The token of the GitHub account that the user let this extension use; never asks. */
export async function githubSignIn(service: string): Promise<string | undefined> {
  if (service !== 'github') return undefined;
  const session = await vscode.authentication.getSession('github', githubScopes, { silent: true });
  return session?.accessToken;
}
