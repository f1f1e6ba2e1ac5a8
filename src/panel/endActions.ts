import type { RunView } from '../protocol/runView.ts';

export type EndAction =
  | { readonly type: 'edit' }
  | { readonly type: 'resume' }
  | { readonly type: 'rerun' }
  | { readonly type: 'setKey' }
  | { readonly type: 'showLog' }
  /** `key`: the setting to show; absent: all of ours. */
  | { readonly type: 'openSettings'; readonly key?: string };

const resume: EndAction = { type: 'resume' };
const rerun: EndAction = { type: 'rerun' };
const edit: EndAction = { type: 'edit' };
const showLog: EndAction = { type: 'showLog' };
const settings = (key?: string): EndAction => ({ type: 'openSettings', ...(key === undefined ? {} : { key }) });

/** What the advice of an ended run asks for, by its reason (`ErrorReason` of the engine), the most helpful first. */
const advised: Readonly<Record<string, readonly EndAction[]>> = {
  auth: [{ type: 'setKey' }],
  quota: [settings('model'), resume],
  budget: [settings('budget'), resume],
  rateLimit: [resume, settings('limits.maxConcurrentResearchers')],
  network: [resume, settings('model.baseUrl')],
  timeout: [resume, settings('model.baseUrl')],
  streamBroken: [resume, settings('model.baseUrl')],
  contextLength: [settings('limits.maxContextTokens')],
  contentFilter: [edit, settings('model.name')],
  notFound: [settings('model')],
  badRequest: [settings('model'), edit],
  badAnswer: [resume, edit, settings('model.name')],
  config: [settings()],
  noEvidence: [edit, settings('sources.enabled')],
  cannotDo: [edit],
  needsAnswer: [resume, edit],
  storage: [resume, showLog],
  bug: [showLog],
};

/**
 * What can be done about a run that ended without a report. Resume and Rerun are always among it, as in the history; a
 * run that failed before it had an id has no folder to resume from.
 */
export function endActions({ run, end }: Pick<RunView, 'run' | 'end'>): readonly EndAction[] {
  const first = advised[end?.reason ?? ''] ?? [];
  const actions = [...first, ...[resume, rerun].filter((action) => !first.includes(action))];
  return run === '' ? actions.filter((action) => action !== resume) : actions;
}
