import { realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, sep } from 'node:path';
import { ResearchError } from '../research/errors.ts';
import { type AttachedPort, type Attachment, type FoundDocument, mostReadBytes } from '../research/ports.ts';
import { oneLine, stripHidden } from '../research/text/hidden.ts';
import { isInside } from '../files/isInside.ts';
import { isPdf } from '../research/text/passages.ts';
import { readBytes } from '../files/regularFile.ts';
import { documentText, mostBytesOf, pdfText, type ReadPdf } from './documentText.ts';
import { secrecyOf, withoutSecrets } from './secretFiles.ts';
import { openWorkspace } from './workspace.ts';
import { isCode } from './workspaceRules.ts';

export interface AttachmentOptions {
  /** The open folder, with its links resolved. What lies in it is named relative to it. */
  readonly workspaceFolder: string | undefined;
  /** Files of the open folder may be read; those elsewhere are the user's own choice. */
  readonly readsWorkspace: boolean;
  /** `workspace.exclude`: counts in an attached folder, not for a file that the user attached by itself. */
  readonly exclude: readonly string[];
  /** Absent: a PDF can't be read. */
  readonly readPdf?: ReadPdf | undefined;
}

/** In UTF-16 units. */
const longestTitle = 160;
/** Files of one attached folder. */
const mostOfFolder = 40;

interface Item {
  readonly name: string;
  readonly path: string;
  readonly excerpt?: Attachment['excerpt'];
  readonly url?: string;
}

/**
 * The documents that the user attached. A folder means the files in it that a workspace would show; a file counts wherever it
 * lies, except one that holds secrets. Secrets in texts are masked. Rejects with `abort` alone.
 */
export async function openAttachments(
  attachments: readonly Attachment[],
  options: AttachmentOptions,
  signal: AbortSignal,
): Promise<AttachedPort> {
  const items = new Map<string, Item>();
  for (const attachment of attachments) {
    signal.throwIfAborted();
    for (const item of await itemsOf(attachment, options, signal))
      if (!items.has(item.name)) items.set(item.name, item);
  }
  return {
    names: [...items.keys()],
    read: async (name, reading) => {
      const item = items.get(name);
      if (item === undefined) throw missing(name);
      return documentOf(item, options, reading);
    },
  };
}

