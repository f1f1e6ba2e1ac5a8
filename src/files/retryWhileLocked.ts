import { setTimeout } from 'node:timers/promises';

/** Error codes of a file that another program has open: on Windows a virus scanner, an indexer, or another reader. */
const heldCodes = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Waits before the retries, in milliseconds: a scanner needs some tens, and after 1.5 s in all more would not help. */
const waitsMs = [20, 50, 100, 200, 400, 750];

/**
 * Retries what fails while another program holds the file, such as a rename over it. Rejects
 * with the last refusal, and at once with every other error. For a run's files, which the engine and the editor's side replace.
 *
 * @param wait Resolves after so many milliseconds.
 */
export async function retryWhileLocked<T>(
  act: () => Promise<T>,
  wait: (ms: number) => Promise<unknown> = setTimeout,
): Promise<T> {
  for (const ms of waitsMs) {
    try {
      return await act();
    } catch (error) {
      if (!heldCodes.has((error as { readonly code?: string }).code ?? '')) throw error;
    }
    await wait(ms);
  }
  return act();
}
