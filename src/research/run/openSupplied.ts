import * as z from 'zod';
import { ResearchError } from '../errors.ts';
import type { TakePage } from '../ports.ts';
import type { SectionState } from '../state.ts';
import type { ResearchTool } from '../tools.ts';
import { givenTool } from './attached.ts';
import type { RunContext, CallPort, EvidencePort } from './runContext.ts';
import { type Place, placeSchema, type SuppliedPort } from './supplied.ts';

/**
 * Lets the user give the text of pages that the run can't read, while it runs. What was given before it was resumed is taken from its
 * journal.
 */
export async function openSupplied(run: RunContext, port: SuppliedPort | undefined, language: string): Promise<void> {
  const take = async (page: Parameters<TakePage>[0] | undefined, key: string, place: Place): Promise<void> => {
    const call = { key: `${key}/read`, tool: toolOf(page, port), args: { url: place.url } };
    const { sources } = await run.calls.tool({ ...call, context: { focus: '', language } }, run.signal);
    const [id] = sources;
    if (id !== undefined && run.supplied.add(place, id))
      run.emit({ type: 'page/supplied', url: place.url, source: id });
  };
  for (let index = 0; ; index += 1) {
    const place = placeSchema.safeParse(run.replay.recorded(`supplied/${index}`));
    if (!place.success) break;
    const { key } = run.supplied.next(place.data.url);
    // One that could not be read, or was lost with the process, is given again.
    await take(undefined, key, place.data).catch((error: unknown) => {
      if (run.signal.aborted) throw error;
    });
  }
  const given: TakePage = async (page) => {
    if (run.supplied.isClosed || run.signal.aborted) throw tooLate();
    const { key, place } = run.supplied.next(page.url);
    await run.replay.observed(key, () => place);
    await take(page, key, place);
  };
  for (const page of port?.pages ?? [])
    await given(page).catch((error: unknown) => {
      if (run.signal.aborted) throw error;
      run.warn({ kind: 'attached.unread', name: page.url, error: ResearchError.from(error) });
    });
  port?.offer?.(given);
}

function tooLate(): ResearchError {
  return new ResearchError('finish', 'The report is being written already.', {
    next: 'Rerun the question: the page is attached to it.',
  });
}

/** Ids of sources, as the journal has them. */
export const idsSchema = z.array(z.string()).catch([]);

/** What a section's distillation is given of the user's pages, in the journal. */
export async function suppliedFor(
  run: CallPort & EvidencePort,
  { id, attempt }: SectionState,
): Promise<readonly string[]> {
  const { value } = await run.replay.observed(suppliedKey(id, attempt), () => run.supplied.of(id));
  return idsSchema.parse(value);
}

/** Where the journal has what {@link suppliedFor} gave. */
export function suppliedKey(section: string, attempt: number): string {
  return `section/${section}/${attempt}/supplied`;
}

function toolOf(page: Parameters<TakePage>[0] | undefined, port: SuppliedPort | undefined): ResearchTool {
  const description = 'Reads the text that the user gave for a page.';
  return givenTool(
    { name: 'read_given_page', description, parameters: z.object({ url: z.string() }) },
    page && port && ((_args, signal) => port.read(page, signal)),
    'Give it again.',
  );
}
