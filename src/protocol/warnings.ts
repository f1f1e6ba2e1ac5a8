/** Everything that a run warns about. The kind decides what the program does with a warning, never its text or code. */
export const warningKinds = [
  // The run's files
  'storage',
  'storage.notSaved',
  // What differs since the run was interrupted
  'resume.checkpoint',
  'resume.damaged',
  'resume.version',
  'resume.settings',
  'resume.model',
  'resume.skipped',
  // Settings, sources and models
  'settings.unknown',
  /** A value of the folder. */
  'settings.unusable',
  'source.unavailable',
  'source.failed',
  'source.bug',
  'source.notice',
  // What a search of the folder left out
  'folder.scanned',
  'folder.unread',
  'folder.cut',
  'sources.notAsked',
  /** In place of a warning for each source. */
  'sources.offline',
  /** What of the workspace was taken out of a query. */
  'query.cut',
  /** Words of a query that neither the question nor a public source has. */
  'query.unasked',
  /** A call that was not made, for what it would have sent. */
  'query.refused',
  'model.retry',
  'model.loading',
  /** The trial of the model: it only writes, or the report is made of quotes. */
  'model.helps',
  'model.quotes',
  /** Its trial was not complete in time: the report is made of quotes. */
  'model.late',
  /** Its trial had no outcome: it only writes. */
  'model.untried',
  /** The trial of a role's own model: the main model is in its place. */
  'model.replaced',
  'attached.unread',
  /** A page that is blocked, must be paid for or can't be reached. */
  'page.unread',
  // Steps
  'discover.nothing',
  'discover.failed',
  'plan.bounded',
  'plan.remarkByWords',
  'research.cutShort',
  'research.byRules',
  'section.failed',
  'section.unread',
  'section.uncondensed',
  'distil.quotesOnly',
  'review.failed',
  'reflect.failed',
  'report.cutShort',
  'report.tooLong',
  'challenge.notInReport',
  /** A limit of `budget.*`. */
  'budget.reached',
  'budget.noPrice',
  /** Done without the model, which could not be used for it. */
  'step.byRules',
  /** No further call would be answered: a key that is no longer valid, a consent that was withdrawn, a quota that is used up. */
  'model.refused',
  'passages.refused',
  /** What of a source speaks to a reader or a model: nothing is made of it. */
  'source.aside',
  'report.unsaved',
  /** Given by the program that started the run. */
  'host',
] as const;
export type WarningKind = (typeof warningKinds)[number];
