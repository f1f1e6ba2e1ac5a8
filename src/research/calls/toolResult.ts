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
  const note = text(value['note'])?.slice(0, maxLine);
  const warnings = texts(value['warnings']);
  const words = checkedWords(value['words']);
  const reach = folderReach.safeParse(value['reach']);
  const english = text(value['english'])
    ?.replace(/[^\p{Script=Latin}\p{N}\p{Mn} .+#'-]+/gu, ' ')
    .trim()
    .slice(0, 100);
  return {
    documents,
    ...(words === undefined ? {} : { words }),
    ...(reach.success ? { reach: reach.data } : {}),
    ...(english ? { english } : {}),
    ...(note === undefined ? {} : { note }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

function checkedWords(value: unknown): ToolResult['words'] {
  const parsed = wordFates.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

function checkedDocument(value: unknown, kinds: ReadonlySet<SourceKind> | undefined): FoundDocument | undefined {
  if (!isRecord(value)) return undefined;
  const title = text(value['title']);
  const body = text(value['text']);
  if (title === undefined || body === undefined) return undefined;
  const kind = text(value['kind']) ?? '';
  const date = text(value['date']);
  const url = text(value['url']);
  const ids = checkedIds(value['ids']);
  const file = checkedFile(value['file']);
  const facts = texts(value['facts']);
  const standing = (['retracted', 'withdrawn', 'doubted'] as const).find((one) => one === value['standing']);
  return {
    kind: (kinds?.has(kind) ?? kindShape.test(kind)) ? kind : outsideKind,
    title: title.slice(0, maxLine),
    authors: texts(value['authors']),
    ...(date === undefined ? {} : { date: date.slice(0, 40) }),
    ...(url === undefined ? {} : { url: url.slice(0, maxLine) }),
    ...(ids === undefined ? {} : { ids }),
    ...(file === undefined ? {} : { file }),
    text: body.slice(0, maxText),
    ...(standing === undefined ? {} : { standing }),
    ...(facts.length === 0 ? {} : { facts }),
    ...(value['alreadyCited'] === true ? { alreadyCited: true } : {}),
    ...(value['isPrivate'] === true ? { isPrivate: true } : {}),
    ...(value['isGiven'] === true ? { isGiven: true } : {}),
  };
}

function checkedIds(value: unknown): FoundDocument['ids'] {
  if (!isRecord(value)) return undefined;
  const [doi, arxiv, repo] = [text(value['doi']), text(value['arxiv']), text(value['repo'])];
  const issue = value['issue'];
  const pages = texts(value['pages']).slice(0, 10);
  return {
    ...(doi === undefined ? {} : { doi }),
    ...(arxiv === undefined ? {} : { arxiv }),
    ...(repo === undefined ? {} : { repo }),
    ...(typeof issue === 'number' && Number.isSafeInteger(issue) ? { issue } : {}),
    ...(pages.length === 0 ? {} : { pages }),
  };
}

function checkedFile(value: unknown): FoundDocument['file'] {
  if (!isRecord(value)) return undefined;
  const path = text(value['path']);
  const [firstLine, lastLine] = [value['firstLine'], value['lastLine']];
  return path !== undefined && typeof firstLine === 'number' && typeof lastLine === 'number'
    ? { path, firstLine, lastLine }
    : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value)
    ? value
        .filter((entry): entry is string => typeof entry === 'string')
        .slice(0, 500)
        .map((entry) => entry.slice(0, maxLine))
    : [];
}
