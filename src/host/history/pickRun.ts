import * as vscode from 'vscode';
import { type RunEntry, titleOf } from '../../runs/runEntry.ts';
import { inform } from '../inform.ts';
import { type ExportKind, exportKinds } from './exportSavedRun.ts';
import { choiceLine } from './plainText.ts';
import { runDescription, runIcon, runLabel } from './runItem.ts';

/** Lets the user choose what a report is exported as. @param isForeign Its run is not on this machine: what needs no more than the report. */
export async function pickExport(isForeign: boolean): Promise<ExportKind | undefined> {
  const kinds = exportKinds().filter(({ format }) => !isForeign || format === 'html' || format === 'docx');
  return vscode.window.showQuickPick(kinds, { title: vscode.l10n.t('Export Report') });
}

/** Lets the user find one of the runs by its title, question or state. */
export async function pickRun(runs: readonly RunEntry[]): Promise<RunEntry | undefined> {
  if (runs.length === 0) {
    inform(vscode.l10n.t('There are no saved runs yet.'));
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
