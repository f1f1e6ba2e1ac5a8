import * as vscode from 'vscode';
import { type CommandId, commandIds } from './commandIds.ts';
import { readActiveReport } from './reports/reportDesk.ts';
import type { ResearchHost } from './researchHost.ts';

/** Registers every command of the manifest. What a command throws is told to the user, not lost. */
export function registerCommands(host: ResearchHost): vscode.Disposable {
  const handlers: Readonly<Record<CommandId, (argument: unknown) => Promise<void> | void>> = {
    // A keybinding or another extension may give the question along.
    [commandIds.start]: (question) => host.start(typeof question === 'string' ? question : undefined),
    [commandIds.newResearch]: () => host.start(),
    [commandIds.stop]: () => host.stop(),
    [commandIds.researchSelection]: () => host.researchSelection(),
    [commandIds.openLastReport]: () => host.openLastReport(),
    [commandIds.readReport]: () => readActiveReport(),
    [commandIds.setKey]: () => host.setKey(),
    [commandIds.clearKey]: () => host.clearKey(),
    [commandIds.showLog]: () => host.showLog(),
  };
  const registered = Object.entries(handlers).map(([id, handle]) =>
    vscode.commands.registerCommand(id, async (argument: unknown) => {
      try {
        await handle(argument);
      } catch (error) {
        host.complain(error);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}
