import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ownSections, quotedStatement } from '../files/composeVersion.ts';
import { itemsOf } from '../files/mergeReports.ts';
import { unescaped } from '../files/references.ts';
import { accountKey, partsOf, referencesKey } from '../files/reportParts.ts';
import { readRegular, recordLimit, reportLimit } from '../files/regularFile.ts';
import { type Evidence, plainPassage } from '../files/evidence.ts';
import { presentIn } from '../files/findStatements.ts';
import { keyOf } from '../files/statementKey.ts';
import { knownOfReport, listVersions } from '../files/readVersions.ts';
import { isSameFolder } from '../files/sameFolder.ts';
import type { FollowUp } from '../protocol/ports.ts';
import type { ReportVersion } from '../protocol/reportVersion.ts';
import type { RunRecord } from '../protocol/runRecord.ts';
import { loadTexts, textsIn } from '../research/languages/texts.ts';
import { detectLanguage } from '../research/text/language.ts';
import { readRecordFile } from '../files/runRecordFile.ts';
import { runFiles } from '../protocol/runFolder.ts';
import { ResearchError } from '../research/errors.ts';
import { readReport } from '../research/export/frontMatter.ts';
import { readStoredSources, type StoredSource } from '../research/export/storedSources.ts';
import { attachedKind, type CitedSource, mostReadBytes, type ParentRun } from '../research/ports.ts';
import { reportAt } from './changeVersion.ts';
import { readForeignReport, readReportFile } from './foreignReport.ts';
import { isRunId, refuseForeign } from './runStore.ts';

/** Bytes of `sources.json`, and of the text of one source in UTF-8. */
const longestList = 10 * recordLimit;
const longestText = 2 * mostReadBytes;
/** Runs of a thread whose folders are looked into. */
const mostGenerations = 50;

/**
 * What a finished run has read, and its report. Rejects with `badRequest` for a run that is unknown, not finished, or without readable
 * sources.
 * @param words What is asked.
 * @param showsFiles Texts of the workspace may be shown to a model.
 * @param workspace Of today: the record of a run that was copied may name any folder.
 */
export async function readParent(
  runsFolder: string,
  asked: FollowUp,
  words: string,
  showsFiles: boolean,
  workspace: string | undefined,
): Promise<ParentRun> {
  const { file, ...named } = asked;
  const isHere = isRunId(named.run) && (await readRecordFile(join(runsFolder, named.run))) !== undefined;
  const given = file === undefined || isHere ? undefined : await readReportFile(file);
  // Of a resumed follow-up: a path in its record may lead to anything.
  if (given && named.run !== '' && given.run !== named.run)
    throw problem(`${file!} is the report of another run.`, 'Ask about it anew.');
  const known = given && (await readRecordFile(join(runsFolder, given.run)));
  if (given && !known) return readForeignReport(resolve(file!), named, given, showsFiles);
  const { run, ...wanted } = await ofReport(runsFolder, { ...named, run: given?.run ?? named.run });
  const folder = join(runsFolder, run);
  if (isRunId(run)) await refuseForeign(folder);
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
  const folders = [folder];
  for (let next = saved.record.parent; next !== undefined && isRunId(next) && folders.length < mostGenerations;) {
    folders.push(join(runsFolder, next));
    await refuseForeign(folders.at(-1)!);
    next = (await readRecordFile(folders.at(-1)!))?.record.parent;
  }
  const documents: ParentRun['documents'][number][] = [];
  let hidesFiles = false;
  for (const source of readStoredSources(json)) {
    if (source.file !== undefined && !showsFiles) {
      hidesFiles = true;
      continue;
    }
    const text = await textOf(source, folders);
    if (text.trim() !== '') documents.push(documentOf(source, text));
  }
  if (documents.length === 0)
    throw problem(`Nothing of what the run ${run} has read can be read any more.`, 'Ask it as a question of its own.');
  const { question, created } = saved.record;
  const language = languageOf(saved.record, report, await listVersions(folder));
  const { evidence, sources, calls } = await knownOfReport(folder);
  const tails = await tailsOf({ language, question });
  const left = new Set((wanted.without ?? []).flatMap((number) => sources.get(number) ?? []));
  const sections = sectionsOf(report, tails, evidence, left);
  const quoted = quotedStatement(report, words);
  const section = wanted.section === undefined ? {} : { section: headingOf(wanted.section, sections) };
  return {
    ...{ run, question, language, documents, calls, toWorkspace: await toWorkspaceOf(saved.record, workspace) },
    ...(wanted.refresh && {
      refresh: { since: await lastLook(folder, created), cited: citedIn(report, tails, evidence, sources) },
    }),
    wanted: { ...wanted, ...section, ...(file !== undefined && { file: resolve(file) }) },
    // A report quotes the files that it cites; what the question has of it is known.
    report: hidesFiles ? '' : readReport(report).markdown,
    quoted: hidesFiles && keyOf(quoted ?? '') !== keyOf(words) ? undefined : quoted,
    sections: hidesFiles ? sections.map(({ title }) => ({ title, findings: [] })) : sections,
  };
}

