import { randomBytes } from 'node:crypto';
import { rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { ResearchError } from '../research/errors.ts';
import { createInPlace } from '../files/createFile.ts';
import { readRegular, recordLimit } from '../files/regularFile.ts';
import { replaceFile } from '../files/replaceFile.ts';
import { isHeld } from '../files/runHeld.ts';
import { parseJson } from '../protocol/json.ts';
import { lockStaleMs, runFiles } from '../protocol/runFolder.ts';
import { runLockSchema, type RunLock } from '../protocol/runRecord.ts';
import { storageError } from './storageError.ts';

/** A takeover takes milliseconds; what is older was left by a killed process. */
const takeoverStaleMs = 10_000;

/** The lock of a run's folder, valid as long as the process that holds it lives. */
export interface HeldLock {
  /** Releases the folder. Never rejects. */
  release(): Promise<void>;
}

/**
 * Takes the lock of a run's folder, also from a process that is gone. Rejects with `badRequest` while another process uses the
 * run, with `storage` when the lock can't be written.
 *
 * @param onLost Called when another process has taken the lock, as after a long sleep of this machine: stop working.
 */
export async function holdRun(location: string, onLost: () => void = () => undefined): Promise<HeldLock> {
  const path = join(location, runFiles.lock);
  const mine: RunLock = {
    version: 1,
    pid: process.pid,
    host: hostname(),
    token: randomBytes(8).toString('hex'),
    at: new Date().toISOString(),
  };
  if (!(await create(path, JSON.stringify(mine)))) await takeOver(location, path, mine);
  const isMine = async (): Promise<boolean> => (await readLock(path))?.token === mine.token;
  const timer = setInterval(() => {
    void (async () => {
      // The folder was removed: the lock was not taken by another process.
      const holder = await readLock(path);
      if (holder && holder.token !== mine.token) {
        clearInterval(timer);
        return onLost();
      }
      const now = new Date();
      await utimes(path, now, now).catch(() => undefined);
    })();
  }, lockStaleMs / 3);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      if (await isMine()) await rm(path, { force: true }).catch(() => undefined);
    },
  };
}

async function takeOver(location: string, path: string, mine: RunLock): Promise<void> {
  const taken = (): ResearchError =>
    new ResearchError('badRequest', 'This run is in progress in another window or terminal.', {
      next: 'Wait until it ends there, or answer its question or stop it there.',
    });
  if (isHeld(location)) throw taken();
  // Two may find the same dead lock: one of them makes this file.
  const gate = `${path}.takeover`;
  const left = await stat(gate).catch(() => undefined);
  if (left && Math.abs(Date.now() - left.mtimeMs) > takeoverStaleMs) await rm(gate, { force: true });
  if (!(await create(gate, ''))) throw taken();
  try {
    if (isHeld(location)) throw taken();
    await replaceFile(path, JSON.stringify(mine));
  } catch (error) {
    throw ResearchError.is(error) ? error : storageError(error, "take the run's lock");
  } finally {
    await rm(gate, { force: true }).catch(() => undefined);
  }
}

async function readLock(path: string): Promise<RunLock | undefined> {
  return runLockSchema.safeParse(parseJson(await readRegular(path, recordLimit).catch(() => ''))).data;
}

/** False when the file exists. */
function create(path: string, text: string): Promise<boolean> {
  return createInPlace(path, text).catch((error: unknown) => {
    throw storageError(error, "take the run's lock");
  });
}
