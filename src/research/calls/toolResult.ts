import * as z from 'zod';
import { ResearchError } from '../errors.ts';
import { folderReach, wordFates } from '../text/wordFates.ts';
import type { ToolResult } from '../tools.ts';
import { type FoundDocument, outsideKind, type SourceKind } from '../ports.ts';
import { isRecord } from '../../protocol/json.ts';

const kindShape = /^[a-z][a-z0-9-]{0,39}$/;
/** Limits of a result: characters of one document's text, and number of documents. */
const maxText = 1_000_000;
const maxDocuments = 200;
/** Characters of all texts of a result: it is stored as one line, which Stop has to wait for. */
const maxTexts = 5_000_000;
const maxLine = 2_000;

const line = (most = maxLine) => z.string().transform((text) => text.slice(0, most));
/** A field that is invalid is left out. */
const optional = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);
const lines = (most: number) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((all) =>
      all
        .filter((one) => typeof one === 'string')
        .slice(0, most)
        .map((one) => one.slice(0, maxLine)),
    );
const some = (most: number) => lines(most).transform((all) => (all.length === 0 ? undefined : all));
const isTrue = optional(z.literal(true));

const documentSchema = z.object({
  kind: z.string().catch(''),
  title: line(),
  authors: lines(500),
  date: optional(line(40)),
  url: optional(line()),
  ids: optional(
    z.object({
      ...{ doi: optional(z.string()), arxiv: optional(z.string()), repo: optional(z.string()) },
      ...{ issue: optional(z.int()), pages: some(10) },
    }),
  ),
  file: optional(
    z.object({ path: z.string(), firstLine: z.number(), lastLine: z.number(), isCode: z.literal(true).optional() }),
  ),
  text: line(maxText),
  standing: optional(z.enum(['retracted', 'withdrawn', 'doubted'])),
  facts: some(500),
  ...{ alreadyCited: isTrue, isPrivate: isTrue, isGiven: isTrue },
});

const resultSchema = z.object({
  note: optional(line()),
  warnings: some(500),
  words: optional(wordFates),
  reach: optional(folderReach),
  english: optional(
    z.string().transform(
      (text) =>
        text
          .replace(/[^\p{Script=Latin}\p{N}\p{Mn} .+#'-]+/gu, ' ')
          .trim()
          .slice(0, 100) || undefined,
    ),
  ),
});

/**
 * What a tool returned, as the plain JSON that the contract promises. Tools come from outside as well: invalid documents are
 * dropped, an answer without a valid one throws `badAnswer`, and unknown fields are dropped.
 * @param kinds Names of the run's sources; a document of any other kind counts as one from outside. Absent: not checked.
 */
export function checkedResult(name: string, value: unknown, kinds?: ReadonlySet<SourceKind>): ToolResult {
  const unusable = new ResearchError('badAnswer', `${name} returned an unusable answer.`, {
    next: 'Use the other sources.',
  });
  if (!isRecord(value) || !Array.isArray(value['documents'])) throw unusable;
  const given = (value['documents'] as readonly unknown[]).slice(0, maxDocuments);
  let left = maxTexts;
  const documents = given.flatMap((document) => {
    const checked = left > 0 ? checkedDocument(document, kinds) : undefined;
    if (checked === undefined) return [];
    const body = checked.text.slice(0, left);
    left -= body.length;
    return [{ ...checked, text: body }];
  });
  if (given.length > 0 && documents.length === 0) throw unusable;
  return { documents, ...present(resultSchema.parse(value)) };
}

function checkedDocument(value: unknown, kinds: ReadonlySet<SourceKind> | undefined): FoundDocument | undefined {
  const { data } = documentSchema.safeParse(value);
  if (data === undefined) return undefined;
  const isKnown = kinds?.has(data.kind) ?? kindShape.test(data.kind);
  const { ids, ...document } = data;
  return {
    ...present(document),
    kind: isKnown ? data.kind : outsideKind,
    ...(ids && { ids: present(ids) }),
  };
}

/** Without fields that have no value. */
function present<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
