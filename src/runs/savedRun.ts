import path from 'node:path';
import { readRecord } from '../files/amendRecord.ts';
import { openRegular } from '../files/regularFile.ts';
import { parseEvent } from '../protocol/events.ts';
import { interrupted, type InterruptedStrings } from '../protocol/interrupted.ts';
import { emptyView, reduceRun } from '../protocol/reduceRun.ts';
import type { RunRecord } from '../protocol/runRecord.ts';
import type { RunView } from '../protocol/runView.ts';
import { parseJson } from '../protocol/json.ts';

/** A run of 30 sections writes 2-5 MB of events; reading more could freeze the window. */
const maxBytes = 64 * 1024 * 1024;

/**
 * The view of a run, from its `events.ndjson`. A run that never ended was interrupted (reloaded window, killed host):
 * it is shown with all that it had found, or only with its question when it was interrupted before its first event was
 * written. Undefined when nothing of it can be read.
 */
export async function readSavedRun(
  runsFolder: string,
  run: string,
  strings: InterruptedStrings,
  limit = maxBytes,
): Promise<RunView | undefined> {
  const view = await readWrittenRun(runsFolder, run, limit);
  return view && interrupted(view, strings);
}

/** Events of one type: what a folder from elsewhere lists beyond them is not shown, since each is compared with all before. */
const mostOfType = 5_000;

/**
 * What the events of a run say so far, whether or not a process still writes them. Lines that are torn, unknown or of another run are
 * skipped; the run's record replaces a lost first event. Undefined when nothing of it can be read.
 */
export async function readWrittenRun(runsFolder: string, run: string, limit = maxBytes): Promise<RunView | undefined> {
  // The name comes from the editor's storage; it never leaves the folder.
  if (!/^[\w-][\w.-]*$/.test(run)) return undefined;
  let view: RunView | undefined;
  const pieces: Piece[] = [];
  const seen = new Map<string, number>();
  const isTooMany = (type: string): boolean => {
    const count = (seen.get(type) ?? 0) + 1;
    seen.set(type, count);
    return count > mostOfType && type !== 'report/delta';
  };
  const begun = async (): Promise<RunView | undefined> => {
    const record = await readRecord(runsFolder, run);
    return record && begunAs(record);
  };
  const file = await openRegular(path.join(runsFolder, run, 'events.ndjson')).catch(() => undefined);
  const stream = file?.createReadStream({ encoding: 'utf8', end: limit - 1 });
  try {
    for await (const line of linesOf(stream ?? [])) {
      const event = parseEvent(parseJson(line));
      if (event?.run !== run || isTooMany(event.type)) continue;
      view ??= (event.type === 'run/started' ? undefined : await begun()) ?? emptyView();
      // The text is joined once: a delta may go back, and each would copy it.
      if (event.type === 'run/started' && view.run !== run) pieces.length = 0;
      if (event.type === 'report/delta' && event.seq > view.lastSeq) addPiece(pieces, event);
      view = reduceRun(view, event.type === 'report/delta' ? { ...event, offset: 0, text: '' } : event);
    }
  } catch {
    // What was read until then is shown.
  } finally {
    stream?.destroy();
  }
  if (view === undefined || view.run === '') return begun();
  return { ...view, report: { ...view.report, text: pieces.map(({ text }) => text).join('') } };
}

interface Piece {
  readonly offset: number;
  readonly text: string;
}

/** Adds a piece of a text; what was behind its offset is gone, as `reduceRun` has it. */
function addPiece(pieces: Piece[], { offset, text }: Piece): void {
  for (let last = pieces.at(-1); last && last.offset >= offset; last = pieces.at(-1)) pieces.pop();
  const last = pieces.pop();
  if (last) pieces.push({ offset: last.offset, text: last.text.slice(0, offset - last.offset) });
  const end = last ? last.offset + Math.min(last.text.length, offset - last.offset) : 0;
  pieces.push({ offset: Math.min(offset, end), text });
}

/**
 * The lines of a text that comes in pieces. Only `\n` ends one: JSON leaves U+2028 as it is, which readline splits at.
 */
async function* linesOf(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const [first = '', ...others] = piece.split('\n');
    if (others.length === 0) {
      rest += first;
      continue;
    }
    yield rest + first;
    rest = others.pop() ?? '';
    yield* others;
  }
  yield rest;
}

/** The view of a run without events. */
function begunAs({ run, question, strategy, provider, model, created }: RunRecord): RunView {
  return {
    ...emptyView(),
    run,
    status: 'running',
    question,
    strategy,
    provider,
    model,
    analyst: model === null ? 'extractive' : 'llm',
    startedAt: created,
    updatedAt: created,
  };
}
