import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { ResearchError } from '../research/errors.ts';
import {
  mostFiles,
  isStopped,
  type IndexStorage,
  type Reading,
  unwatched,
  type WorkspaceFile,
  type WorkspacePort,
} from '../research/ports.ts';
import { oneLine, stripHidden } from '../research/text/hidden.ts';
import { isDocument } from '../protocol/isDocument.ts';
import { isPdf, kindOf } from '../research/text/passages.ts';
import { trimEnd } from '../research/text/trimEnd.ts';
import { readBytes, readSmallText } from '../files/regularFile.ts';
import { documentText, mostBytesOf, pdfText, type ReadPdf } from './documentText.ts';
import { findGitFolder, remotesOf } from './gitFolder.ts';
import { readCommits } from './gitHistory.ts';
import { type TextBlock, textBlocks } from './textBlocks.ts';
import { withoutSecrets } from './secretFiles.ts';
import { entersFolder, hasReportName, isCode, isOwnReport, showsFile, isWithheld } from './workspaceRules.ts';

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
const maxFolders = 20_000;
/** A longer git configuration or list of patterns was not written by a person. */
const configBytes = 262_144;
const maxPatterns = 2_000;
/** Matching paths against patterns takes longer only for hostile patterns: the listing ends there. */
const longestMatchingMs = 5_000;
/** Enough of a Markdown file to see its front matter. */
const headBytes = 16_384;
const parallel = 32;

/** Rules of one ignore file, for paths below `base` (relative to the repository's root, `''` or ending in `/`). */
interface RuleSet {
  readonly base: string;
  readonly rules: Ignore;
}

/**
 * A workspace folder on this machine's file system. Symbolic links are never followed: targets inside the folder are listed
 * in their own place, and those outside are not read.
 */
