import * as z from 'zod';
import { sourceSigns, type SourceChange } from '../../protocol/followUp.ts';
import { ResearchError } from '../errors.ts';
import { plainDate } from '../evidence/metadata.ts';
import type { EvidenceRegistry } from '../evidence/registry.ts';
import type { CitedSource, FoundDocument, ParentRun, ReadDocument, SourceLook } from '../ports.ts';
import type { RunContext } from '../run/runContext.ts';
import { parseJson } from '../text/json.ts';
import type { NamedCall, ResearchTool } from '../tools.ts';
import { callsFor } from './namedSources.ts';

/** Sources that are looked at side by side; hosts have a pace of their own beside it. */
const atOnce = 4;

const changes = Object.keys(sourceSigns) as readonly SourceChange[];
const seenSchema = z.object({
  change: z.enum([...changes, 'same']).exclude(['back']),
  detail: z.string(),
  /** Places of the passages that the source has no more. */
  lost: z.array(z.number()),
});
type Seen = z.infer<typeof seenSchema>;

const same: Seen = { change: 'same', detail: '', lost: [] };

/**
 * Looks at what a report cites: whether it is there, in which version, and whether it has the cited words. A source whose words changed
 * has the text of today; the others have that which was read. A resumed run has its looks from its journal.
 */
