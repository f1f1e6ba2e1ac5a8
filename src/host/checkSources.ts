import * as vscode from 'vscode';
import type { SourceHealth } from '../protocol/ports.ts';

const icons: Readonly<Record<SourceHealth['state'], string>> = {
  works: 'pass',
  limited: 'warning',
  wrong: 'error',
  missing: 'circle-slash',
  unreachable: 'debug-disconnect',
  optional: 'add',
};

interface Item extends vscode.QuickPickItem {
  readonly health: SourceHealth;
}

/** Runs a check behind a notification that cancels it. Undefined when it was cancelled. */
export async function runCheck(
  check: (signal: AbortSignal) => Promise<readonly SourceHealth[]>,
): Promise<readonly SourceHealth[] | undefined> {
  const title = vscode.l10n.t('Checking the sources and the model…');
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_, token) => {
    const stop = new AbortController();
    const listener = token.onCancellationRequested(() => stop.abort());
    try {
      return await check(stop.signal);
    } catch (error) {
      if (stop.signal.aborted) return undefined;
      throw error;
    } finally {
      listener.dispose();
    }
  });
}

/** Shows what a check found, problems first. Gives the one that the user wants to fix. */
export async function showHealth(found: readonly SourceHealth[]): Promise<SourceHealth | undefined> {
  const order: readonly SourceHealth['state'][] = ['wrong', 'unreachable', 'missing', 'limited', 'works', 'optional'];
  const items = [...found]
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
    .map((health): Item => {
      return {
        label: `$(${icons[health.state]}) ${health.label}`,
        description: stateText(health.state),
        detail: health.message,
        health,
      };
    });
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Sources and model'),
    placeHolder: vscode.l10n.t('Select one to fix it'),
    matchOnDetail: true,
  });
  return picked?.health;
}

/** For the panel. */
export function summaryOf(found: readonly SourceHealth[]): { working: number; all: number; problems: string[] } {
  const wanted = found.filter(({ state }) => state !== 'optional');
  const problems = wanted
    .filter(({ state }) => state !== 'works')
    .map(({ label, message }) => (message.startsWith(label) ? message : `${label}: ${message}`));
  return { working: wanted.length - problems.length, all: wanted.length, problems };
}

function stateText(state: SourceHealth['state']): string {
  switch (state) {
    case 'works':
      return vscode.l10n.t('works');
    case 'limited':
      return vscode.l10n.t('limited');
    case 'wrong':
      return vscode.l10n.t('does not work');
    case 'missing':
      return vscode.l10n.t('not set up');
    case 'unreachable':
      return vscode.l10n.t('not reachable');
    case 'optional':
      return vscode.l10n.t('can be added');
  }
}
