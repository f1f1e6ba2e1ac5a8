import * as vscode from 'vscode';
import { commandIds } from '../commandIds.ts';
import { dateWords } from './dateWords.ts';
import type { VersionNode } from './historyHost.ts';
import { oneLine } from './plainText.ts';

/** A version of a run's report, below the row of the run. */
export function versionItem(node: VersionNode, now: Date): vscode.TreeItem {
  const { entry, version } = node;
  const { number, kind, state, title, at } = version;
  const item = new vscode.TreeItem(vscode.l10n.t('Version {0}', number));
  item.id = `${entry.run} ${number}`;
  const kinds: Readonly<Record<typeof kind, string>> = {
    first: vscode.l10n.t('as it was first written'),
    edited: vscode.l10n.t('edited by hand'),
    remove: vscode.l10n.t('section removed'),
    research: vscode.l10n.t('researched further'),
    rewrite: vscode.l10n.t('written again'),
    challenge: vscode.l10n.t('challenged'),
    refresh: vscode.l10n.t('refreshed'),
    answer: '',
  };
  const states = { waiting: vscode.l10n.t('waits'), accepted: '', rejected: vscode.l10n.t('rejected') };
  const date = dateWords(new Date(at), now, vscode.env.language);
  item.description = [kinds[kind], oneLine(title, 80), states[state], date].filter((one) => one !== '').join(' · ');
  item.iconPath = new vscode.ThemeIcon(state === 'waiting' ? 'git-pull-request' : 'history');
  item.contextValue = 'version';
  item.command = { command: commandIds.compareVersion, title: vscode.l10n.t('Compare'), arguments: [node] };
  return item;
}
