import { join } from 'node:path';
import { readRegular, reportLimit } from '../files/regularFile.ts';
import { replaceFile } from '../files/replaceFile.ts';
import { pathSink } from '../node/reportSink.ts';
import type { ReportSink } from '../research/ports.ts';

/**
 * Saves the report of one question. A process that is killed right after it has saved a report has not recorded that yet: the file of the
 * same run is replaced, and every other one stays.
 */
export function batchSink(folder: string, name: string, workspace: string | undefined): ReportSink {
  const path = join(folder, name);
  const sink = pathSink(path, workspace);
  return {
    ...sink,
    async save(fileName, markdown) {
      const before = await readRegular(path, reportLimit).catch(() => '');
      const run = runOf(markdown);
      if (run === undefined || runOf(before) !== run) return await sink.save(fileName, markdown);
      await replaceFile(path, markdown);
      return path;
    },
    // The report is this run's, and so is what has its name: a killed process may have saved that too.
    saveBeside: (report, ending, text) => replaceFile(report.replace(/\.md$/, ending), text),
  };
}

/** As the front matter of a report names it. */
function runOf(report: string): string | undefined {
  return /^run: "?(\d{8}-\d{6}-[0-9a-f]{6})"?$/m.exec(report.slice(0, 50_000))?.[1];
}
