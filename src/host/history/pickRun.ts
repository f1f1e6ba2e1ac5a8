import * as vscode from 'vscode';
import { choiceLine } from './plainText.ts';
import { type RunEntry, titleOf } from './runEntry.ts';
import { runDescription, runIcon, runLabel } from './runItem.ts';

/** Lets the user find one of the runs by its title, question or state. */
export async function pickRun(runs: readonly RunEntry[]): Promise<RunEntry | undefined> {
  if (runs.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There are no saved runs yet.'));
    return undefined;
  }
  const now = new Date();
  const items = runs.map((run) => ({
    label: choiceLine(runLabel(run)),
    description: choiceLine(runDescription(run, now)),
    iconPath: runIcon(run),
    // What the run is about, when its label does not say it.
    ...(!run.question || titleOf(run) === run.question ? {} : { detail: choiceLine(run.question) }),
    run,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Open Run'),
    placeHolder: vscode.l10n.t('Search titles, questions and states'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.run;
}
