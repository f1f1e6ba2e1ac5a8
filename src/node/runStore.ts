import { randomBytes } from 'node:crypto';
import { appendFileSync, closeSync, fstatSync, openSync, truncateSync } from 'node:fs';
import { access, chmod, lstat, mkdir, readdir, rename, rm, truncate } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isCheckpointLine } from '../research/persistence/checkpointLog.ts';
import { ResearchError } from '../research/errors.ts';
import { retryWhileLocked } from '../files/retryWhileLocked.ts';
import { isHeld } from '../files/runHeld.ts';
import { readRecordFile } from '../files/runRecordFile.ts';
import { readRegular } from '../files/regularFile.ts';
import { replaceFile } from '../files/replaceFile.ts';
import { isSameFolder } from '../files/sameFolder.ts';
import { parseEvent } from '../protocol/events.ts';
import { runFiles, runIdPattern } from '../protocol/runFolder.ts';
import { readStopped } from './readingWatch.ts';
import { readEntry } from '../research/persistence/journal.ts';
import type { DamagedFile, SavedRun, RunFolder, RunRecord, RunStore } from '../research/ports.ts';
import { holdRun } from './runLock.ts';
import { storageError } from './storageError.ts';
import { isRecord, parseJson } from '../research/text/json.ts';

/** A waiting or interrupted run can still be resumed: it is saved this long beyond the number of saved runs. */
const resumableMs = 30 * 24 * 60 * 60_000;

/** For the user alone: a run holds questions, found texts and paths. */
const privateMode = 0o700;
/** Bytes of a journal or log: a run of 30 sections has a hundredth. */
const longestLog = 400_000_000;
const damagedEnding = '.damaged';
/** Limit of the lines that wait for a failing disk, in characters; the oldest are dropped beyond it. */
const mostWaiting = 16_000_000;

/**
 * Runs as folders below `root`. Old ones are removed when a new one is made, so that at most `keep` remain; a run in use is never
 * removed, one that a kept run asks about neither, and one that can be resumed not within 30 days.
 */
export function fileRunStore(root: string, keep: number): RunStore {
  return {
    async create(record) {
      const location = join(root, record.run);
      try {
        await mkdir(join(location, runFiles.evidence), { recursive: true, mode: privateMode });
      } catch (error) {
        throw storageError(error, `make the run's folder ${location}`);
      }
      const folder = await holdFolder(location);
      try {
        await folder.saveRecord(record);
      } catch (error) {
        await folder.close();
        throw error;
      }
      await prune(root, keep, record.run).catch(() => undefined);
      return folder;
    },
    open: (run) => openRun(root, run),
  };
}

/** Takes the folder's lock. What is written after the lock was lost is dropped: the folder belongs to another process. */
async function holdFolder(location: string): Promise<RunFolder> {
  const lost = new AbortController();
  const lock = await holdRun(location, () => lost.abort());
  const journal = appender(join(location, runFiles.journal), "write the run's journal");
  const events = appender(join(location, runFiles.events), "write the run's events");
  const checkpoints = appender(join(location, runFiles.checkpoints), "write the run's checkpoints");
  const close = (): void => [journal, events, checkpoints].forEach((file) => file.close());
  const write = async (name: string, text: string, what: string): Promise<void> => {
    try {
      if (!lost.signal.aborted) await writeAtomically(join(location, name), text, what);
    } catch (error) {
      // The folder may have been moved, and the open files with it: their next lines fail too, and are not written there unseen.
      close();
      throw error;
    }
  };
  const appendTo = async ({ append }: typeof journal, line: string): Promise<void> => {
    if (!lost.signal.aborted) await append(line);
  };
  return {
    location,
    lost: lost.signal,
    saveRecord: inTurn(async (record) => {
      // The user may have renamed the run meanwhile.
      const name = (await readRecordFile(location))?.record.name ?? record.name;
      await write(
        runFiles.record,
        JSON.stringify({ ...record, ...(name === undefined ? {} : { name }) }, undefined, 1),
        "write the run's record",
      );
    }),
    appendEvent: (event) => {
      // Some line readers treat these two characters as line ends.
      const line = JSON.stringify(event).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
      return appendTo(events, line);
    },
    appendCall: (line) => appendTo(journal, line),
    appendCheckpoint: (line) => appendTo(checkpoints, line),
    saveSources: inTurn((json) => write(runFiles.sources, json, "write the run's sources")),
    saveReport: (markdown) => write(runFiles.report, markdown, "save the report in the run's folder"),
    saveEvidence: (id, text) => write(join(runFiles.evidence, `${id}.txt`), text, 'store the text of a source'),
    close: async () => {
      close();
      await lock.release();
    },
  };
}

