import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { ResearchError } from '../research/errors.ts';
import {
  isStopped,
  type IndexStorage,
  type Reading,
  unwatched,
  type WorkspaceFile,
  type WorkspacePort,
} from '../research/ports.ts';
import { oneLine } from '../research/text/hidden.ts';
import { isDocument } from '../protocol/isDocument.ts';
import { isPdf } from '../research/text/passages.ts';
import { trimEnd } from '../research/text/trimEnd.ts';
import { readBytes, readSmallText } from '../files/regularFile.ts';
import { documentText, mostBytesOf, pdfText, type ReadPdf } from './documentText.ts';
import { configBytes, filesBelow, mapInParallel, withinLimit } from './filesBelow.ts';
import { findGitFolder, remotesOf } from './gitFolder.ts';
import { readCommits } from './gitHistory.ts';
import { type TextBlock, textBlocks } from './textBlocks.ts';
import { withoutSecrets } from './secretFiles.ts';
import { hasReportName, isCode, isOwnReport } from './workspaceRules.ts';

export interface WorkspaceOptions {
  /** Patterns in the syntax of .gitignore, relative to the folder. */
  readonly exclude: readonly string[];
  /** Where reports are saved, relative to the folder. */
  readonly reportFolder: string;
  /** How long a listing counts as current. Default 3 s. */
  readonly listingMs?: number;
  /** See {@link WorkspacePort.symbols}. */
  readonly symbols?: WorkspacePort['symbols'];
  /** Reads PDFs. Absent: they are not listed. */
  readonly readPdf?: ReadPdf | undefined;
  /** Where its index is stored between runs. */
  readonly index?: IndexStorage;
  /** Called with each file before it is read. Files that stopped the run are skipped. */
  readonly reading?: Reading | undefined;
}

/** Texts that are remembered, in UTF-16 units. */
const mostRemembered = 4_000_000;
/** Enough of a Markdown file to see its front matter. */
const headBytes = 16_384;

/**
 * A workspace folder on this machine's file system. Symbolic links are never followed: targets inside the folder are listed
 * in their own place, and those outside are not read.
 */
