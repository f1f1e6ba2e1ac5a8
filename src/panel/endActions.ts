import type { Setup } from '../protocol/messages.ts';
import type { RunView } from '../protocol/runView.ts';

export type EndAction =
  | { readonly type: 'edit' }
  | { readonly type: 'resume' }
  | { readonly type: 'rerun' }
  | { readonly type: 'setKey'; readonly provider: string }
  | { readonly type: 'selectModel' }
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
 * run that failed before it had an id has no folder to resume from. What was asked about a report is no question of its own: it is not
 * edited as one, and its record says what is rerun.
 * @param setup Of the next run: one that failed at once has no provider.
 */
export function endActions(
  { run, parent, end, provider }: Pick<RunView, 'run' | 'parent' | 'end' | 'provider'>,
  setup: Pick<Setup, 'provider' | 'keyProviders'>,
): readonly EndAction[] {
  const { reason = '' } = end ?? {};
  const first = reason === 'auth' ? [newKey(provider || setup.provider, setup)] : (advised[reason] ?? []);
  const actions = [...first, ...[resume, rerun].filter((action) => !first.includes(action))];
  const [isAbout, isSaved] = [parent !== undefined, run !== ''];
  const absent = [isAbout && edit, !isSaved && resume, isAbout && !isSaved && rerun];
  return actions.filter((action) => !absent.includes(action));
}

/** A key for the server that refused the run; some providers take none. */
function newKey(provider: string, { keyProviders = [] }: Pick<Setup, 'keyProviders'>): EndAction {
  return keyProviders.includes(provider) ? { type: 'setKey', provider } : { type: 'selectModel' };
}
