import { join } from 'node:path';
import { readRegular, recordLimit, reportLimit } from '../files/regularFile.ts';
import { readRecordFile } from '../files/runRecordFile.ts';
import { runFiles } from '../protocol/runFolder.ts';
import { ResearchError } from '../research/errors.ts';
import { readReport } from '../research/export/frontMatter.ts';
import { readStoredSources, type StoredSource } from '../research/export/storedSources.ts';
import { attachedKind, mostReadBytes, type ParentRun } from '../research/ports.ts';
import { isRunId } from './runStore.ts';

/** Bytes of `sources.json`, and of the text of one source in UTF-8. */
const longestList = 10 * recordLimit;
const longestText = 2 * mostReadBytes;
/** Runs of a thread whose folders are looked into. */
const mostGenerations = 50;

/**
 * What a finished run has read, and its report. Rejects with `badRequest` for a run that is unknown, not finished, or without readable
 * sources.
 * @param showsFiles Texts of the workspace may be shown to a model.
 */
export async function readParent(runsFolder: string, run: string, showsFiles: boolean): Promise<ParentRun> {
  const folder = join(runsFolder, run);
  const saved = isRunId(run) ? await readRecordFile(folder) : undefined;
  if (saved?.record.run !== run)
    throw problem(
      `There is no run "${run.slice(0, 100)}" in ${runsFolder}.`,
      'Use the run id from its events or its report.',
    );
  const report = await readRegular(join(folder, runFiles.report), reportLimit).catch(() => '');
  if (saved.record.status !== 'finished' || report.trim() === '')
    throw problem(`The run ${run} has no report yet.`, 'Resume it first.');
  const json = await readRegular(join(folder, runFiles.sources), longestList).catch(() => '');
  // A follow-up has no texts of its own.
  const evidence = [folder];
  for (let next = saved.record.parent; next !== undefined && isRunId(next) && evidence.length < mostGenerations;) {
    evidence.push(join(runsFolder, next));
    next = (await readRecordFile(evidence.at(-1)!))?.record.parent;
  }
  const documents: ParentRun['documents'][number][] = [];
  let hidesFiles = false;
  for (const source of readStoredSources(json)) {
    if (source.file !== undefined && !showsFiles) {
      hidesFiles = true;
      continue;
    }
    const text = await textOf(source, evidence);
    if (text.trim() !== '') documents.push(documentOf(source, text));
  }
  if (documents.length === 0)
    throw problem(`Nothing of what the run ${run} has read can be read any more.`, 'Ask it as a question of its own.');
  // A report quotes the files that it cites.
  return { run, report: hidesFiles ? '' : readReport(report).markdown, documents };
}

async function textOf({ id }: StoredSource, folders: readonly string[]): Promise<string> {
  for (const folder of folders) {
    const text = await readRegular(join(folder, runFiles.evidence, `${id}.txt`), longestText).catch(() => '');
    if (text !== '') return text;
  }
  return '';
}

function documentOf(source: StoredSource, text: string): ParentRun['documents'][number] {
  const { kind, title, authors, date, url, file, standing, facts, alreadyCited, retrievedAt } = source;
  const isPrivate = file !== undefined || kind === attachedKind;
  return {
    ...{ kind, title, authors, facts, alreadyCited, retrievedAt, text, isPrivate },
    ...(date === undefined ? {} : { date }),
    ...(url === undefined ? {} : { url }),
    ...(file === undefined ? {} : { file }),
    ...(standing === undefined ? {} : { standing }),
  };
}

function problem(message: string, next: string): ResearchError {
  return new ResearchError('badRequest', message, { next });
}