/** Serialises writes, so that the last value given is the one that stays: two at once would end in either order. */
function inTurn<T>(write: (value: T) => Promise<void>): (value: T) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (value) => {
    const turn = last.then(() => write(value));
    last = turn.catch(() => undefined);
    return turn;
  };
}

/**
 * Appends lines in the turn in which they are given, to a file that stays open: a process that is killed later has lost none. A write of
 * some kB takes microseconds, because the operating system keeps it in memory; opening a file might wait for a slow drive. Lines that
 * could not be written are written before the next one, so that a disk that was full for a while leaves no gap.
 */
function appender(path: string, what: string): { append(line: string): Promise<void>; close(): void } {
  let file: number | undefined;
  let waiting: string[] = [];
  /** Bytes of the file up to its last whole line; undefined until it was looked at. */
  let whole: number | undefined;
  let torn = false;
  const close = (): void => {
    const open = file;
    file = undefined;
    if (open !== undefined) closeSync(open);
  };
  return {
    async append(line) {
      waiting.push(line);
      try {
        // What is written to a file that was deleted is lost, and no error says so.
        if (file !== undefined && fstatSync(file).nlink === 0) {
          close();
          whole = undefined;
        }
        file ??= openSync(path, 'a');
        const { size } = fstatSync(file);
        whole ??= size;
        if (torn && size > whole) truncateSync(path, whole);
        const text = `${waiting.join('\n')}\n`;
        appendFileSync(file, text);
        whole += Buffer.byteLength(text);
        waiting = [];
        torn = false;
      } catch (error) {
        torn = whole !== undefined;
        waiting = withinLimit(waiting);
        close();
        throw storageError(error, what);
      }
    },
    close,
  };
}

function withinLimit(lines: string[]): string[] {
  let length = 0;
  const from = lines.findLastIndex((line) => (length += line.length) > mostWaiting);
  return lines.slice(from + 1);
}

