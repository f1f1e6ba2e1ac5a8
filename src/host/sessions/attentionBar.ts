import * as vscode from 'vscode';
import type { Phase } from '../../protocol/events.ts';
import { isLive, type RunView } from '../../protocol/runView.ts';
import { contextKeys, focusPanelCommand } from '../commandIds.ts';
import { noticeLine } from '../history/plainText.ts';
import type { PanelProvider } from '../panel/panelProvider.ts';
import { type Attention, attentionOf } from './attention.ts';
import { errorText } from '../shownErrors.ts';

/**
 * Shows a run outside of the panel: status bar, badge, and a notification when it waits or ends while the panel is
 * hidden.
 */
export class AttentionBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('deepResearch.status', vscode.StatusBarAlignment.Left, 0);
  readonly #panel: PanelProvider;
  #kind: Attention['kind'] = 'none';
  #seen = true;
  /** Undefined: what a host that was killed has left. */
  #running: boolean | undefined;

  constructor(panel: PanelProvider) {
    this.#panel = panel;
    this.#item.name = vscode.l10n.t('Deep Research');
    // Not Start, which would dismiss the shown run.
    this.#item.command = focusPanelCommand;
  }

  /** Called after every change of the run and of the panel's visibility. */
  update(view: RunView): void {
    const live = isLive(view);
    if (live !== this.#running) {
      this.#running = live;
      void vscode.commands.executeCommand('setContext', contextKeys.running, live);
    }
    if (live) this.#seen = false;
    else if (this.#panel.visible) this.#seen = true;
    const attention = attentionOf(view, { visible: this.#panel.visible, seen: this.#seen });
    this.#show(attention, attention.kind !== this.#kind);
    this.#kind = attention.kind;
  }

  dispose(): void {
    this.#item.dispose();
  }

  #show(attention: Attention, changed: boolean): void {
    if (attention.kind === 'running') {
      const progress = attention.of > 0 && attention.phase === 'research' ? ` ${attention.done}/${attention.of}` : '';
      this.#item.text = `$(loading~spin) ${phaseLabel(attention.phase)}${progress}`;
      this.#item.tooltip = vscode.l10n.t('A run is in progress. Click to show it.');
    }
    if (!changed) return;
    if (attention.kind === 'none') this.#item.hide();
    else this.#item.show();
    switch (attention.kind) {
      case 'waiting':
        return this.#call(waitingLabel(attention.waitingFor), '$(question)', 'statusBarItem.warningBackground');
      case 'finished':
        return this.#call(finishedLabel(attention.what), attention.what === 'notFound' ? '$(search-stop)' : '$(check)');
      case 'failed':
        return this.#call(
          vscode.l10n.t('The run failed: {0}', errorText(attention.message)),
          '$(error)',
          'statusBarItem.errorBackground',
        );
      case 'running':
        this.#item.backgroundColor = undefined;
        return this.#panel.setBadge(undefined);
      case 'held':
        this.#item.text = `$(debug-pause) ${vscode.l10n.t('Research paused')}`;
        this.#item.tooltip = errorText(attention.message);
        this.#item.backgroundColor = undefined;
        return this.#panel.setBadge(undefined);
      case 'none':
        return this.#panel.setBadge(undefined);
    }
  }

  /** Notifies the user: status bar, badge, and a notification that does not take the focus. */
  #call(message: string, icon: string, background?: string): void {
    this.#item.text = `${icon} ${vscode.l10n.t('Deep Research')}`;
    this.#item.tooltip = message;
    this.#item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    this.#panel.setBadge({ value: 1, tooltip: message });
    const open = vscode.l10n.t('Show');
    const notify = icon === '$(error)' ? vscode.window.showErrorMessage : vscode.window.showInformationMessage;
    notify(message, open).then((chosen) => {
      if (chosen === open) void this.#panel.focus();
    });
  }
}

function finishedLabel(what: Extract<Attention, { kind: 'finished' }>['what']): string {
  const labels: Readonly<Record<typeof what, string>> = {
    report: vscode.l10n.t('Your report is ready.'),
    gaps: vscode.l10n.t('Your report is ready, with gaps.'),
    notFound: vscode.l10n.t('Nothing that was searched answers your question.'),
    answer: vscode.l10n.t('Your question is answered.'),
    version: vscode.l10n.t('A new version is ready.'),
    unchanged: vscode.l10n.t('The new text is the same as that of the report, so there is no new version.'),
  };
  return labels[what];
}

function waitingLabel(what: NonNullable<RunView['waitingFor']>): string {
  if (what === 'entities') return vscode.l10n.t('The list of what was found is waiting for your approval.');
  if (what === 'plan') return vscode.l10n.t('The plan is waiting for your approval.');
  if (what === 'review') return vscode.l10n.t('The review is waiting for your decision.');
  return vscode.l10n.t('Your research has a question for you.');
}

function phaseLabel(phase: Phase | null): string {
  const labels: Readonly<Record<Phase, string>> = {
    assess: vscode.l10n.t('Understanding the question'),
    verify: vscode.l10n.t('Looking up terms'),
    analyze: vscode.l10n.t('Analyzing the question'),
    discover: vscode.l10n.t('Discovering items'),
    plan: vscode.l10n.t('Planning'),
    research: vscode.l10n.t('Researching'),
    review: vscode.l10n.t('Reviewing'),
    report: vscode.l10n.t('Writing the report'),
  };
  return phase === null ? vscode.l10n.t('Starting') : labels[phase];
}

/** Asks what becomes of the run in progress when another one is wanted: a window has one. Undefined: it continues. */
export async function askToStop(question: string): Promise<'show' | 'stop' | undefined> {
  const [show, stop] = [vscode.l10n.t('Show'), vscode.l10n.t('Stop and Start New')];
  const message = vscode.l10n.t('“{0}” is still running. A window can have one run at a time.', noticeLine(question));
  const chosen = await vscode.window.showInformationMessage(message, show, stop);
  return chosen === show ? 'show' : chosen === stop ? 'stop' : undefined;
}