/** From where the report was saved, if it is there. */
async function toWorkspaceOf({ run, path, workspace }: RunRecord, today: string | undefined) {
  if (path === undefined || workspace === undefined || today === undefined) return undefined;
  if (!isSameFolder(workspace, today)) return undefined;
  const steps = relative(dirname(path), workspace);
  return isAbsolute(steps) || !(await reportAt(path, run)) ? undefined : steps.split(sep).join('/');
}

/** What is asked of a change is asked of the report that it changes. */
async function ofReport(runsFolder: string, asked: FollowUp): Promise<FollowUp> {
  const { record } = (isRunId(asked.run) ? await readRecordFile(join(runsFolder, asked.run)) : undefined) ?? {};
  const isChange = record?.path !== undefined && basename(dirname(record.path)) === runFiles.versions;
  return isChange && record.parent !== undefined ? { ...asked, run: record.parent } : asked;
}

/** That of its settings or its question; of a report that was written again, possibly in another language, that of its own words. */
function languageOf(
  { settings, question }: Pick<RunRecord, 'settings' | 'question'>,
  report: string,
  versions: readonly ReportVersion[],
): string {
  const set = settings['report.language'];
  if (!versions.some(({ kind, state }) => kind === 'rewrite' && state === 'accepted'))
    return typeof set === 'string' && set !== 'auto' ? set : detectLanguage(question);
  const own = partsOf(readReport(report).markdown).filter(({ key }) => key !== referencesKey && key !== accountKey);
  return detectLanguage(own.map(({ text }) => text.replace(/^>.*$/gm, '')).join('\n'));
}

/**
 * Headings of a report that are none of its sections: that of a list of changes, which is above them, and those behind them. One that was
 * written again in another language may have some in that of its question.
 */
export async function tailsOf({ language, question }: Pick<ParentRun, 'language' | 'question'>): Promise<string[]> {
  const all: string[] = [];
  for (const one of [language, detectLanguage(question)]) {
    await loadTexts(one);
    const { analysis, conclusion, furtherQuotes, disagree, notAnswered, references, howMade, refresh } = textsIn(
      one,
      'report',
    );
    all.push(refresh.heading, analysis, conclusion, furtherQuotes, disagree.heading, notAnswered, references, howMade);
  }
  return all;
}

/** When the sources of a report were looked at last, `YYYY-MM-DD`: by its run, or an accepted refresh. */
async function lastLook(folder: string, created: string): Promise<string> {
  const versions = await listVersions(folder);
  const last = versions.findLast(({ kind, state }) => kind === 'refresh' && state === 'accepted');
  return (last?.at ?? created).slice(0, 10);
}

