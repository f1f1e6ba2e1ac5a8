import * as vscode from 'vscode';
import process from 'node:process';
import { commandLineRuns } from '../../files/dataFolder.ts';
import { shellWord } from '../../files/shellWord.ts';
import { isInProgress, type RunEntry, titleOf } from '../../runs/runEntry.ts';
import { inform, offer } from '../inform.ts';
import { noticeLine } from './plainText.ts';

/** Runs that the command line or an agent's program saved: they are opened here, and changed there. */
export function informOutside(run: RunEntry): void {
  const title = noticeLine(titleOf(run));
  inform(
    isInProgress(run)
      ? vscode.l10n.t('“{0}” is in progress on the command line, or in an agent’s program.', title)
      : vscode.l10n.t('“{0}” is a run of the command line: it can be opened here, and is changed there.', title),
  );
}

/** One without a report is resumed where it began. */
export async function offerCommand(run: RunEntry): Promise<void> {
  const message = vscode.l10n.t('“{0}” has no report. The command line resumes it.', noticeLine(titleOf(run)));
  if (await offer(message, vscode.l10n.t('Copy Command')))
    await vscode.env.clipboard.writeText(`deep-research --resume ${run.run}${placeOf(run)}`);
}

/** A run of a batch is in the batch's folder. */
function placeOf({ outside }: RunEntry): string {
  return outside === undefined || outside === commandLineRuns()
    ? ''
    : ` --run-dir ${shellWord(outside, process.platform)}`;
}