export function openWorkspace(folder: string, options: WorkspaceOptions): WorkspacePort {
  const asked = resolve(folder);
  const { listingMs = 3_000, reading = unwatched } = options;
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
    const { files: found, withheld } = await walk(root, options, signal);
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
      ? mayBeRead(path, await reading.call(input, () => pdfText(path, bytes, options.readPdf, signal)))
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

/**
 * All files that the rules show, folder by folder from the top, so that a cut leaves out the deepest, and the paths of those that are
 * withheld by name.
 */
async function walk(root: string, options: WorkspaceOptions, signal: AbortSignal) {
  const git = await findGitFolder(root);
  const repository = git?.root ?? root;
  // Rules are matched against paths from the repository's root, which may lie above the workspace folder.
  const prefix = relative(repository, root).split(sep).join('/');
  const start = prefix === '' ? '' : `${prefix}/`;
  let inherited: RuleSet[] = [];
  if (git !== undefined) inherited = await readRules(git.common, 'info/exclude', '');
  for (const base of basesAbove(start))
    inherited = [...inherited, ...(await readRules(repository, `${base}.gitignore`, base))];
  // The user opened an ignored folder: only the rules inside it apply.
  if (start !== '' && ignores(inherited, start)) inherited = inherited.filter(({ base }) => base === start);
  const own: RuleSet = { base: start, rules: ignore().add(matchable(options.exclude)) };

  const files: WorkspaceFile[] = [];
  const withheld: string[] = [];
  let level: Folder[] = [{ path: '', rules: inherited }];
  let folders = 0;
  let matching = 0;
  while (level.length > 0 && files.length < mostFiles && folders < maxFolders && matching < longestMatchingMs) {
    folders += level.length;
    const next: Folder[] = [];
    for (let from = 0; from < level.length && files.length < mostFiles; from += parallel) {
      signal.throwIfAborted();
      const opened = await Promise.all(
        level
          .slice(from, from + parallel)
          .map((entry) => openFolder(root, start, entry, own, options.readPdf !== undefined)),
      );
      for (const { files: names, folders: below, ms, withheld: secret } of opened) {
        matching += ms;
        for (const path of secret) withheld.push(path);
        for (const one of await mapInParallel(names, (name) => statFile(root, name), signal)) files.push(one);
        for (const one of below) next.push(one);
      }
    }
    level = next;
  }
  return { files, withheld };
}

/** Of too many files, documents come first. */
function withinLimit(files: WorkspaceFile[]): WorkspaceFile[] {
  if (files.length <= mostFiles) return files;
  const isProse = ({ path }: WorkspaceFile): boolean => ['markdown', 'text'].includes(kindOf(path));
  return [...files.filter(isProse), ...files.filter((file) => !isProse(file))].slice(0, mostFiles);
}

interface Folder {
  readonly path: string;
  readonly rules: readonly RuleSet[];
}
interface OpenedFolder {
  /** Milliseconds that matching its names took. */
  readonly ms: number;
  readonly files: readonly string[];
  readonly withheld: readonly string[];
  readonly folders: readonly Folder[];
}

async function openFolder(
  root: string,
  start: string,
  folder: Folder,
  own: RuleSet,
  readsPdf: boolean,
): Promise<OpenedFolder> {
  // A folder that can't be read holds nothing for us.
  const all: Dirent[] = await readdir(join(root, folder.path), { withFileTypes: true }).catch(() => []);
  const entries = all.filter(({ name }) => isPlainName(name));
  const names = new Set(entries.map(({ name }) => name));
  if (folder.path !== '' && names.has('pyvenv.cfg')) return { files: [], withheld: [], folders: [], ms: 0 };
  const below = folder.path === '' ? '' : `${folder.path}/`;
  const rules =
    names.has('.gitignore') && folder.path !== ''
      ? [...folder.rules, ...(await readRules(root, `${below}.gitignore`, start + below))]
      : folder.rules;
  const started = performance.now();
  const isIgnored = (path: string): boolean =>
    performance.now() - started > longestMatchingMs || ignores([...rules, own], start + path);
  const listed = entries.filter((entry) => entry.isFile()).map(({ name }) => below + name);
  const opened = {
    files: listed.filter((path) => showsFile(path, readsPdf) && !isIgnored(path)),
    withheld: listed.filter((path) => isWithheld(path) && !isIgnored(path)),
    folders: entries
      .filter((entry) => entry.isDirectory() && entersFolder(entry.name) && !isIgnored(`${below}${entry.name}/`))
      .map(({ name }) => ({ path: below + name, rules })),
  };
  return { ...opened, ms: performance.now() - started };
}

/** A name with characters that no one sees could act on a terminal, or show another name: no one chooses one. */
function isPlainName(name: string): boolean {
  return stripHidden(name) === name && !/[\t\n]/.test(name);
}

/** As git decides: the last matching rule of the deepest file wins. */
function ignores(sets: readonly RuleSet[], path: string): boolean {
  let ignored = false;
  for (const { base, rules } of sets) {
    const inside = path.slice(base.length);
    if (!path.startsWith(base) || inside === '') continue;
    const result = rules.test(inside);
    if (result.ignored) ignored = true;
    else if (result.unignored) ignored = false;
  }
  return ignored;
}

async function readRules(root: string, file: string, base: string): Promise<RuleSet[]> {
  const text = await readSmallText(root, file, configBytes);
  return text.trim() === '' ? [] : [{ base, rules: ignore().add(matchable(text.split(/\r?\n/))) }];
}

/**
 * The patterns that can be matched in bounded time: each star of a path's part multiplies the ways to match it, so that more than
 * three of them are a trap or a mistake.
 */
function matchable(patterns: readonly string[]): string[] {
  return patterns
    .slice(0, 10 * maxPatterns)
    .filter((line) => line.length <= 500)
    .map((line) => line.replace(/(?<=[^*/])\*{2,}|(?<=^|\/)\*{2,}(?=[^*/\r])/g, '*'))
    .filter((line) => line.split('/').every((part) => part.trim() === '**' || part.split('*').length <= 4))
    .slice(0, maxPatterns);
}

/** `a/b/` -> `''`, `a/`, `a/b/`. */
function basesAbove(start: string): string[] {
  const parts = start.split('/').filter((part) => part !== '');
  return ['', ...parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`)];
}

async function statFile(root: string, path: string): Promise<WorkspaceFile[]> {
  const stat = await lstat(join(root, path)).catch(() => undefined);
  return stat?.isFile() ? [{ path, size: stat.size, modified: Math.round(stat.mtimeMs) }] : [];
}

/** What becomes of the items, in their order, some at a time. */
async function mapInParallel<T, R>(
  items: readonly T[],
  map: (item: T) => Promise<readonly R[]>,
  signal: AbortSignal,
): Promise<R[]> {
  const all: R[] = [];
  for (let from = 0; from < items.length; from += parallel) {
    signal.throwIfAborted();
    const batch = await Promise.all(items.slice(from, from + parallel).map(map));
    for (const one of batch.flat()) all.push(one);
  }
  return all;
}
