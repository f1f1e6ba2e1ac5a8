import * as z from 'zod';
import { ResearchError } from '../errors.ts';
import { parseJson } from '../../protocol/json.ts';

const texts = z.array(z.string()).readonly().catch([]);
const storedSource = z.object({
  id: z.string().regex(/^S[0-9a-f]{5,64}$/),
  kind: z.string(),
  identity: z.string(),
  title: z.string(),
  authors: texts,
  date: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  file: z
    .object({ path: z.string(), firstLine: z.number(), lastLine: z.number(), isCode: z.literal(true).optional() })
    .optional()
    .catch(undefined),
  standing: z.enum(['retracted', 'withdrawn', 'doubted']).optional().catch(undefined),
  retrievedAt: z.string().catch(''),
  facts: texts,
  alreadyCited: z.boolean().catch(false),
  aliases: texts,
});
/** A source as `sources.json` has it: without its text, with every identity that it was found under. */
export type StoredSource = Readonly<z.infer<typeof storedSource>>;
const storedSources = z.object({ version: z.literal(1), sources: z.array(z.unknown()) });

/** Reads `sources.json` (`EvidenceRegistry.toJson`). An entry that is damaged is left out; rejects a file that is none of ours. */
export function readStoredSources(json: string): StoredSource[] {
  const read = storedSources.safeParse(parseJson(json));
  if (!read.success) {
    throw new ResearchError(
      'badRequest',
      "The list of this run's sources (sources.json) is damaged, so its references cannot be exported.",
      {
        next: "Export a web page or a zip instead; they don't need it.",
      },
    );
  }
  return read.data.sources.flatMap((entry) => storedSource.safeParse(entry).data ?? []);
}
