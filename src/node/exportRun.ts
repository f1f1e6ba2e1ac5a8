import { type FileHandle, lstat, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { ResearchError } from '../research/errors.ts';
import { bibtex } from '../research/export/bibtex.ts';
import { cslItems, type CslItem } from '../research/export/cslItems.ts';
import { readReport } from '../research/export/frontMatter.ts';
import { citedSources } from '../research/export/references.ts';
import { reportHtml } from '../research/export/reportHtml.ts';
import {
  type EvidenceLookup,
  type ExportedEvidence,
  reportLanguage,
  type RunFacts,
} from '../research/export/exportedReport.ts';
import { loadTexts, textsIn } from '../research/languages/texts.ts';
import { readStoredSources } from '../research/export/storedSources.ts';
import type { ExportOptions, RunRecord } from '../research/ports.ts';
import { readRegular } from '../files/regularFile.ts';
import { knownOfReport } from '../files/readVersions.ts';
import { chartKeys, type Evidence, excerptOf } from '../files/evidence.ts';
import { evidenceIn } from '../files/findStatements.ts';
import { evidenceOfSidecar } from '../files/sidecarText.ts';
import { replaceFile } from '../files/replaceFile.ts';
import { savedSources, sidecarOf } from '../files/sidecar.ts';
import { largest } from '../protocol/numbers.ts';
import { isCharted } from '../protocol/chartKey.ts';
import { runFiles } from '../protocol/runFolder.ts';
import { readRecordFile } from '../files/runRecordFile.ts';
import { isRunId } from './runStore.ts';
import { storageError } from './storageError.ts';
import { zipFolder } from './zipFolder.ts';

/** Bytes of one file that is read. */
const longestFile = 100_000_000;
/** In bytes, or UTF-16 units. A report has some ten thousand; anything beyond this is not a report. */
const longestReport = 2_000_000;
/** UTF-16 units of a passage in a footnote, which takes the place of text. */
const longestFootnote = 500;

/**
 * Writes a saved run as one file, atomically. Rejects with `badRequest` for a run that is unknown or can't be exported in this
 * format (no report, no reference, a damaged file), and with `storage` when writing fails.
 */
export async function exportRun(options: ExportOptions): Promise<void> {
  const { runsFolder, run, format, target } = options;
  // The id becomes a path, so it must be a valid id.
  const folder = join(runsFolder, run);
  // A link could lead out of the folder of runs.
  if (!isRunId(run) || !(await lstat(folder).catch(() => undefined))?.isDirectory()) {
    if (options.reportFile !== undefined) return exportForeign(options, options.reportFile);
    throw new ResearchError('badRequest', `There is no run "${run.slice(0, 100)}" in ${runsFolder}.`, {
      next: 'It may have been removed; refresh the list of runs.',
    });
  }
  if (!isAbsolute(target))
    throw new ResearchError('badRequest', `"${target.slice(0, 200)}" is not an absolute path.`, {
      next: 'Choose where to save the export.',
    });
  const record = (await readRecordFile(folder))?.record;
  if (format === 'zip') {
    // Everything in the folder is included, even if a part of it is damaged.
    const now = await reportOf(options, folder, record).catch(() => undefined);
    return writeWhole(target, (file) => writeZip(file, folder, target, run, now));
  }
  const report = await reportOf(options, folder, record);
  if (report === undefined) {
    throw new ResearchError('badRequest', 'This run has no report yet.', {
      next: 'Resume it first, or export its folder as a zip.',
    });
  }
  if (!record) {
    throw new ResearchError(
      'badRequest',
      "This run's record (run.json) is damaged or was written by another version.",
      {
        next: 'Export its folder as a zip.',
      },
    );
  }
  const file =
    format === 'html' || format === 'docx'
      ? await page(options, report, record, await leavingEvidence(folder))
      : await references(format, folder, report);
  return writeWhole(target, (handle) => handle.writeFile(file));
}

/** What is known of a report, without the passages that may not leave the machine with it. */
async function leavingEvidence(folder: string): Promise<readonly Evidence[]> {
  const [{ evidence }, maySave] = await Promise.all([knownOfReport(folder), savedSources(folder)]);
  return evidence.map((one) => ({ ...one, passages: one.passages.filter(({ source = '' }) => maySave.has(source)) }));
}

/** A report whose run is not on this machine: what it rests on is what the file beside it quotes. */
async function exportForeign(options: ExportOptions, file: string): Promise<void> {
  const { format, run, target } = options;
  const report = options.reportText ?? (await readReportFile(file));
  const { fields } = readReport(report ?? '');
  if (report === undefined || fields['run'] !== run || (format !== 'html' && format !== 'docx'))
    throw new ResearchError('badRequest', 'The run of this report is not on this machine.', {
      next: 'Export it as a web page or a Word document.',
    });
  const { question = '', strategy = '', model = null, title } = fields;
  const created = (await stat(file)).mtime.toISOString();
  const facts = { run, question, created, strategy, model, settings: {}, ...(title !== undefined && { title }) };
  const all = evidenceOfSidecar((await sidecarOf(file, run))?.text ?? '');
  const written = await page(options, report, facts, all);
  return writeWhole(target, (handle) => handle.writeFile(written));
}

async function page(
  { format, charts = true }: ExportOptions,
  report: string,
  facts: RunFacts,
  all: readonly Evidence[],
): Promise<string | Uint8Array> {
  if (format === 'html') {
    const drawn = isCharted(charts ? chartKeys(all) : []);
    return reportHtml(report, facts, { charts: drawn, evidenceOf: await evidenceOf(facts, all) });
  }
  const { reportDocx } = await import('../research/export/reportDocx.ts');
  return reportDocx(report, facts, await evidenceOf(facts, all, longestFootnote));
}

async function references(format: 'bibtex' | 'csl-json', folder: string, report: string): Promise<string> {
  const items = await citedItems(folder, report);
  return format === 'bibtex' ? bibtex(items) : `${JSON.stringify(items, undefined, 2)}\n`;
}

/** The statements with their passages, unless the user saves none. Loads the texts of the report's language. */
async function evidenceOf(facts: RunFacts, all: readonly Evidence[], longest?: number): Promise<EvidenceLookup> {
  await loadTexts(reportLanguage(facts));
  if (facts.settings['report.evidence'] === 'none') return () => undefined;
  const { verdicts, reasons } = textsIn(reportLanguage(facts), 'report');
  const exported = new Map(
    all.map((one): [Evidence, ExportedEvidence] => {
      const { sentence, verdict, reason, said, passages } = one;
      const why = reason === undefined ? '' : ` (${reasons[reason as keyof typeof reasons]})`;
      const excerpts = passages.map((passage) => ({
        number: passage.number,
        ...excerptOf(passage, sentence, longest),
      }));
      return [
        one,
        { sentence, passages: excerpts, verdict: said ?? `${verdicts[verdict as keyof typeof verdicts]}${why}` },
      ];
    }),
  );
  return (block, before, number) => exported.get(evidenceIn(block, before, number, all)!);
}

async function citedItems(folder: string, report: string): Promise<CslItem[]> {
  const json = await readText(join(folder, runFiles.sources), "read the list of this run's sources");
  const cited =
    json === undefined
      ? []
      : citedSources(readReport(report).markdown, readStoredSources(json), await citedOrder(folder));
  if (cited.length === 0) {
    throw new ResearchError(
      'badRequest',
      'The report of this run cites no sources of this run, so there are no references to export.',
      { next: 'Export it as a web page instead.' },
    );
  }
  return cslItems(cited);
}

/** Ids of the cited sources by their numbers: only an edited report needs them. */
async function citedOrder(folder: string): Promise<readonly string[]> {
  const { sources } = await knownOfReport(folder);
  return Array.from({ length: largest(sources.keys()) }, (_, at) => sources.get(at + 1) ?? '');
}

/** See {@link ExportOptions.reportText}; undefined: there is none. */
async function reportOf(
  { reportText, run }: ExportOptions,
  folder: string,
  record: RunRecord | undefined,
): Promise<string | undefined> {
  if (reportText !== undefined && reportText.trim() !== '') {
    if (reportText.length > longestReport) throw tooLarge('The text');
    return reportText;
  }
  const saved =
    record?.path !== undefined && isAbsolute(record.path)
      ? await readReportFile(record.path).catch(() => undefined)
      : undefined;
  // Another report may have taken its place.
  if (saved !== undefined && readReport(saved).fields['run'] === run) return saved;
  return readReportFile(join(folder, runFiles.report));
}

async function readReportFile(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found && found.size > longestReport) throw tooLarge(path);
  const text = await readText(path, `read the report ${path}`);
  return text === undefined || text.trim() === '' ? undefined : text;
}

