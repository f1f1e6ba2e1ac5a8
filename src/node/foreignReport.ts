import { join } from 'node:path';
import { plainPassage } from '../files/evidence.ts';
import { addressOf, referencesOf, referenceTitle } from '../files/references.ts';
import { evidenceOfSidecar } from '../files/sidecarText.ts';
import { readRegular, reportLimit } from '../files/regularFile.ts';
import { readRecordFile } from '../files/runRecordFile.ts';
import { sidecarOf } from '../files/sidecar.ts';
import type { FollowUpKind } from '../protocol/followUp.ts';
import type { FollowUp } from '../protocol/ports.ts';
import { ResearchError } from '../research/errors.ts';
import { type ReadReport, readReport } from '../research/export/frontMatter.ts';
import { attachedKind, type ParentRun } from '../research/ports.ts';
import { sha256 } from '../research/text/digest.ts';
import { detectLanguage } from '../research/text/language.ts';
import { isRunId } from './runStore.ts';

/** A report's file, with its fields. Rejects with `badRequest` for a file that is none. */
export async function readReportFile(file: string): Promise<ReadReport & { readonly run: string }> {
  const report = readReport(await readRegular(file, reportLimit).catch(() => ''));
  const { run, question } = report.fields;
  if (run === undefined || question === undefined || !isRunId(run))
    throw new ResearchError('badRequest', `${file} is no report of Deep Research.`, {
      next: 'Name the file of a report.',
    });
  return { ...report, run };
}

/** Whether a question about a report can only be researched by itself: its run is not on this machine, and nothing beside it answers. */
export async function isResearchedAlone(
  runsFolder: string,
  file: string,
  as: FollowUpKind = 'answer',
): Promise<boolean> {
  const { run } = await readReportFile(file);
  if ((await readRecordFile(join(runsFolder, run))) !== undefined) return false;
  return as === 'research' || (as === 'answer' && (await sidecarOf(file, run)) === undefined);
}

/**
 * A report whose run is not on this machine: what it rests on is what the file beside it quotes. It can be answered from that alone.
 * Rejects with `badRequest` for anything else, and where nothing is quoted.
 * @param showsFiles Texts of a workspace may be shown to a model.
 */
export async function readForeignReport(
  file: string,
  asked: Omit<FollowUp, 'run'>,
  { fields, markdown, run }: ReadReport & { readonly run: string },
  showsFiles: boolean,
): Promise<ParentRun> {
  const problem = (why: string) =>
    new ResearchError('badRequest', why, { next: 'Research it as a question of its own, with the report attached.' });
  const { as = 'answer', section, without, refresh } = asked;
  if (as !== 'answer' || section !== undefined || without !== undefined || refresh)
    throw problem('The run of this report is not on this machine: its report can be answered about, not changed.');
  const sidecar = await sidecarOf(file, run);
  const passages = Map.groupBy(
    evidenceOfSidecar(sidecar?.text ?? '').flatMap((statement) => statement.passages),
    ({ number }) => number,
  );
  const all = [...referencesOf(markdown)].map(([number, reference]) => {
    const quoted = (passages.get(number) ?? []).map(plainPassage);
    return { ...reference, number, quoted: [...new Set(quoted)].join('\n\n') };
  });
  const shown = all.filter(({ quoted, file: ofFile }) => quoted !== '' && (showsFiles || ofFile === undefined));
  if (shown.length === 0) throw problem('Nothing of what this report rests on is on this machine.');
  const { question = '', created = '' } = fields;
  return {
    ...{ run, question, language: detectLanguage(question), toWorkspace: undefined, wanted: { as, file } },
    documents: shown.map(({ number, text, quoted, file: ofFile }) => {
      const identity = `report:${run}#${number}`;
      const url = addressOf({ text });
      const retrievedAt = /(\d{4}-\d\d-\d\d)\W*$/.exec(text)?.[1] ?? created;
      return {
        ...{
          identity,
          id: `S${sha256(identity).slice(0, 12)}`,
          kind: attachedKind,
          authors: [],
          text: quoted,
          retrievedAt,
        },
        title: referenceTitle(text),
        ...(url !== undefined && { url }),
        isPrivate: ofFile !== undefined,
      };
    }),
    // A report quotes the files that it cites.
    report: shown.length === all.length || showsFiles ? markdown : '',
    sections: [],
  };
}
