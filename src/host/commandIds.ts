/** Everything that the manifest and the code must call by the same name (test/unit/manifest.test.ts compares them). */

export const commandIds = {
  start: 'deepResearch.start',
  newResearch: 'deepResearch.newResearch',
  stop: 'deepResearch.stop',
  researchSelection: 'deepResearch.researchSelection',
  openLastReport: 'deepResearch.openLastReport',
  readReport: 'deepResearch.readReport',
  setKey: 'deepResearch.setKey',
  clearKey: 'deepResearch.clearKey',
  showLog: 'deepResearch.showLog',
} as const;
export type CommandId = (typeof commandIds)[keyof typeof commandIds];

export const panelViewId = 'deepResearch.panel';
/** VS Code makes this command for every view: it opens the view's container and focuses the view. */
export const focusPanelCommand = `${panelViewId}.focus`;

export const settingsPrefix = 'deepResearch.';

export const contextKeys = {
  /** A run is on. */
  running: 'deepResearch.running',
  /** The active editor shows one of our reports. */
  reportIsActive: 'deepResearch.reportIsActive',
} as const;
