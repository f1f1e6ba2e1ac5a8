import path from 'node:path';
import { knownOfReport, listVersions, readHead } from '../../files/readVersions.ts';
import { citedSections } from '../../files/reportSections.ts';
import { judgedTexts } from '../../files/findStatements.ts';
import { markersOf } from '../../files/references.ts';
import type { ReportThread, ThreadText } from '../../protocol/messages.ts';
import { largest } from '../../protocol/numbers.ts';
import type { RunView } from '../../protocol/runView.ts';
import { RunCatalogue } from '../../runs/runCatalogue.ts';
import { hasReport, titleOf } from '../../runs/runEntry.ts';
import { bodyOf } from '../reports/reportText.ts';
import type { ResearchWindow } from '../researchWindow.ts';
import { followUpChoices, tokensOf } from './askAboutRun.ts';

/** Answers that are shown beneath a report, and runs about it that are named: the latest. */
const mostAnswers = 20;

/**
 * The report that the shown run wrote, or is about, with the answers to what was asked about it. Undefined while there is none.
 * @param read Gives the view of a saved run.
 */
export async function threadOf(
  host: Pick<ResearchWindow, 'session' | 'runsFolder' | 'log' | 'describeSetup'>,
  read: (run: string) => Promise<RunView | undefined>,
): Promise<ReportThread | undefined> {
  const { runsFolder } = host;
  const shown = host.session.view;
  const { run, parent } = shown;
  const about = parent ?? run;
  const catalogue = new RunCatalogue(runsFolder, host.log);
  const entry = catalogue.read(about);
  if (!entry || !hasReport(entry)) return undefined;
  const folder = path.join(runsFolder, about);
  const head = await readHead(folder).catch(() => '');
  const accepted = (await listVersions(folder)).filter(({ state }) => state === 'accepted');
  const version = accepted.at(-1)?.number ?? 1;
  const children = catalogue.list().filter((one) => one.parent === about);
  const answers = children
    .filter((one) => hasReport(one) && one.path === undefined)
    .filter((one) => parent === undefined || one.run < run)
    .slice(0, mostAnswers)
    .reverse();
  const texts = await Promise.all(
    answers.map(async (answer) => {
      const view = await read(answer.run);
      return view?.report.unchanged ? undefined : view && textOf(view, view.report);
    }),
  );
  const { analyst, estimate } = await host.describeSetup();
  const tokens = analyst === 'llm' ? (await tokensOf(runsFolder, about)) || (estimate?.tokens ?? 0) : 0;
  const own = parent === undefined ? shown : await read(about);
  const isOther = (parent !== undefined || version > 1) && head !== '' && own !== undefined;
  const changes = isOther ? await Promise.all(accepted.flatMap((one) => (one.run ? [read(one.run)] : []))) : [];
  const sources = [own, ...changes].flatMap((view) => view?.sources ?? []);
  return {
    ...{
      run,
      title: titleOf(entry),
      version,
      sections: await headingsOf(folder, head),
      choices: followUpChoices(tokens),
    },
    asked: children.slice(0, mostAnswers).map((one) => ({ run: one.run, question: one.question ?? '' })),
    ...(isOther && {
      report: textOf({ run: about, sources }, { text: bodyOf(head), citations: await citationsOf(folder, head) }),
    }),
    answers: texts.filter((text) => text !== undefined),
  };
}

function textOf(
  { run, sources }: Pick<RunView, 'run' | 'sources'>,
  { text, citations }: ThreadText['report'],
): ThreadText {
  const cited = new Set(citations);
  return { run, report: { text, citations }, sources: sources.filter(({ id }) => cited.has(id)) };
}

/** Ids of the sources that a report cites, by number: not every number is in use. */
async function citationsOf(folder: string, report: string): Promise<readonly string[]> {
  const { sources } = await knownOfReport(folder);
  const cited = new Set(markersOf(report).map(({ number }) => number));
  const idOf = (number: number) => (cited.has(number) ? (sources.get(number) ?? '') : '');
  return Array.from({ length: largest([0, ...cited]) }, (_, index) => idOf(index + 1));
}

/** Headings of the sections that can be researched again. */
async function headingsOf(folder: string, report: string): Promise<readonly string[]> {
  const judged = judgedTexts(report, (await knownOfReport(folder)).evidence);
  return citedSections(report, report, judged).flatMap(({ heading, change }) => (change === 'any' ? [heading] : []));
}
