import { composeVersion } from '../files/composeVersion.ts';
import { changedSections } from '../files/mergeReports.ts';
import { knownOfReport, listVersions, readHead, versionPath } from '../files/readVersions.ts';
import { addVersion, alone } from '../files/versions.ts';
import { plainText } from '../research/evidence/metadata.ts';
import { yamlText } from '../research/report/reportFile.ts';
import type { ReportSink, WrittenChange } from '../research/ports.ts';
import { storageError } from './storageError.ts';

interface ChangedReport {
  /** Folder of the run whose report is changed. */
  readonly folder: string;
  /** Id of the follow-up. */
  readonly run: string;
  readonly question: string;
  readonly tails: readonly string[];
  /** Numbers of sources that are left out. */
  readonly without?: readonly number[] | undefined;
  /** See {@link ReportSink.toWorkspace}. */
  readonly toWorkspace?: string | undefined;
}

/** Saves what a follow-up has written as a new version of its parent's report; an answer is saved nowhere. */
export function versionSink({ folder, run, question, tails, without = [], toWorkspace }: ChangedReport): ReportSink {
  return {
    toWorkspace,
    save: async (_, __, change) => {
      // A statement that could not be judged changes nothing.
      if (change === undefined || (change.as === 'challenge' && change.judged === undefined)) return undefined;
      try {
        const number = await alone(folder, async () => {
          // It may have been saved by a process that was killed.
          const saved = (await listVersions(folder)).find((one) => one.run === run);
          return saved?.number ?? add(change);
        });
        return number === undefined ? undefined : versionPath(folder, number);
      } catch (error) {
        throw storageError(error, `save the new version of the report in ${folder}`);
      }
    },
  };

  async function add({
    as,
    target,
    claims,
    refreshed,
    judged,
    title,
    parts = [],
    ...fragment
  }: WrittenChange): Promise<number | undefined> {
    const base = await readHead(folder);
    const called =
      judged !== undefined
        ? `${judged.outcome}: “${plainText(target, 120)}”`
        : refreshed === undefined
          ? question
          : tails[0]!;
    const { sources } = await knownOfReport(folder);
    const type =
      refreshed !== undefined
        ? ({ type: 'refresh', tails, ...refreshed } as const)
        : as === 'rewrite'
          ? ({ type: 'whole', title: yamlText(title), parts, without } as const)
          : judged !== undefined
            ? ({ type: 'sentence', sentence: target, ...judged } as const)
            : ({ type: 'section', heading: target, tails } as const);
    const entry = `${new Date().toISOString().slice(0, 10)}: ${plainText(called, 160)}`;
    const { text, numbers, gone } = composeVersion(base, fragment, type, sources, entry);
    // A statement that holds, or that the report has no more.
    if (changedSections(base, text).length === 0) return undefined;
    const numberOf = (own: number) => numbers.get(own) ?? own;
    const renamed = parts.flatMap(({ was, is }) => (was === is ? [] : [[is, was] as const]));
    const all = new Map([...sources, ...fragment.order.map((id, index) => [numberOf(index + 1), id] as const)]);
    return addVersion(folder, {
      ...{ kind: as, run, title: called, state: 'waiting', gone, text, base },
      ...(renamed.length > 0 && { renamed: Object.fromEntries(renamed) }),
      sources: Object.fromEntries(all),
      statements: claims.map(({ sentence, citations, verdict, reason, section, passages }) => ({
        ...{ sentence, citations: citations.map(numberOf), verdict, ...(reason && { reason }) },
        // A corrected sentence is where the challenged one was.
        ...(section !== undefined && judged === undefined && { section }),
        passages: passages.map(({ source, text: words, place }) => ({
          ...{ source, text: words, ...(place !== undefined && { place }) },
          number: numberOf(fragment.order.indexOf(source) + 1),
        })),
      })),
    });
  }
}