async function openRun(root: string, run: string): Promise<SavedRun> {
  const location = join(root, run);
  const unknown = new ResearchError('badRequest', `There is no run "${run}" in ${root}.`, {
    next: 'Use the run id from the events, and --run-dir if its folder is elsewhere.',
  });
  // The id becomes a path, so it must be a valid id.
  if (!isRunId(run) || !(await exists(location))) throw unknown;
  await refuseForeign(location);
  await chmod(location, privateMode).catch((error: unknown) => {
    throw storageError(error, `open ${location}`);
  });
  const folder = await holdFolder(location);
  try {
    const record: RunRecord | undefined = (await readRecordFile(location))?.record;
    if (record?.run !== run) {
      if (!(await exists(join(location, runFiles.record)))) throw unknown;
      const message = `The record of the run ${run} can't be read: it is damaged or was written by another version.`;
      throw new ResearchError('badRequest', message, {
        next: `What it found is still in ${location}. Rerun the question to research it again.`,
      });
    }
    await removeDrafts(location);
    const damagedFiles: DamagedFile[] = [];
    const lines = (name: string, isOurs: (line: string) => boolean) =>
      wholeLines(join(location, name), name, isOurs, damagedFiles);
    const events = await lines(runFiles.events, (line) => isRecord(parseJson(line)));
    const journal = await lines(runFiles.journal, (line) => readEntry(line) !== undefined);
    const checkpoints = await lines(runFiles.checkpoints, isCheckpointLine);
    // Also by an earlier attempt to resume that failed before it could report it.
    const damaged = (await readdir(location)).some((name) => name.endsWith(damagedEnding));
    return {
      folder,
      record,
      journal,
      checkpoints,
      events: events.flatMap((line) => parseEvent(parseJson(line)) ?? []).filter((event) => event.run === run),
      damagedFiles,
      damaged,
      stopped: await readStopped(join(location, runFiles.stopped)),
    };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/**
 * The lines of a file that was appended to. A last line that a crash truncated is removed; a file with lines that are not
 * ours is set aside as a whole, and what is ours stays in its place.
 */
async function wholeLines(
  path: string,
  name: string,
  isOurs: (line: string) => boolean,
  damagedFiles: DamagedFile[],
): Promise<string[]> {
  let text: string;
  try {
    text = await readRegular(path, longestLog);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    // A folder, or a file that is too large, has no code of the file system.
    if ((error as NodeJS.ErrnoException).code !== undefined) throw storageError(error, `read ${path}`);
    return setAside(path, name, [], damagedFiles);
  }
  const end = text.lastIndexOf('\n') + 1;
  const whole = text
    .slice(0, end)
    .split('\n')
    .filter((line) => line !== '');
  const ours = whole.filter(isOurs);
  if (ours.length < whole.length) return setAside(path, name, ours, damagedFiles);
  try {
    if (end < text.length) await truncate(path, Buffer.byteLength(text.slice(0, end)));
  } catch (error) {
    throw storageError(error, `write ${path}`);
  }
  return ours;
}

async function setAside(path: string, name: string, ours: string[], damagedFiles: DamagedFile[]): Promise<string[]> {
  const aside = `${path}.${randomBytes(3).toString('hex')}${damagedEnding}`;
  try {
    await retryWhileLocked(() => rename(path, aside));
  } catch (error) {
    throw storageError(error, `set ${path} aside`);
  }
  await writeAtomically(path, ours.map((line) => `${line}\n`).join(''), `write ${path}`);
  damagedFiles.push({ file: name, aside: basename(aside) });
  return ours;
}

/** Paths come from today alone: a record that was copied from elsewhere names a folder that its author chose. */
export function refuseOtherFolder({ workspace }: RunRecord, today: string | undefined): void {
  if (workspace === undefined || today === undefined || isSameFolder(workspace, today)) return;
  throw new ResearchError('badRequest', `This run researches another folder: ${workspace}.`, {
    next: 'Resume it there, or name that folder as the workspace (--workspace).',
  });
}

/**
 * A run's folder holds regular files and the folder `evidence`. A link, pipe or device in it is foreign: what
 * is written to the run would land elsewhere, and reading it might never end. Rejects with `badRequest`; a folder that is not there has none.
 */
export async function refuseForeign(location: string): Promise<void> {
  const refuse = (name: string): never => {
    const message = `The run's folder ${location} holds ${name}, which is not a regular file of its own.`;
    throw new ResearchError('badRequest', message, { next: 'Remove it and try again, or rerun the question.' });
  };
  try {
    const found = await lstat(location).catch(unlessGone);
    if (found === undefined) return;
    if (!found.isDirectory()) refuse('a link in its place');
    for (const entry of await readdir(location, { withFileTypes: true })) {
      if (!entry.isFile() && !entry.isDirectory()) refuse(entry.name);
      // A hard link to a file elsewhere: what is appended here would be written there.
      const found = entry.isFile() ? await lstat(join(location, entry.name)).catch(unlessGone) : undefined;
      if (found && found.nlink > 1) refuse(entry.name);
    }
  } catch (error) {
    throw ResearchError.is(error) ? error : storageError(error, `open ${location}`);
  }
}

/** Another process may replace files meanwhile. */
function unlessGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** What a killed process had begun to write. */
async function removeDrafts(location: string): Promise<void> {
  for (const folder of [location, join(location, runFiles.evidence)]) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names)
      if (name.endsWith('.tmp')) await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

async function writeAtomically(path: string, text: string, what: string): Promise<void> {
  await replaceFile(path, text).catch((error: unknown) => {
    throw storageError(error, what);
  });
}

async function prune(root: string, keep: number, current: string): Promise<void> {
  // Ids begin with the date and time: their order is that of the runs.
  const names = (await readdir(root, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && isRunId(entry.name) && entry.name !== current)
    .map(({ name }) => name)
    .sort();
  const old = names.slice(0, Math.max(0, names.length - (keep - 1)));
  if (old.length === 0) return;
  // A follow-up reads what its parent has read, and so may one of its own.
  const asked = new Set<string>();
  for (const name of [...names.slice(old.length), current]) {
    const { record } = (await readRecordFile(join(root, name))) ?? {};
    if (record?.parent !== undefined) asked.add(record.parent);
  }
  for (const name of old.reverse()) {
    const { record } = (await readRecordFile(join(root, name))) ?? {};
    const isOpen = record?.status === 'running' || record?.status === 'waiting';
    const isResumable = isOpen && Date.now() - Date.parse(record.created) < resumableMs;
    if (asked.has(name) || isResumable || isHeld(join(root, name))) {
      if (record?.parent !== undefined) asked.add(record.parent);
      continue;
    }
    // In a shared folder, the runs of other users can't be removed.
    await rm(join(root, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** `20261122-101500-1a2b3c`: sortable, and unlike any name that a person gives a folder. */
export function newRunId(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}

export function isRunId(name: string): boolean {
  return runIdPattern.test(name);
}
