import { createHash } from 'node:crypto';
import type { BatchQuestion } from './questionQueue.ts';

/** Devices of Windows, which are no files there whatever their ending. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
/** Beside the reports. */
const taken = /^(?:results|figures)$/i;
const longestName = 80;

/** A batch is its file, wherever that is. */
export function batchName(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('hex').slice(0, 16);
}

/**
 * File names of the reports, by the questions' ids: `ID.md`. Ids come from a file of anyone: one that is no plain name, or that another
 * one would overwrite where case does not count, is made of what is plain in it and a digest.
 */
export function reportNames(questions: readonly BatchQuestion[]): ReadonlyMap<string, string> {
  const used = new Set<string>();
  const names = new Map<string, string>();
  for (const { id } of questions) {
    const plain = id
      .normalize('NFC')
      .replace(/[^\p{L}\p{N}_-]+/gu, '_')
      .slice(0, longestName);
    const isPlain = plain === id && !devices.test(id) && !taken.test(id) && !used.has(id.toLowerCase());
    const name = isPlain ? id : `${plain}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`;
    used.add(name.toLowerCase());
    names.set(id, `${name}.md`);
  }
  return names;
}
