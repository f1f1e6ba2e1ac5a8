import { join } from 'node:path';
import { replaceFile } from '../files/replaceFile.ts';
import { pathSink } from '../node/reportSink.ts';
import type { ReportSink } from '../research/ports.ts';

/** Saves the report of one question under its name. What has its name with another ending is this run's as well. */
export function batchSink(folder: string, name: string, workspace: string | undefined): ReportSink {
  return {
    ...pathSink(join(folder, name), workspace),
    saveBeside: (report, ending, text) => replaceFile(report.replace(/\.md$/, ending), text),
  };
}
