import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { panelHtml } from './panelHtml.ts';

export function pageOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')] };
}

/** The page of a webview whose bundle has this name. */
export function pageOf(webview: vscode.Webview, extensionUri: vscode.Uri, bundle: string, title: string): string {
  const file = (...parts: string[]) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', ...parts)).toString();
  return panelHtml({
    cspSource: webview.cspSource,
    script: file(`${bundle}.js`),
    styles: [file('codicons', 'codicon.css'), file(`${bundle}.css`)],
    nonce: randomBytes(24).toString('base64url'),
    language: vscode.env.language,
    title,
  });
}
