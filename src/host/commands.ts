import * as vscode from 'vscode';
import { type CommandId, commandIds, type HistoryCommandId, historyCommandIds } from './commandIds.ts';
import { readActiveReport } from './reports/reportService.ts';
import type { ResearchHost } from './researchHost.ts';

/** Registers every command of the manifest. What a command throws is shown to the user. */
export function registerCommands(host: ResearchHost): vscode.Disposable {
  const handlers: Readonly<Record<CommandId, (...args: readonly unknown[]) => Promise<void> | void>> = {
    // A keybinding or another extension may pass the question.
    [commandIds.start]: (question) => host.start(typeof question === 'string' ? question : undefined),
    [commandIds.newResearch]: () => host.start(),
    [commandIds.stop]: () => host.stop(),
    [commandIds.researchSelection]: () => host.researchSelection(),
    // The explorer passes the file that was clicked and all that are selected.
    [commandIds.addToQuestion]: (clicked, selected) => host.addToQuestion(clicked, selected),
    [commandIds.openLastReport]: () => host.openLastReport(),
    [commandIds.readReport]: () => readActiveReport(),
    [commandIds.setKey]: () => host.setKey(),
    [commandIds.clearKey]: () => host.clearKey(),
    [commandIds.selectModel]: () => host.selectModel(),
    [commandIds.checkSources]: () => host.checkSources(),
    [commandIds.useEditorTools]: () => host.useEditorTools(),
    [commandIds.showLog]: () => host.showLog(),
    ...historyHandlers(host),
  };
  const registered = Object.entries(handlers).map(([id, handle]) =>
    vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        await handle(...args);
      } catch (error) {
        host.showError(error);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}

/** The history is one module, which is loaded on first use. */
function historyHandlers(
  host: ResearchHost,
): Readonly<Record<HistoryCommandId, (...args: readonly unknown[]) => Promise<void>>> {
  const handlers = Object.values(historyCommandIds).map(
    (id) => [id, (...args: readonly unknown[]) => host.history.run(id, args)] as const,
  );
  return Object.fromEntries(handlers) as ReturnType<typeof historyHandlers>;
}
