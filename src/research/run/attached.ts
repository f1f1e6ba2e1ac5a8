import * as z from 'zod';
import { isStopped, type AttachedPort, attachedKind, type FoundDocument } from '../ports.ts';
import { ResearchError } from '../errors.ts';
import type { ResearchTool, WorkspaceFacts } from '../tools.ts';
import type { CallPort, EventPort, LimitPort, EvidencePort } from './runContext.ts';

/** Documents that one question may have. */
const mostAttached = 40;
/** What the planner sees of each, in UTF-16 units. */
const beginning = 700;
const shownBeginnings = 8;

/**
 * Reads what the user attached to the question into the run's sources, in the user's order. A resumed run takes the documents from its
 * journal, whatever has become of the files. One that can't be read is a warning.
 */
export async function readAttached(
  run: CallPort & EventPort & LimitPort,
  port: AttachedPort | undefined,
  question: string,
  language: string,
): Promise<readonly string[]> {
  const { value } = await run.replay.observed('attached', () => port?.names.slice(0, mostAttached) ?? []);
  const names = z.array(z.string()).catch([]).parse(value);
  const tool = toolOf(port);
  const found = await Promise.all(
    names.map(async (name, index) => {
      if (isStopped(run.reading, { kind: 'file', name })) return [];
      try {
        const call = { key: `attached/${index}`, tool, args: { name }, context: { focus: question, language } };
        const { sources } = await run.calls.tool(call, run.signal);
        return sources;
      } catch (error) {
        if (run.signal.aborted) throw run.signal.reason;
        run.warn({ kind: 'attached.unread', name, error: ResearchError.from(error) });
        return [];
      }
    }),
  );
  return [...new Set(found.flat())];
}

/** What the planner knows of the user's subject, with the beginnings of the attached documents. */
export function withAttached(
  run: EvidencePort,
  ids: readonly string[],
  workspace: WorkspaceFacts | undefined,
): WorkspaceFacts | undefined {
  if (ids.length === 0) return workspace;
  const attached = ids.flatMap((id, index) => {
    const source = run.registry.get(id);
    if (source === undefined) return [];
    return [{ id, title: source.title, beginning: index < shownBeginnings ? source.text.slice(0, beginning) : '' }];
  });
  return { ...(workspace ?? nothingKnown), attached };
}

/** Of a run without a folder. */
export const nothingKnown: WorkspaceFacts = {
  name: '',
  repos: [],
  languages: [],
  packages: [],
  arxivIds: [],
  githubLinks: [],
  fileCount: 0,
};

function toolOf(port: AttachedPort | undefined): ResearchTool {
  return givenTool(
    {
      name: 'read_attached_document',
      description: 'Reads a document that the user attached to the question.',
      parameters: z.object({ name: z.string() }),
    },
    port && (({ name }, signal) => port.read(String(name), signal)),
    'Rerun the question and attach it again.',
  );
}

/**
 * Reading what the user gave is a call like any other: journalled, bounded and shown. No model can make it.
 * @param read Undefined: what was given is gone.
 * @param next What the user does then.
 */
export function givenTool(
  about: Pick<ResearchTool, 'name' | 'description' | 'parameters'>,
  read: ((args: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<FoundDocument>) | undefined,
  next: string,
): ResearchTool {
  return {
    ...about,
    source: attachedKind,
    kind: 'read',
    traits: { label: 'Attached documents', isLocal: true, goodFor: [] },
    run: async (args, _context, signal) => {
      if (read === undefined)
        throw new ResearchError('notFound', 'It was not read before the run was interrupted.', { next });
      return { documents: [await read(args, signal)] };
    },
  };
}
