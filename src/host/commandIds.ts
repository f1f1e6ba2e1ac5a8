/** What the manifest and the code must call by the same name (test/unit/manifest.test.ts compares them). */

/** The commands of the history's view. */
export const historyCommandIds = {
  findRun: 'deepResearch.findRun',
  openRun: 'deepResearch.openRun',
  resumeRun: 'deepResearch.resumeRun',
  rerunRun: 'deepResearch.rerunRun',
  askRun: 'deepResearch.askRun',
  challengeSelection: 'deepResearch.challengeSelection',
  refreshRun: 'deepResearch.refreshRun',
  removeSection: 'deepResearch.removeSection',
  compareVersion: 'deepResearch.compareVersion',
  renameRun: 'deepResearch.renameRun',
  exportReport: 'deepResearch.exportReport',
  shareReport: 'deepResearch.shareReport',
  printReport: 'deepResearch.printReport',
  exportHtml: 'deepResearch.exportHtml',
  exportPdf: 'deepResearch.exportPdf',
  exportDocx: 'deepResearch.exportDocx',
  exportBibtex: 'deepResearch.exportBibtex',
  exportCslJson: 'deepResearch.exportCslJson',
  exportZip: 'deepResearch.exportZip',
  revealRun: 'deepResearch.revealRun',
  deleteRun: 'deepResearch.deleteRun',
  undoDelete: 'deepResearch.undoDelete',
  showRun: 'deepResearch.showRun',
  showAllRuns: 'deepResearch.showAllRuns',
  showRunsHere: 'deepResearch.showRunsHere',
} as const;
export type HistoryCommandId = (typeof historyCommandIds)[keyof typeof historyCommandIds];

export const commandIds = {
  start: 'deepResearch.start',
  newResearch: 'deepResearch.newResearch',
  stop: 'deepResearch.stop',
  researchSelection: 'deepResearch.researchSelection',
  addToQuestion: 'deepResearch.addToQuestion',
  openLastReport: 'deepResearch.openLastReport',
  readReport: 'deepResearch.readReport',
  checkStatement: 'deepResearch.checkStatement',
  openCited: 'deepResearch.openCited',
  openSource: 'deepResearch.openSource',
  copyReference: 'deepResearch.copyReference',
  leaveOutSource: 'deepResearch.leaveOutSource',
  filterSources: 'deepResearch.filterSources',
  openReportText: 'deepResearch.openReportText',
  setKey: 'deepResearch.setKey',
  clearKey: 'deepResearch.clearKey',
  selectModel: 'deepResearch.selectModel',
  checkSources: 'deepResearch.checkSources',
  useEditorTools: 'deepResearch.useEditorTools',
  useFromAgents: 'deepResearch.useFromAgents',
  showLog: 'deepResearch.showLog',
  ...historyCommandIds,
} as const;
export type CommandId = (typeof commandIds)[keyof typeof commandIds];

export const panelViewId = 'deepResearch.panel';
/** VS Code makes this command for every view: it opens the view's container and focuses the view. */
export const focusPanelCommand = `${panelViewId}.focus`;
/** The custom editor of reports. */
export const reportViewType = 'deepResearch.report';
/** The tab of a report that is being written; once it is saved the tab shows its file. */
export const liveReportViewType = 'deepResearch.liveReport';
export const historyViewId = 'deepResearch.history';
export const sourcesViewId = 'deepResearch.sources';

/** The language model tool, and the chat participant. */
export const toolName = 'research_question';
export const participantId = 'deep-research.research';
/** The MCP server that the editor's own agents are offered. */
export const mcpProviderId = 'deepResearch.server';

export const settingsPrefix = 'deepResearch.';
export const providerSetting = `${settingsPrefix}model.provider`;
export const openAsSetting = `${settingsPrefix}report.openAs`;
export const reportFolderSetting = `${settingsPrefix}report.folder`;
export const reportChartsSetting = `${settingsPrefix}report.charts`;
export const reportHintsSetting = `${settingsPrefix}report.hints`;

export const contextKeys = {
  // Steps of the walkthrough that are done.
  answered: 'deepResearch.answered',
  attached: 'deepResearch.attached',
  modelReady: 'deepResearch.modelReady',
  sourcesChecked: 'deepResearch.sourcesChecked',
  agentsReady: 'deepResearch.agentsReady',
  /** A run is in progress. */
  running: 'deepResearch.running',
  /** A key, or the consent to use an account, is saved. */
  keySaved: 'deepResearch.keySaved',
  /** The active editor shows one of our reports. */
  reportIsActive: 'deepResearch.reportIsActive',
  /** The history shows runs of every folder. */
  historyEverywhere: 'deepResearch.history.everywhere',
  /** The history is empty, and there are runs of other folders. */
  historyElsewhere: 'deepResearch.history.elsewhere',
} as const;