async function itemsOf(attachment: Attachment, options: AttachmentOptions, signal: AbortSignal): Promise<Item[]> {
  const { path, excerpt, url } = attachment;
  if (url !== undefined) return [{ name: url, path, url, ...(excerpt && { excerpt }) }];
  const own: Item = { name: nameOf(path, options, excerpt), path, ...(excerpt && { excerpt }) };
  if (excerpt !== undefined || !isAbsolute(path)) return [own];
  const entry = await stat(path).catch(() => undefined);
  if (!entry?.isDirectory()) return [own];
  try {
    const { exclude, readPdf } = options;
    const files = await openWorkspace(path, { exclude, reportFolder: 'research', readPdf }).files(signal);
    return files.slice(0, mostOfFolder).map((file) => {
      const full = `${path}${sep}${file.path.split('/').join(sep)}`;
      return { name: nameOf(full, options), path: full };
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!ResearchError.is(error)) throw error;
    return [own];
  }
}

/** Relative to the workspace; elsewhere the bare name, because a path says more of the user than the report should. */
function nameOf(path: string, { workspaceFolder }: AttachmentOptions, excerpt?: Attachment['excerpt']): string {
  const name = visible(inFolder(path, workspaceFolder) ?? basename(path));
  if (excerpt === undefined) return name;
  const last = excerpt.firstLine + excerpt.text.replace(/\n$/, '').split('\n').length - 1;
  return `${name} (${excerpt.firstLine}-${last})`;
}

/** A name without characters that no one sees: they could act on a terminal. */
function visible(name: string): string {
  return stripHidden(name).replace(/[\t\n]/g, ' ');
}

/** With `/`; undefined for a path outside. */
function inFolder(path: string, folder: string | undefined): string | undefined {
  if (folder === undefined || !isAbsolute(path) || !isInside(folder, path)) return undefined;
  return relative(folder, path).split(sep).join('/');
}

async function documentOf(item: Item, options: AttachmentOptions, signal: AbortSignal): Promise<FoundDocument> {
  const { name, path, excerpt } = item;
  const inside = inFolder(path, options.workspaceFolder);
  if (inside !== undefined && !options.readsWorkspace)
    throw new ResearchError(
      'badRequest',
      `The settings let no text of the workspace be read, so ${name} is left out.`,
      {
        next: 'Set deepResearch.workspace.forModel to content.',
      },
    );
  // The path of a file outside would say more about the user than the report should; one in the workspace says what it is.
  const judged = inside ?? basename(path);
  const code = isCode(judged);
  if (secrecyOf(judged, code) === 'withheld') throw secret(name);
  const { text, modified } = excerpt
    ? { text: excerpt.text.replace(/\r\n?/g, '\n').slice(0, mostReadBytes) }
    : await fileText(path, judged, options, signal);
  const plain = item.url === undefined ? text : stripHidden(text).trim();
  const masked = withoutSecrets(judged, plain, code);
  if (masked === undefined) throw secret(name);
  if (masked.trim() === '')
    throw new ResearchError('badRequest', `${name} has no text.`, { next: 'Attach another document.' });
  if (item.url !== undefined) return pageDocument(item.url, masked);
  const first = excerpt?.firstLine ?? 1;
  const lines = masked.replace(/\n$/, '').split('\n').length;
  return {
    kind: 'attached',
    title: name,
    authors: [],
    ...(modified === undefined ? {} : { date: modified.toISOString().slice(0, 10) }),
    ...(inside === undefined ? {} : { file: { path: visible(inside), firstLine: first, lastLine: first + lines - 1 } }),
    text: masked,
    facts: ['attached by the user'],
    // Its words are sent to no service, like those of the workspace's files.
    isPrivate: true,
  };
}

/** What the user gave in place of a page: the source of its address. Its first line is a title when it looks like one. */
function pageDocument(url: string, text: string): FoundDocument {
  const first = oneLine(text.slice(0, 2_000).split('\n', 1)[0]!.replace(/^#+ /, ''));
  const { host, pathname } = new URL(url);
  return {
    kind: 'attached',
    title: first !== '' && first.length <= longestTitle ? first : `${host}${pathname}`.slice(0, longestTitle),
    authors: [],
    url,
    text,
    facts: ['text given by the user'],
    isPrivate: true,
  };
}

async function fileText(
  path: string,
  name: string,
  { readPdf }: AttachmentOptions,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly modified?: Date }> {
  const shown = visible(basename(path));
  // A link that the user chose is followed, and its target is checked.
  const real = await realpath(path).catch((cause: unknown) => {
    throw missing(shown, cause);
  });
  if (secrecyOf(basename(real), isCode(real)) === 'withheld') throw secret(shown);
  try {
    const bytes = await readBytes(real, mostBytesOf(name));
    const { mtime } = await stat(real);
    signal.throwIfAborted();
    const text = isPdf(name) ? await pdfText(shown, bytes, readPdf, signal, true) : documentText(name, bytes);
    if (text !== undefined) return { text, modified: mtime };
  } catch (error) {
    signal.throwIfAborted();
    if (ResearchError.is(error)) throw error;
    throw missing(shown, error);
  }
  throw new ResearchError('badRequest', `${shown} is not a text, a notebook or a PDF.`, {
    next: 'Attach it as text.',
  });
}

function missing(name: string, cause?: unknown): ResearchError {
  return new ResearchError('notFound', `${name} can't be opened.`, { cause, next: 'Attach a file that exists.' });
}

function secret(name: string): ResearchError {
  return new ResearchError('badRequest', `${name} holds secrets and is not read.`, { next: 'Attach another file.' });
}
