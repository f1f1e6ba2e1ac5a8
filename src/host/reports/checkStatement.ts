import * as vscode from 'vscode';
import { cancellable } from '../cancellation.ts';
import { commandIds } from '../commandIds.ts';
import { inform, offer } from '../inform.ts';
import { l10n } from '../l10n.ts';
import type { EngineOptions, ResearchEngine } from '../../protocol/ports.ts';
import type { CitedReports } from './citedReports.ts';

export interface CheckHost {
  loadEngine(): Promise<ResearchEngine>;
  options(): EngineOptions;
}

/** Has a second reader judge the statement at a place of a report, once the user has seen what that costs. */
export async function checkStatement(
  host: CheckHost,
  reports: CitedReports,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<void> {
  const { window } = vscode;
  const statement = (await reports.open(document)).find(({ range }) => range.contains(position));
  if (!statement) return;
  const engine = await host.loadEngine();
  const check = await engine.prepareStatement({
    ...host.options(),
    text: statement.text,
    ...(await reports.groundsOf(document, statement)),
  });
  if (!check) {
    const message = l10n.t('A statement is judged by a model, and none is set up. Choose one: a local one does.');
    if (await offer(message, l10n.t('Select Model…'))) await vscode.commands.executeCommand(commandIds.selectModel);
    return;
  }
  const tokens = Math.ceil(check.tokens / 100) * 100;
  const cost =
    check.cost === null
      ? l10n.t('About {0, plural, one {# token} other {# tokens}}.', tokens)
      : l10n.t('About {0, plural, one {# token} other {# tokens}}, {1} USD.', tokens, check.cost.toFixed(4));
  const start = l10n.t('Check');
  const question = l10n.t('Check this statement against its sources with {0}?', check.model);
  if ((await window.showInformationMessage(question, { modal: true, detail: cost }, start)) !== start) return;
  const judged = await cancellable(l10n.t('Checking the statement'), (signal) => check.read(signal));
  if (judged?.verdict === 'supported') {
    await reports.confirm(document, statement);
    return inform(l10n.t('The sources support this statement.'));
  }
  const said = {
    partly: l10n.t('The sources support this statement only in part.'),
    contradicted: l10n.t('The sources contradict this statement.'),
    absent: l10n.t('The sources don’t say this.'),
    inferred: l10n.t('The sources don’t say this: the statement concludes it from them.'),
  };
  if (!judged) {
    void window.showWarningMessage(l10n.t('The model gave no answer that counts: it failed its control statements.'));
    return;
  }
  const use = l10n.t('Use Correction');
  const message = `${said[judged.verdict]} ${judged.correction === '' ? '' : l10n.t('They support: “{0}”', judged.correction)}`;
  const chosen = await window.showWarningMessage(message.trim(), ...(judged.correction === '' ? [] : [use]));
  if (chosen !== use || document.getText(statement.range) !== statement.text) return;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, statement.range, judged.correction);
  await vscode.workspace.applyEdit(edit);
}
