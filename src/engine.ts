import { join } from 'node:path';
import { builtIn } from './catalogue.ts';
import { type Assembled, assemble } from './engine/assemble.ts';
import { attachedOf, suppliedOf } from './engine/documents.ts';
import { bindingSettings, type RunOptions, settingsOf, unknownSettings } from './engine/runOptions.ts';
import { systemClock } from './node/clock.ts';
import { ReadingWatch } from './node/readingWatch.ts';
import { fileRunStore, newRunId, refuseOtherFolder } from './node/runStore.ts';
import type { ResearchEvent } from './protocol/events.ts';
import type {
  CheckOptions,
  ExportOptions,
  FollowUp,
  ResearchCallbacks,
  StatementCheck,
  TextCheck,
  TextOptions,
} from './protocol/ports.ts';
import { ResearchError } from './research/errors.ts';
import { openedInTime } from './research/calls/boundedStorage.ts';
import { changesSince, resumedSettings } from './research/persistence/resumedSettings.ts';
import { runFiles } from './protocol/runFolder.ts';
import { attachedKind, type RunFolder, type RunRecord, type RunStore } from './research/ports.ts';
import { nothingKnown } from './research/run/attached.ts';
import type { RunParts } from './research/runner/createRun.ts';
import type { Warning } from './research/languages/warning.ts';
import { checkedQuestion, type ResearchResult, runResearch } from './research/runResearch.ts';

// The engine: settings, models, sources and the file system, put together for the research core. The extension host loads this
// module on first use, the command line at its start.
export { assemble } from './engine/assemble.ts';
export { checkSources } from './engine/checkSources.ts';
export { describeSetup } from './engine/describeSetup.ts';
export { attachedOf } from './engine/documents.ts';
export { offerModels, testKey, testModel } from './engine/models.ts';
export { effectiveSettings } from './engine/runOptions.ts';
export type { RunOptions, SharedState } from './engine/runOptions.ts';
export { exportFileName } from './research/export/exportFileName.ts';

/** See `ResearchEngine`. No run loads it. */
export async function exampleQuestions(options: RunOptions): Promise<readonly string[]> {
  return (await import('./engine/exampleQuestions.ts')).exampleQuestions(options);
}

/** What a server of tools reads of the folder; no run loads it. */
export function openFolderSearch() {
  return import('./engine/searchFolder.ts');
}

/** Researches a question to the saved report. Rejects with a `ResearchError`; see `runResearch`. */
export async function research(options: RunOptions & ResearchCallbacks): Promise<ResearchResult> {
  if (options.resume !== undefined) return resumeRun(options, options.resume);
  if (!options.followUp?.refresh) checkedQuestion(options.question ?? '');
  const reading = new ReadingWatch(options.endsStuckAfterMs);
  let closing: Assembled['close'] | undefined;
  try {
    const run = newRunId(systemClock.now());
    const about = await aboutRun(options, options.followUp, run, options.question ?? '');
    const { parent, question = options.question! } = about ?? {};
    const { parts, controller, warnings, close } = await assemble(
      { ...options, ...about?.options },
      options.signal,
      reading,
    );
    closing = close;
    about?.check(parts);
    const store = storeOf(options, parts.settings['runs.keep']);
    const settings = bindingSettings(parts.settings, parts.model !== null);
    return await runResearch({
      ...parts,
      ...callbacksOf(options),
      ...{ question, controller, warnings, parent },
      ...(await attachedOf(options, settings)),
      ...aroundOf(options, { ...parts, settings }),
      supplied: suppliedOf(options, settings),
      workspaceFolder: options.workspaceFolder,
      program: options.version,
      run,
      openFolder: async (record) => watched(await store.create(record), reading),
    });
  } finally {
    await Promise.all([reading.close(), closing?.()]);
  }
}

function storeOf({ store, runsFolder }: RunOptions, keep: number): RunStore {
  return store ?? fileRunStore(runsFolder, keep);
}

function watched(folder: RunFolder, reading: ReadingWatch): RunFolder {
  if (folder.location !== undefined) reading.watch(join(folder.location, runFiles.stopped));
  return folder;
}

