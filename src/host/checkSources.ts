import * as vscode from 'vscode';
import type { Log, SourceHealth } from '../protocol/ports.ts';
import { cancellable } from './cancellation.ts';
import { localized } from './manifest.ts';
import { errorText } from './shownErrors.ts';

const icons: Readonly<Record<SourceHealth['state'], string>> = {
  works: 'pass',
  limited: 'warning',
  wrong: 'error',
  missing: 'circle-slash',
  unreachable: 'debug-disconnect',
  optional: 'add',
};

/** Runs a check behind a notification that cancels it. */
export function runCheck(
  check: (signal: AbortSignal) => Promise<readonly SourceHealth[]>,
): Thenable<readonly SourceHealth[]> {
  return cancellable(vscode.l10n.t('Checking the sources and the model…'), check);
}

/**
 * Shows what a check found, the model and problems first. A row of a picker has one line, so each has its full text in a dialog.
 * Resolves with the fix that the user chose.
 */
export async function showHealth(found: readonly SourceHealth[]): Promise<SourceHealth['fix']> {
  const order: readonly SourceHealth['state'][] = ['wrong', 'unreachable', 'missing', 'limited', 'works', 'optional'];
  const rank = ({ name, state }: SourceHealth) => (name === 'model' ? -1 : order.indexOf(state));
  const items = [...found]
    .sort((a, b) => rank(a) - rank(b))
    .map((health) => ({ ...health, label: errorText(localized(health.label)), message: errorText(health.message) }))
    .map((health) => ({
      label: `$(${icons[health.state]}) ${health.label}`,
      description: stateText(health.state),
      detail: firstSentence(health.message),
      health,
    }));
  for (;;) {
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Sources and model'),
      placeHolder: vscode.l10n.t('Select one to read what to do'),
      matchOnDetail: true,
    });
    if (picked === undefined) return undefined;
    const { label, state, message, fix } = picked.health;
    const buttons = fix === undefined ? [] : [fixText(fix.action)];
    const options = { modal: true, detail: message };
    const chosen = await vscode.window.showInformationMessage(`${label}: ${stateText(state)}`, options, ...buttons);
    if (chosen !== undefined) return fix;
  }
}

function firstSentence(text: string): string {
  return text.split(/(?<=[.!?])\s|(?<=[。！？])/, 1)[0] ?? text;
}

function fixText(action: NonNullable<SourceHealth['fix']>['action']): string {
  return {
    setKey: vscode.l10n.t('Use API Key…'),
    selectModel: vscode.l10n.t('Select Model'),
    openSettings: vscode.l10n.t('Open Settings'),
  }[action];
}

/** For the panel; the log has the rest. */
export function summaryOf(found: readonly SourceHealth[], log: Log): { working: number; all: number } {
  for (const { label, state, message } of found) log.info(`Check: ${label}: ${state}. ${message}`);
  const wanted = found.filter(({ state }) => state !== 'optional');
  return { working: wanted.filter(({ state }) => state === 'works').length, all: wanted.length };
}

function stateText(state: SourceHealth['state']): string {
  return {
    works: vscode.l10n.t('works'),
    limited: vscode.l10n.t('limited'),
    wrong: vscode.l10n.t('does not work'),
    missing: vscode.l10n.t('not set up'),
    unreachable: vscode.l10n.t('not reachable'),
    optional: vscode.l10n.t('can be added'),
  }[state];
}
