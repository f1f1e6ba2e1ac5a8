import * as vscode from 'vscode';
import { focusPanelCommand } from '../commandIds.ts';
import { pageOf, pageOptions } from './webviewPage.ts';
import { type PanelHost, PanelLink } from './panelLink.ts';

/** The view in the activity bar: builds its page, and knows whether it is visible. */
export class PanelProvider implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly link: PanelLink;
  readonly #extensionUri: vscode.Uri;
  readonly #onVisible: (visible: boolean) => void;
  #view: vscode.WebviewView | undefined;
  #badge: vscode.ViewBadge | undefined;

  constructor(extensionUri: vscode.Uri, host: PanelHost, onVisible: (visible: boolean) => void) {
    this.#extensionUri = extensionUri;
    this.#onVisible = onVisible;
    this.link = new PanelLink(host, (message) => void this.#view?.webview.postMessage(message));
  }

  get visible(): boolean {
    return this.#view?.visible ?? false;
  }

  async focus(): Promise<void> {
    await this.show(false);
  }

  /** Brings the page to the front; with `preserveFocus` the focus stays where it is. */
  async show(preserveFocus: boolean): Promise<void> {
    if (this.#view && preserveFocus) this.#view.show(true);
    else await vscode.commands.executeCommand(focusPanelCommand, { preserveFocus });
  }

  setBadge(badge: vscode.ViewBadge | undefined): void {
    this.#badge = badge;
    if (this.#view) this.#view.badge = badge;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { webview } = view;
    this.#view = view;
    view.badge = this.#badge;
    webview.options = pageOptions(this.#extensionUri);
    const subscriptions = [
      webview.onDidReceiveMessage((message: unknown) => void this.link.receive(message)),
      view.onDidChangeVisibility(() => {
        // A hidden page is thrown away (retainContextWhenHidden is off); the next one says `ready`.
        if (!view.visible) this.link.closed();
        this.#onVisible(view.visible);
      }),
    ];
    view.onDidDispose(() => {
      vscode.Disposable.from(...subscriptions).dispose();
      if (this.#view !== view) return;
      this.#view = undefined;
      this.link.closed();
      this.#onVisible(false);
    });
    webview.html = pageOf(webview, this.#extensionUri, 'panel', vscode.l10n.t('Deep Research'));
    this.#onVisible(view.visible);
  }

  dispose(): void {
    this.link.closed();
  }
}
