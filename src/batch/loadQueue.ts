import { ResearchError } from '../research/errors.ts';

/** No batch of one process loads it. Rejects with `config` in the extension's package. */
export async function loadQueue() {
  try {
    return await import('./queueParts.ts');
  } catch (cause) {
    const next = "Use the command line of a clone or of npm's package: that in the extension has no queue.";
    throw new ResearchError('config', "The part of the command line that works with a queue can't be loaded.", {
      next,
      cause,
    });
  }
}