/** The sources that a report cites, with the words that it rests on. */
function citedIn(
  report: string,
  tails: readonly string[],
  evidence: readonly Evidence[],
  sources: ReadonlyMap<number, string>,
): readonly CitedSource[] {
  const own = new Set(ownSections(report, tails).map(({ key }) => key));
  // Of a sentence that was written again, what it was written from last.
  const latest = [...new Map(evidence.map((one) => [one.key, one])).values()];
  const passages = partsOf(report).flatMap(({ key, text }) =>
    presentIn(text, latest).flatMap((one) =>
      one.passages.map((passage) => ({
        source: passage.source,
        quote: plainPassage(passage),
        section: own.has(key) ? key : '',
      })),
    ),
  );
  return [...itemsOf(report)].flatMap(([number, reference]) => {
    const source = sources.get(number);
    return source === undefined
      ? []
      : [{ number, source, reference, passages: passages.filter((passage) => passage.source === source) }];
  });
}

/**
 * The sections of a report with the findings that their statements rest on, which may rest on the same passage; what only its frame rests
 * on is in the last one.
 */
function sectionsOf(
  report: string,
  tails: readonly string[],
  evidence: readonly Evidence[],
  left: ReadonlySet<string>,
): ParentRun['sections'] {
  const known = presentIn(report, evidence);
  const findingsOf = (text: string) => {
    const key = keyOf(text);
    const all = known
      .filter((one) => key.includes(one.key))
      .flatMap(({ sentence, passages }) => {
        // What a statement says may rest on the source that is left out alone.
        const isPart = passages.some(({ source = '' }) => left.has(source));
        return passages.flatMap((passage) => {
          const { source = '' } = passage;
          const quote = plainPassage(passage);
          const claim = isPart ? quote.replace(/\s+/g, ' ').trim() : sentence;
          return source === '' || left.has(source) ? [] : [{ claim, quote, source }];
        });
      });
    return [...new Map(all.map((one) => [keyOf(one.claim) + one.source + one.quote, one])).values()];
  };
  const sections = ownSections(report, tails).map(({ key, text }) => ({ title: key, findings: findingsOf(text) }));
  const passageOf = ({ source, quote }: { readonly source: string; readonly quote: string }) => source + quote;
  const inSections = new Set(sections.flatMap(({ findings }) => findings.map(passageOf)));
  const rest = findingsOf(report).filter((finding) => !inSections.has(passageOf(finding)));
  return sections.map((one, index) =>
    index < sections.length - 1 ? one : { ...one, findings: [...one.findings, ...rest] },
  );
}

/** The heading of a section by its title, or by its number as a plan has it: `2` or `s2`. */
function headingOf(wanted: string, sections: ParentRun['sections']): string {
  const named = wanted.trim().toLowerCase();
  const number = Number(/^s?(\d{1,3})$/.exec(named)?.[1]);
  const found =
    sections.find(({ title }) => title === wanted.trim()) ??
    sections.find(({ title }) => [title, unescaped(title)].some((one) => one.toLowerCase() === named)) ??
    sections[number - 1];
  if (found) return found.title;
  const list = sections.map(({ title }, index) => `${index + 1} ${unescaped(title)}`).join('; ');
  throw problem(`The report has no section "${wanted.slice(0, 200)}".`, `It has: ${list}.`);
}

async function textOf({ id }: StoredSource, folders: readonly string[]): Promise<string> {
  for (const folder of folders) {
    const text = await readRegular(join(folder, runFiles.evidence, `${id}.txt`), longestText).catch(() => '');
    if (text !== '') return text;
  }
  return '';
}

function documentOf(source: StoredSource, text: string): ParentRun['documents'][number] {
  const { id, identity, kind, title, authors, date, url, file, standing, facts, alreadyCited, retrievedAt } = source;
  const isPrivate = file !== undefined || kind === attachedKind;
  return {
    ...{ id, identity, kind, title, authors, facts, alreadyCited, retrievedAt, text, isPrivate },
    ...(date === undefined ? {} : { date }),
    ...(url === undefined ? {} : { url }),
    ...(file === undefined ? {} : { file }),
    ...(standing === undefined ? {} : { standing }),
  };
}

function problem(message: string, next: string): ResearchError {
  return new ResearchError('badRequest', message, { next });
}
