import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ResearchError } from '../research/errors.ts';
import type { KeptRun, ResearchEvent, RunFolder, RunRecord, RunStore } from '../research/ports.ts';
import { parseEvent, runFiles, runRecordSchema } from '../research/runRecord.ts';
import { storageError } from './storageError.ts';

/**
 * Runs as folders below `root`. Old ones are removed when a new one is made, so that at most `keep` stay; running and waiting
 * ones are never removed.
 */
export function fileRunStore(root: string, keep: number): RunStore {
  return {
    async create(record) {
      const location = join(root, record.run);
      try {
        await mkdir(join(location, runFiles.evidence), { recursive: true });
      } catch (error) {
        throw storageError(error, `make the run's folder ${location}`);
      }
      const folder = runFolder(location);
      await folder.saveRecord(record);
      await prune(root, keep, record.run).catch(() => undefined);
      return folder;
    },
    open: (run) => openRun(root, run),
  };
}

function runFolder(location: string): RunFolder {
  const write = (name: string, text: string, what: string) => writeAtomically(join(location, name), text, what);
  const append = async (name: string, line: string, what: string): Promise<void> => {
    try {
      await appendFile(join(location, name), `${line}\n`);
    } catch (error) {
      throw storageError(error, what);
    }
  };
  return {
    location,
    saveRecord: (record) => write(runFiles.record, JSON.stringify(record, undefined, 1), "write the run's record"),
    appendEvent: (event) => append(runFiles.events, JSON.stringify(event), "write the run's events"),
    appendCall: (line) => append(runFiles.journal, line, "write the run's journal"),
    saveSources: (json) => write(runFiles.sources, json, "write the run's sources"),
    saveReport: (markdown) => write(runFiles.report, markdown, "keep the report in the run's folder"),
    saveEvidence: (id, text) => write(join(runFiles.evidence, `${id}.txt`), text, 'store the text of a source'),
  };
}

async function openRun(root: string, run: string): Promise<KeptRun> {
  const location = join(root, run);
  const unknown = new ResearchError('badRequest', `There is no run "${run}" in ${root}.`, { next: 'Give the run as the events name it, and --run-dir when it is kept elsewhere.' });
  // The id becomes a path: nothing but an id may.
  if (!isRunId(run)) throw unknown;
  const record = await readRecord(location);
  if (!record) throw unknown;
  const [events, journal] = await Promise.all([wholeLines(join(location, runFiles.events)), wholeLines(join(location, runFiles.journal))]);
  return { folder: runFolder(location), record, journal, events: events.flatMap((line) => eventOf(line, run) ?? []) };
}

/** The lines of a file that was appended to. A last line that a crash cut off is closed, so that the next one stands alone. */
async function wholeLines(path: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw storageError(error, `read ${path}`);
  }
  if (text !== '' && !text.endsWith('\n')) {
    await appendFile(path, '\n').catch((error: unknown) => {
      throw storageError(error, `write ${path}`);
    });
  }
  return text.split('\n').filter((line) => line !== '');
}

function eventOf(line: string, run: string): ResearchEvent | undefined {
  try {
    const event = parseEvent(JSON.parse(line));
    return event?.run === run ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Either the old file or the whole new one is there, whenever the program is killed. */
async function writeAtomically(path: string, text: string, what: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw storageError(error, what);
  }
}

async function prune(root: string, keep: number, current: string): Promise<void> {
  // Ids begin with the date and time: their order is that of the runs.
  const runs = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory() && isRunId(entry.name));
  const names = runs.map((entry) => entry.name).filter((name) => name !== current).sort();
  for (const name of names.slice(0, Math.max(0, names.length - (keep - 1)))) {
    const record = await readRecord(join(root, name));
    if (record?.status === 'running' || record?.status === 'waiting') continue;
    await rm(join(root, name), { recursive: true, force: true });
  }
}

/** A record of another version, or one that is damaged, is none. */
async function readRecord(location: string): Promise<RunRecord | undefined> {
  try {
    return runRecordSchema.safeParse(JSON.parse(await readFile(join(location, runFiles.record), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** `20261122-101500-1a2b3c`: sortable, and unlike any name that a person gives a folder. */
export function newRunId(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}

export function isRunId(name: string): boolean {
  return /^\d{8}-\d{6}-[0-9a-f]{6}$/.test(name);
}

/** Creates a file that must not exist yet. Gives false when it does. */
export async function createFile(path: string, text: string): Promise<boolean> {
  let file;
  try {
    file = await open(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await file.close();
    // Half a report is worse than none under its name; the whole text is kept elsewhere.
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
  await file.close();
  return true;
}
