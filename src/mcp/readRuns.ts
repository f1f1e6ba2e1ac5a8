import { join } from 'node:path';
import { readRegular, recordLimit, reportLimit } from '../files/regularFile.ts';
import { plainPassage } from '../files/evidence.ts';
import { presentIn } from '../files/findStatements.ts';
import { referencesOf } from '../files/references.ts';
import { knownOfReport } from '../files/readVersions.ts';
import { partsOf } from '../files/reportParts.ts';
import { isSameFolder } from '../files/sameFolder.ts';
import { runFiles } from '../protocol/runFolder.ts';
import type { Log } from '../protocol/ports.ts';
import { ResearchError } from '../research/errors.ts';
import { readReport } from '../research/export/frontMatter.ts';
import { readStoredSources } from '../research/export/storedSources.ts';
import { PassageIndex } from '../research/text/passageIndex.ts';
import { cutPassages } from '../research/text/passages.ts';
import { readQuery } from '../research/text/query.ts';
import { RunCatalogue } from '../runs/runCatalogue.ts';
import { hasReport, type RunEntry, titleOf } from '../runs/runEntry.ts';

/** Newest reports that a search reads. */
const mostSearched = 100;
/** Statements of one citation that are given. */
const mostStatements = 10;

export interface Section {
  readonly title: string;
  readonly text: string;
}

/** Where runs are read from, and what of the workspace may be shown. */
export interface ReadRuns {
  readonly runsFolder: string;
  readonly workspaceFolder: string | undefined;
  /** Texts of the workspace may be shown to a model. */
  readonly showsFiles: boolean;
  readonly log: Log;
}

/** Finished runs of the workspace, newest first. */
export function reportsOf({ runsFolder, workspaceFolder, log }: ReadRuns): RunEntry[] {
  return new RunCatalogue(runsFolder, log)
    .list()
    .filter((entry) => hasReport(entry) && isSameFolder(entry.workspace, workspaceFolder));
}

/** The report of a run, without front matter. Rejects with `badRequest` when it has none, with `config` when it must not be shown. */
export async function reportOf(runs: ReadRuns, run: string): Promise<string> {
  const folder = join(runs.runsFolder, run);
  const report = await readRegular(join(folder, runFiles.report), reportLimit).catch(() => undefined);
  if (report === undefined)
    throw new ResearchError('badRequest', `The run ${run} has no report yet.`, {
      next: 'Wait for it with get_research.',
    });
  if (!runs.showsFiles && (await quotesFiles(folder)))
    throw new ResearchError(
      'config',
      'This report quotes files of the workspace, which the settings show to no model.',
      {
        next: 'The user can read it, or set deepResearch.workspace.forModel to content.',
      },
    );
  return readReport(report).markdown;
}

async function quotesFiles(folder: string): Promise<boolean> {
  const json = await readRegular(join(folder, runFiles.sources), 10 * recordLimit).catch(() => undefined);
  return json === undefined || readStoredSources(json).some(({ file }) => file !== undefined);
}

/** The parts of a report by their second-level headings. What is before the first has the title of the report. */
export function sectionsOf(report: string): Section[] {
  return partsOf(report)
    .map(({ text }) => ({ title: /^#{1,2} (.*)/m.exec(text)?.[1]?.trim() ?? '', text: text.trim() }))
    .filter(({ text }) => text !== '');
}

/** What rests on a citation of a report: the statements, how each was judged, and the passages behind them. */
export async function evidenceOf(runs: ReadRuns, run: string, citation: number) {
  const report = await reportOf(runs, run);
  const reference = referencesOf(report).get(citation);
  if (!reference)
    throw new ResearchError('badRequest', `The report has no citation [${citation}].`, {
      next: 'Use a number that the report has.',
    });
  const { evidence } = await knownOfReport(join(runs.runsFolder, run));
  const statements = presentIn(report, evidence)
    .filter(({ citations }) => citations.includes(citation))
    .slice(0, mostStatements)
    .map(({ sentence, verdict, reason, citations, passages }) => ({
      ...{ sentence, verdict, citations: [...citations] },
      ...(reason === undefined ? {} : { reason }),
      passages: passages
        .filter(({ number }) => number === citation)
        .map((passage) => ({ text: plainPassage(passage), ...(passage.place && { place: passage.place }) })),
    }));
  return { id: run, citation, source: reference.text, statements };
}

/** The reports that say most about a question, each with its best passages. */
export async function searchReports(runs: ReadRuns, query: string, limit: number) {
  const index = new PassageIndex();
  const texts = new Map<string, ReturnType<typeof cutPassages>>();
  const entries = new Map(
    reportsOf(runs)
      .slice(0, mostSearched)
      .map((entry) => [entry.run, entry]),
  );
  for (const run of entries.keys()) {
    const report = await reportOf(runs, run).catch(() => undefined);
    if (report === undefined) continue;
    const passages = cutPassages('report.md', report);
    texts.set(run, passages);
    index.add(run, '', passages);
  }
  const { hits } = index.search(readQuery(query), limit * 3);
  const found = [...Map.groupBy(hits, ({ path }) => path)].slice(0, limit);
  return found.map(([run, own]) => ({
    id: run,
    title: titleOf(entries.get(run)!),
    question: entries.get(run)!.question ?? '',
    created: entries.get(run)!.created,
    passages: own.slice(0, 3).map(({ number }) => texts.get(run)![number]!.text),
  }));
}