export function openWorkspace(folder: string, options: WorkspaceOptions): WorkspacePort {
  const asked = resolve(folder);
  const { exclude, readPdf, listingMs = 3_000, reading = unwatched } = options;
  /** What may be read of the files that were read last, by path and digest: each is read for the facts, the index and each search. */
  const texts = new Map<string, string>();
  let remembered = 0;
  const reports = new Map<string, { readonly stamp: string; readonly own: boolean }>();
  let listing:
    | {
        readonly at: number;
        readonly files: readonly WorkspaceFile[];
        readonly paths: ReadonlySet<string>;
        readonly withheld: readonly string[];
      }
    | undefined;

  async function rootFolder(): Promise<string> {
    return realpath(asked).catch((cause: unknown) => {
      throw new ResearchError('notFound', `The workspace folder ${basename(asked)} can't be opened.`, {
        cause,
        next: 'Open a folder that exists.',
      });
    });
  }

  async function list(signal: AbortSignal): Promise<NonNullable<typeof listing>> {
    signal.throwIfAborted();
    if (listing !== undefined && performance.now() - listing.at < listingMs) return listing;
    const root = await rootFolder();
    const { files: found, withheld } = await filesBelow(root, { exclude, readsPdf: readPdf !== undefined }, signal);
    const kept = await mapInParallel(found, async (file) => ((await isReport(root, file)) ? [] : [file]), signal);
    const read = kept.filter(({ path }) => !isStopped(reading, { kind: 'file', name: path }));
    const files = withinLimit(read).sort((a, b) => (a.path < b.path ? -1 : 1));
    listing = { at: performance.now(), files, paths: new Set(files.map(({ path }) => path)), withheld };
    return listing;
  }

  async function isReport(root: string, file: WorkspaceFile): Promise<boolean> {
    if (!/\.(md|markdown)$/i.test(file.path)) return false;
    const reportFolder = trimEnd(options.reportFolder.replace(/\\/g, '/').replace(/^\.?\/+/, ''), '/');
    const parent = file.path.includes('/') ? file.path.slice(0, file.path.lastIndexOf('/')) : '';
    if (parent === reportFolder && hasReportName(basename(file.path))) return true;
    const stamp = `${file.modified} ${file.size}`;
    const known = reports.get(file.path);
    if (known?.stamp === stamp) return known.own;
    const head = await readBytes(join(root, file.path), headBytes).catch(() => Buffer.alloc(0));
    const own = isOwnReport(head.toString('utf8'));
    reports.set(file.path, { stamp, own });
    return own;
  }

  const missingFile = (path: string, cause?: unknown): ResearchError =>
    new ResearchError('notFound', `The workspace has no file ${path.slice(0, 200)} that may be read.`, {
      cause,
      next: 'Search the workspace for the right path.',
    });

  /** The real path of a listed file. Rejects with `notFound`. */
  async function locate(path: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    // A listed file may be read; for any other the folder is listed again.
    if (!listing?.paths.has(path) && !(await list(signal)).paths.has(path)) throw missingFile(path);
    const root = await rootFolder();
    const full = join(root, ...path.split('/'));
    // Between listing and reading, a folder on the way may have become a link.
    const real = await realpath(full).catch((cause: unknown) => {
      throw missingFile(path, cause);
    });
    if (real !== full) throw missingFile(path);
    signal.throwIfAborted();
    return full;
  }

  async function* blocks(
    path: string,
    wanted: (text: string, firstLine: number) => boolean,
    signal: AbortSignal,
  ): AsyncGenerator<TextBlock, void, void> {
    if (isDocument(path)) return;
    const input = { kind: 'file', name: path } as const;
    try {
      // The line before a block may be the label of a secret in its first one.
      let before = '';
      for await (const { text, firstLine } of textBlocks(await locate(path, signal), signal)) {
        const given = reading.during(input, () =>
          wanted(text, firstLine) ? mayBeRead(path, before + text).split('\n') : undefined,
        );
        if (given !== undefined) yield { firstLine, text: given.slice(before === '' ? 0 : 1).join('\n') };
        before = `${text
          .slice(text.lastIndexOf('\n', text.length - 2) + 1)
          .trimEnd()
          .slice(-1_000)}\n`;
        await seedTurn();
      }
    } catch (error) {
      signal.throwIfAborted();
      // A file that has gone since it was listed, or that holds secrets.
      if (ResearchError.is(error, 'notFound', 'badRequest') || (error as NodeJS.ErrnoException).code === 'ENOENT')
        return;
      if (ResearchError.is(error)) throw error;
      throw new ResearchError('badAnswer', `${path} can't be read.`, { cause: error, next: 'Use another file.' });
    }
  }

  async function read(path: string, signal: AbortSignal): Promise<string> {
    const full = await locate(path, signal);
    const bytes = await readBytes(full, mostBytesOf(path)).catch((cause: unknown) => {
      throw missingFile(path, cause);
    });
    await seedTurn();
    signal.throwIfAborted();
    const input = { kind: 'file', name: path } as const;
    const key = `${createHash('sha256').update(bytes).digest('hex')} ${path}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = isPdf(path)
      ? mayBeRead(path, await reading.call(input, () => pdfText(path, bytes, readPdf, signal)))
      : reading.during(input, () => readable(path, bytes));
    remembered += text.length - (texts.get(key)?.length ?? 0);
    texts.set(key, text);
    for (const [oldest, { length }] of texts) {
      if (remembered <= mostRemembered) break;
      texts.delete(oldest);
      remembered -= length;
    }
    return text;
  }

  return {
    name: oneLine(basename(asked)),
    reading,
    ...(options.index ? { index: options.index } : {}),
    files: async (signal) => (await list(signal)).files,
    withheld: async (signal) => (await list(signal)).withheld,
    read,
    blocks,
    commits: async (path, signal) => {
      signal.throwIfAborted();
      const root = await rootFolder();
      return (await findGitFolder(root)) === undefined ? [] : readCommits(root, path, signal);
    },
    ...(options.symbols ? { symbols: options.symbols } : {}),
    gitRemotes: async (signal) => {
      signal.throwIfAborted();
      const git = await findGitFolder(await rootFolder());
      return git === undefined ? [] : remotesOf(await readSmallText(git.common, 'config', configBytes));
    },
  };
}

/** Texts that were read together are looked at one after the other, and others get their turn after this time (milliseconds). */
const sliceMs = 20;
let turnBegan = performance.now();

async function seedTurn(): Promise<void> {
  while (performance.now() - turnBegan >= sliceMs) {
    const before = turnBegan;
    await new Promise((resolve) => setImmediate(resolve));
    // Of those that waited, the first takes this turn.
    if (turnBegan === before) turnBegan = performance.now();
  }
}

/** Throws `badRequest` for what may not be read, and `badAnswer` when a reader of ours fails on it, whatever it throws. */
function readable(path: string, bytes: Buffer): string {
  try {
    return mayBeRead(path, documentText(path, bytes));
  } catch (error) {
    if (ResearchError.is(error)) throw error;
    throw new ResearchError('badAnswer', `${path} can't be read.`, { cause: error, next: 'Use another file.' });
  }
}

/** What may be read of a text. Throws `badRequest` for a binary, and for a list of secrets. */
function mayBeRead(path: string, text: string | undefined): string {
  if (text === undefined)
    throw new ResearchError('badRequest', `${path} is not a text file.`, { next: 'Use another file.' });
  const masked = withoutSecrets(path, text, isCode(path));
  if (masked === undefined)
    throw new ResearchError('badRequest', `${path} holds secrets and is not read.`, { next: 'Use another file.' });
  return masked;
}
