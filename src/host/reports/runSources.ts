import path from 'node:path';
import * as z from 'zod/mini';
import { parseEvent } from '../../protocol/events.ts';
import { parseJson } from '../../protocol/json.ts';
import { largest } from '../../protocol/numbers.ts';
import { runFiles, runIdPattern } from '../../protocol/runFolder.ts';
import type { SourceView } from '../../protocol/runView.ts';
import { readRegular } from '../../files/regularFile.ts';
import { listVersions } from '../../files/readVersions.ts';
import { readRecord } from '../../files/amendRecord.ts';

/** Bytes of a run's events, of its list of sources, and of the stored text of one. */
export const eventsLimit = 64 * 1024 * 1024;

const stored = z.object({
  sources: z.array(
    z.object({
      ...{ id: z.string(), kind: z.string(), title: z.string() },
      ...{ url: z.optional(z.string()), date: z.optional(z.string()), work: z.optional(z.string()) },
      file: z.optional(z.object({ path: z.string(), firstLine: z.number(), lastLine: z.number() })),
      retrievedAt: z.optional(z.string()),
    }),
  ),
});

/** What a run's folder says of its sources. */
export interface RunSources {
  readonly sources: ReadonlyMap<string, SourceView>;
  /** Ids in the order of their numbers. */
  readonly order: readonly string[];
  /** Days (ISO 8601) by id. */
  readonly retrieved: ReadonlyMap<string, string>;
  /** Pages that could not be read, and why. */
  readonly unread: ReadonlyMap<string, string>;
  /** The folder that the run researched. */
  readonly workspace: string | undefined;
}

export async function readRunSources(runsFolder: string, run: string, events: string): Promise<RunSources> {
  const sources = new Map<string, SourceView>();
  const unread = new Map<string, string>();
  let order: readonly string[] = [];
  for (const line of events.split('\n')) {
    if (!/"source\/added"|"page\/unread"|"citations":\[/.test(line)) continue;
    const event = parseEvent(parseJson(line));
    if (event?.type === 'source/added') sources.set(event.id, event);
    if (event?.type === 'page/unread') unread.set(event.url, event.why);
    if (event?.type === 'report/delta' && event.citations) order = event.citations;
  }
  for (const { sources: numbered } of await listVersions(path.join(runsFolder, run)))
    order = Array.from(
      { length: largest([0, ...Object.keys(numbered).map(Number)]) },
      (_, at) => numbered[at + 1] ?? '',
    );
  const list = stored.safeParse(parseJson(await readOfRun(runsFolder, run, runFiles.sources, eventsLimit)));
  const record = await readRecord(runsFolder, run);
  const saved = list.data?.sources ?? [];
  // What an accepted version has brought is in no event of the run.
  for (const { retrievedAt: _, work, ...source } of saved)
    if (!sources.has(source.id)) sources.set(source.id, { ...source, ...(work !== source.id && { work }) });
  return {
    ...{ sources, order, unread },
    retrieved: new Map(saved.map(({ id, retrievedAt = '' }) => [id, retrievedAt.slice(0, 10)])),
    workspace: record?.workspace,
  };
}

/** The stored text of a source; "" where it is not on this machine. */
export async function readStoredText(runsFolder: string, run: string, source: string): Promise<string> {
  if (!/^S[0-9a-f]{5,64}$/.test(source)) return '';
  return readOfRun(runsFolder, run, path.join(runFiles.evidence, `${source}.txt`), eventsLimit);
}

/** A file of a run; "" where there is none. */
export async function readOfRun(runsFolder: string, run: string, file: string, limit: number): Promise<string> {
  if (!runIdPattern.test(run)) return '';
  return readRegular(path.join(runsFolder, run, file), limit).catch(() => '');
}
