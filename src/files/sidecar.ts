import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isHeldBack } from '../protocol/heldBack.ts';
import { isRecord, parseJson } from '../protocol/json.ts';
import type { ReportVersion } from '../protocol/reportVersion.ts';
import { runFiles, runIdPattern } from '../protocol/runFolder.ts';
import { knownOfReport, listVersions } from './readVersions.ts';
import { readRegular, recordLimit, reportLimit } from './regularFile.ts';
import { replaceFile } from './replaceFile.ts';
import { type Evidence, evidenceOfVersion, idOf } from './evidence.ts';
import { asCited, presentIn } from './findStatements.ts';
import { evidenceOfSidecar, withStatements } from './sidecarText.ts';
import { readRecordFile } from './runRecordFile.ts';

/** Of a file, in UTF-16 units: its front matter holds a question, which has at most 20,000. */
const headLength = 24_000;

export interface Sidecar {
  readonly file: string;
  readonly text: string;
}

/**
 * The file beside a report, which has a number where another file had its name, and the former name of a report that was renamed: it
 * names the run.
 */
export async function sidecarOf(report: string, run: string | undefined): Promise<Sidecar | undefined> {
  const begins = `${path.basename(report).replace(/\.md$/i, '')}.evidence`;
  const names = await readdir(path.dirname(report)).catch(() => []);
  const isNumbered = (name: string) => name.startsWith(begins) && /^(?:-\d{1,5})?\.md$/.test(name.slice(begins.length));
  const others = names.filter((name) => !isNumbered(name) && /\.evidence(?:-\d{1,5})?\.md$/.test(name));
  let first: Sidecar | undefined;
  for (const name of [...names.filter(isNumbered).sort(byNumber), ...(run === undefined ? [] : others)]) {
    const file = path.join(path.dirname(report), name);
    const text = await readRegular(file, reportLimit).catch(() => '');
    // A link may lead to a file that is none of ours, and this one may be written.
    if (text === '') continue;
    const head = text.slice(0, headLength).replaceAll('\r\n', '\n');
    if (run !== undefined && head.includes(`\nevidenceOf: "${run}"\n`)) return { file, text };
    // One of an earlier version does not say whose it is.
    if (isNumbered(name) && !/^evidenceOf:/m.test(head)) first ??= { file, text };
  }
  return first;
}

function byNumber(a: string, b: string): number {
  return a.length - b.length || a.localeCompare(b, 'en');
}

/**
 * Writes the file beside a report again, if there is one, with what is known of the statements that a version has brought into it.
 *
 * @param folder Of the report's run.
 * @param text The report.
 */
export async function updateSidecar(
  report: string,
  folder: string,
  text: string,
  version: Pick<ReportVersion, 'statements'>,
): Promise<void> {
  const sidecar = await sidecarOf(report, path.basename(folder));
  if (!sidecar) return;
  const { evidence } = await knownOfReport(folder);
  const before = presentIn(text, evidenceOfSidecar(sidecar.text));
  const brought = new Set(evidenceOfVersion(version).map(idOf));
  const fresh = asCited(text, presentIn(text, evidence)).filter((latest) => {
    const { key, citations, verdict } = latest;
    // What is quoted with its heading or its code has more words there.
    const isSame = (one: Evidence): boolean => one.key === key || (one.verdict === 'quoted' && one.key.endsWith(key));
    const isThere = before.some((one) => isSame(one) && one.citations.join() === citations.join());
    return !isThere || (brought.has(idOf(latest)) && verdict !== 'quoted');
  });
  const paths = await savedSources(folder);
  const statements = fresh.map((one) => ({
    ...one,
    passages: one.passages.flatMap((passage) =>
      paths.has(passage.source ?? '') ? [{ ...passage, path: paths.get(passage.source!) }] : [],
    ),
  }));
  await replaceFile(sidecar.file, withStatements(sidecar.text, statements, text));
}

/**
 * The sources of a run whose passages may be in a file beside its report, by id, each with the path of its file: by its own settings, and
 * those of each follow-up. What the settings of one were that can't be read is not known.
 */
export async function savedSources(folder: string): Promise<ReadonlyMap<string, string | undefined>> {
  const json = await readRegular(path.join(folder, runFiles.sources), 10 * recordLimit).catch(() => '');
  const runs = new Set((await listVersions(folder)).flatMap(({ run }) => run ?? []));
  const followUps = [...runs].map((run) =>
    runIdPattern.test(run) ? readRecordFile(path.join(path.dirname(folder), run)) : undefined,
  );
  const records = await Promise.all([readRecordFile(folder), ...followUps]);
  const isContent = records.every((one) => one?.record.settings['workspace.forModel'] === 'content');
  const forModel = isContent ? 'content' : 'off';
  const list = parseJson(json);
  const sources = isRecord(list) && Array.isArray(list['sources']) ? (list['sources'] as unknown[]) : [];
  const paths = sources.flatMap((one): [string, string | undefined][] => {
    if (!isRecord(one) || typeof one['id'] !== 'string') return [];
    const { id, kind, file, isPrivate } = one;
    if (isHeldBack({ kind: String(kind), file, isPrivate: isPrivate === true }, forModel)) return [];
    return [[id, isRecord(file) && typeof file['path'] === 'string' ? file['path'] : undefined]];
  });
  return new Map(paths);
}