function tooLarge(what: string): ResearchError {
  return new ResearchError('badRequest', `${what} is too large to be a report (over ${longestReport / 1e6} MB).`, {
    next: 'Export the folder of the run as a zip.',
  });
}

async function writeZip(
  file: FileHandle,
  folder: string,
  target: string,
  run: string,
  report: string | undefined,
): Promise<void> {
  const kept = await readText(join(folder, runFiles.report), "read the run's report").catch(() => undefined);
  const own = relative(folder, target).split(sep).join('/');
  await zipFolder(file, {
    folder,
    top: run,
    // Beside the report as it was written.
    added:
      report === undefined || report === kept
        ? []
        : [{ name: kept === undefined ? runFiles.report : 'report.edited.md', text: report }],
    leaveOut: (path) =>
      path === runFiles.lock ||
      path.startsWith(`${runFiles.lock}.`) ||
      path.endsWith('.tmp') ||
      path === own ||
      (path === runFiles.report && kept === undefined),
  });
}

async function writeWhole(target: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await replaceFile(target, async (file) => {
      await write(file);
      await file.sync();
    });
  } catch (error) {
    throw ResearchError.is(error) ? error : storageError(error, `write the export ${target}`);
  }
}

/** Undefined when there is no such file. */
async function readText(path: string, what: string): Promise<string | undefined> {
  try {
    return await readRegular(path, longestFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw storageError(error, what);
  }
}