/** Resumes a run: its completed calls are replayed from its journal. Rejects with `badRequest` for a run that can't be resumed. */
async function resumeRun(options: RunOptions & ResearchCallbacks, run: string): Promise<ResearchResult> {
  const { catalogue = builtIn, version, workspaceFolder } = options;
  const now = settingsOf(options);
  const saved = await openedInTime(storeOf(options, now['runs.keep']).open(run), (late) => late.folder.close());
  const reading = new ReadingWatch(options.endsStuckAfterMs, saved.stopped);
  let closing: Assembled['close'] | undefined;
  try {
    const { record } = saved;
    if (record.status === 'finished') {
      throw new ResearchError(
        'badRequest',
        `The run ${run} is finished${record.path ? `: ${record.path}` : '; its report is in its folder'}.`,
        { next: 'Rerun the question to research it again.' },
      );
    }
    const { settings, overrides, unchanged } = resumedSettings(record, now, catalogue.settings);
    refuseOtherFolder(record, workspaceFolder);
    const { parent: of, followUp = { as: 'answer' } } = record;
    const asked = of === undefined ? undefined : { ...followUp, run: of };
    const about = await aboutRun(options, asked, run, record.question);
    const parent = about?.parent;
    const { parts, controller, warnings, close } = await assemble(
      { ...options, settings, folderSettings: {}, overrides, ...about?.options },
      options.signal,
      reading,
    );
    closing = close;
    const { provider, model } = parts;
    if (options.sameModel) refuseLostModel(record, parts);
    refuseReadFiles(saved.events, parts);
    return await runResearch({
      ...parts,
      ...callbacksOf(options),
      ...{ controller, run, parent },
      supplied: suppliedOf(options, bindingSettings(parts.settings, model !== null)),
      warnings: [
        ...saved.damagedFiles.map((damaged): Warning => ({ kind: 'resume.damaged', ...damaged })),
        ...unknownSettings(options),
        ...warnings,
      ],
      question: record.question,
      // One that must not be read today is still the folder that it belongs to.
      workspaceFolder: workspaceFolder ?? record.workspace,
      program: record.program,
      journal: saved.journal,
      checkpoints: saved.checkpoints,
      events: saved.events,
      openFolder: () => Promise.resolve(watched(saved.folder, reading)),
      resume: {
        created: record.created,
        status: record.status,
        otherVersion: record.program !== version,
        damaged: saved.damaged,
        changes: changesSince(record, { version, provider, model, unchanged }),
      },
    });
  } finally {
    await Promise.all([reading.close(), closing?.()]);
    await saved.folder.close();
  }
}

/** What a follow-up needs, loaded with it. */
async function aboutRun(options: RunOptions, asked: FollowUp | undefined, run: string, question: string) {
  if (asked === undefined) return undefined;
  const { aboutParent } = await import('./engine/aboutParent.ts');
  return aboutParent(options, asked, run, question);
}

/** A run that a model began is not continued without one by accident. */
function refuseLostModel(record: RunRecord, { provider, settings }: Pick<RunParts, 'provider' | 'settings'>): void {
  if (record.model === null || provider === record.provider || settings['model.provider'] !== 'auto') return;
  if (settings['model.baseUrl'] !== '') return;
  throw new ResearchError(
    'config',
    `This run began with ${record.model} (${record.provider}), which today's settings don't name.`,
    {
      next: 'Specify its provider, address and model again (-p, --base-url, --model, or the settings), or choose another provider to continue with.',
    },
  );
}

/** What a run without a model read of the folder, or one before the settings were tightened, is shown to no model later. */
function refuseReadFiles(events: readonly ResearchEvent[], { model, settings }: Pick<RunParts, 'model' | 'settings'>) {
  if (model === null || settings['workspace.forModel'] === 'content') return;
  const isOwnFile = (event: ResearchEvent) =>
    event.type === 'source/added' && event.file !== undefined && event.kind !== attachedKind;
  if (!events.some(isOwnFile)) return;
  throw new ResearchError(
    'config',
    'This run has read files of the workspace, which deepResearch.workspace.forModel shows to no model.',
    { next: 'Resume it without a model (-p extractive), or set deepResearch.workspace.forModel to content.' },
  );
}

/** What surrounds the question, in what is known of the folder. A path says something of the folder: not where that may not be known. */
function aroundOf(
  { around = {} }: ResearchCallbacks,
  { settings, workspace }: Pick<RunParts, 'settings' | 'workspace'>,
): Pick<RunParts, 'workspace'> {
  const { openFile, earlierQuestion } = around;
  const isKnown = workspace !== undefined && settings['workspace.forModel'] !== 'off';
  const more = {
    ...(openFile !== undefined && isKnown ? { openFile: openFile.slice(0, 400) } : {}),
    ...(earlierQuestion === undefined ? {} : { earlierQuestion: earlierQuestion.slice(0, 1_000) }),
  };
  return { workspace: Object.keys(more).length === 0 ? workspace : { ...(workspace ?? nothingKnown), ...more } };
}

function callbacksOf(options: ResearchCallbacks) {
  const { answer, approveEntities, approve, decideReview, plan, onEvent, steer } = options;
  const { signal, finishSignal, answerSignal } = options;
  return { answer, approveEntities, approve, decideReview, plan, onEvent, steer, signal, finishSignal, answerSignal };
}

/** See `ResearchEngine.prepareStatement`. */
export async function prepareStatement(options: CheckOptions): Promise<StatementCheck | undefined> {
  const { prepareStatement: prepare } = await import('./engine/checkStatement.ts');
  return prepare(options);
}

/** See `ResearchEngine.prepareText`. */
export async function prepareText(options: RunOptions & TextOptions): Promise<TextCheck> {
  const { prepareText: prepare } = await import('./engine/checkText.ts');
  return prepare(options);
}

/** Writes a saved run as one file: a web page, its references, or its whole folder. Rejects with a `ResearchError`. */
export async function exportRun(options: ExportOptions): Promise<void> {
  const { exportRun: write } = await import('./node/exportRun.ts');
  await write(options);
}
