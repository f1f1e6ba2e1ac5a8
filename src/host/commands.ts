import * as vscode from 'vscode';
import { type CommandId, commandIds, type HistoryCommandId, historyCommandIds } from './commandIds.ts';
import type { ResearchHost } from './researchHost.ts';

type OwnCommandId = Exclude<CommandId, HistoryCommandId>;
type Handler = (...args: readonly unknown[]) => unknown;

/** Registers every command of the manifest, with what its handler returns. What a command throws is shown to the user. */
export function registerCommands(host: ResearchHost): vscode.Disposable {
  const handlers: Readonly<Record<OwnCommandId, Handler>> = {
    // A keybinding or another extension may pass the question.
    [commandIds.start]: (question) => host.start(typeof question === 'string' ? question : undefined),
    [commandIds.newResearch]: () => host.start(),
    [commandIds.stop]: () => host.session.stop(),
    [commandIds.researchSelection]: () => host.researchSelection(),
    // The explorer passes the file that was clicked and all that are selected.
    [commandIds.addToQuestion]: (clicked, selected) => host.addToQuestion(clicked, selected),
    [commandIds.openLastReport]: () => host.openLastReport(),
    // Of the hints in a report, which say where.
    [commandIds.checkStatement]: (uri, position) => {
      if (uri instanceof vscode.Uri && position instanceof vscode.Position)
        return host.citations.check(host, uri, position);
    },
    // Of a hover in a report.
    [commandIds.openCited]: (uri, offset, copy) => {
      if (typeof uri === 'string' && typeof offset === 'number')
        return host.citations.open(vscode.Uri.parse(uri, true), offset, copy === true);
    },
    [commandIds.readReport]: () => host.reports.readActive(),
    [commandIds.openReportText]: () => host.reports.openActiveAsText(),
    [commandIds.openSource]: (node) => host.sources.run(commandIds.openSource, node),
    [commandIds.copyReference]: (node) => host.sources.run(commandIds.copyReference, node),
    [commandIds.leaveOutSource]: (node) => host.sources.run(commandIds.leaveOutSource, node),
    [commandIds.filterSources]: (node) => host.sources.run(commandIds.filterSources, node),
    [commandIds.setKey]: (service) => host.setKey(typeof service === 'string' ? service : undefined),
    [commandIds.clearKey]: () => host.clearKey(),
    [commandIds.selectModel]: () => host.selectModel(),
    [commandIds.checkSources]: () => host.checkSources(),
    [commandIds.useEditorTools]: () => host.useEditorTools(),
    [commandIds.useFromAgents]: () => host.useFromAgents(),
    [commandIds.showLog]: () => host.showLog(),
  };
  // The history is one module, which is loaded on first use.
  const ofReport: readonly string[] = [commandIds.exportReport, commandIds.shareReport, commandIds.printReport];
  const ofHistory = Object.values(historyCommandIds).map((id): [string, Handler] => [
    id,
    (...args) => host.history.run(id, ofReport.includes(id) ? host.runToExport(args) : args),
  ]);
  const registered = [...Object.entries(handlers), ...ofHistory].map(([id, handle]) =>
    vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        return await handle(...args);
      } catch (error) {
        host.showError(error);
        return undefined;
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}
