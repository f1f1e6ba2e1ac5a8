import type { RunFolder } from '../ports.ts';

/** The folder of a run that is not saved: nothing is written, and its report is given as text. */
export function inMemoryRunFolder(): RunFolder {
  const nothing = async (): Promise<void> => undefined;
  return {
    saveRecord: nothing,
    appendEvent: nothing,
    appendCall: nothing,
    appendCheckpoint: nothing,
    saveSources: nothing,
    saveEvidence: nothing,
    saveReport: nothing,
    close: nothing,
  };
}