export async function lookAgain(run: RunContext, parent: ParentRun): Promise<readonly SourceLook[]> {
  const documents = new Map(parent.documents.map((document) => [document.id, document]));
  const looks: SourceLook[] = [];
  const waiting = (parent.refresh?.cited ?? []).entries();
  const next = async (): Promise<void> => {
    for (const [index, cited] of waiting) {
      const document = documents.get(cited.source);
      const { lost, ...seen } = (document && (await lookAt(run, cited, document, parent.language))) ?? unread;
      const headings = lost.map((place) => cited.passages[place]?.section ?? '');
      looks[index] = { ...cited, ...seen, lost: [...new Set(headings)] };
      if (document && seen.now.length === 0) run.registry.add(document, document.retrievedAt, document.identity);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return looks;
}

const unread = { change: 'unread', detail: '', lost: [], now: [] } as const;

/** Undefined where nothing could be learnt. */
async function lookAt(
  run: RunContext,
  { number, passages }: CitedSource,
  document: ReadDocument,
  language: string,
): Promise<(Seen & Pick<SourceLook, 'now'>) | undefined> {
  const { identity, url } = document;
  const named = { identity, text: '', ...(url !== undefined && { url }) };
  const quotes = passages.map(({ quote }) => quote);
  const context = { focus: '', language, isNamed: true } as const;
  let gone: Seen | undefined;
  for (const [attempt, call] of looksAt(callsFor(named, run.tools), run.tools).entries()) {
    const tool = comparing(
      run.tools.find(({ name }) => name === call.name)!,
      call,
      document,
      quotes,
    );
    if (run.finishSignal.aborted) return undefined;
    try {
      const key = `refresh/${number}/${attempt}`;
      const { note, sources } = await run.calls.tool({ key, tool, args: call.args, context }, run.signal);
      const { data } = seenSchema.safeParse(parseJson(note.split('\n')[0]!));
      if (data === undefined) continue;
      if (data.change !== 'gone') return { ...data, now: sources };
      gone = data;
    } catch (error) {
      if (run.signal.aborted) throw run.signal.reason;
      run.log.debug(`[${number}] could not be looked at: ${ResearchError.from(error).message}`);
    }
  }
  return gone && { ...gone, now: [] };
}

/** A record says what became of a work; where there is none, what its own source has counts before its page. */
function looksAt(calls: readonly NamedCall[], tools: readonly ResearchTool[]): readonly NamedCall[] {
  const isPage = ({ name }: NamedCall) => tools.find((tool) => tool.name === name)?.opensPages === true;
  const records = calls.filter(({ isRecord }) => isRecord);
  const own = calls.filter((call) => !isPage(call));
  return records.length > 0 ? records : own.length > 0 ? own : calls;
}

/** A tool that gives a document where the cited words changed, and in its note what it saw. */
function comparing(
  tool: ResearchTool,
  { isRecord = false }: NamedCall,
  before: ReadDocument,
  quotes: readonly string[],
): ResearchTool {
  return {
    ...tool,
    // What others ask of the same tool has another answer.
    name: `refresh_${tool.name}`,
    run: async (args, context, signal) => {
      const found = await tool.run(args, context, signal).catch((error: unknown) => {
        // A register that knows no such record doesn't say that the work is gone.
        if (isRecord || !ResearchError.is(error, 'notFound')) throw error;
        return undefined;
      });
      const [now] = found?.documents ?? [];
      if (isCut(now, before))
        throw new ResearchError('badAnswer', 'The reading ends before the cited lines.', { next: '' });
      const seen: Seen = !found
        ? { ...same, change: 'gone' }
        : compared(before, now, quotes, { isRecord, isPage: tool.opensPages === true });
      const documents = now && seen.change === 'changed' ? [now] : [];
      return { documents, note: `${JSON.stringify(seen)}\n` };
    },
  };
}

/** What is behind the end of a reading may be there all the same. */
function isCut(now: FoundDocument | undefined, { file }: ReadDocument): boolean {
  return now?.file !== undefined && file !== undefined && now.file.lastLine < file.lastLine && now.text.length > 20_000;
}

function compared(
  before: ReadDocument,
  now: FoundDocument | undefined,
  quotes: readonly string[],
  { isRecord, isPage }: { readonly isRecord: boolean; readonly isPage: boolean },
): Seen {
  const standing = now?.standing;
  if (standing !== undefined && standing !== before.standing) return { ...same, change: standing };
  const text = folded(now?.text ?? '');
  const lost = isRecord ? [] : quotes.flatMap((quote, place) => (has(text, quote) ? [] : [place]));
  if (lost.length > 0) return { change: 'changed', detail: '', lost };
  const [was, is] = [versionOf(before), versionOf(now)];
  if (was > 0 && is > was) return { ...same, change: 'newer', detail: `v${was} → v${is}` };
  // A page says a new date when its frame is made again, and a file when it is copied.
  const [day, today] = [plainDate(before.date), plainDate(now?.date)];
  const isNewer = !isPage && before.file === undefined && day !== undefined && today !== undefined && today > day;
  return isNewer ? { ...same, change: 'newer', detail: `${day} → ${today}` } : same;
}

/** Of a preprint, as its address says; 0 where it says none. */
function versionOf(document: FoundDocument | undefined): number {
  return Number(/\dv(\d{1,3})$/.exec(document?.url ?? '')?.[1] ?? 0);
}

/** Whether a text has the sentences of a passage, whatever stands between them. */
function has(text: string, quote: string): boolean {
  if (text.includes(folded(quote))) return true;
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(quote)];
  return sentences.every(({ segment }) => text.includes(folded(segment)));
}

/** Its letters and digits: signs, spaces and marks of form change without the words. What is commented out or struck is not said. */
function folded(text: string): string {
  const [first = '', ...rest] = text.split('<!--');
  return [first, ...rest.map((part) => part.slice(part.indexOf('-->') + 1))]
    .join(' ')
    .replace(/~~[^~\n]{1,1000}~~/g, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** A search of what came after a day: what the run knows, and what is older, is left out. Other tools are as they are. */
export function newSince(tool: ResearchTool, since: string, registry: EvidenceRegistry): ResearchTool {
  if (tool.kind !== 'search') return tool;
  return {
    ...tool,
    run: async (args, context, signal) => {
      const result = await tool.run(args, context, signal);
      const isNew = (document: FoundDocument) => {
        const date = plainDate(document.date) ?? '';
        // The date of a file is that of its last change; a work without a date may be new.
        return (document.file ? date > since : date === '' || date >= since) && !registry.has(document);
      };
      const documents = result.documents.filter(isNew);
      const left = result.documents.length - documents.length;
      const note =
        left === 0 ? result.note : `${result.note ?? ''} Left out, because they are not new: ${left}.`.trim();
      return { ...result, documents, ...(note !== undefined && { note }) };
    },
  };
}
