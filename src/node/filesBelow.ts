import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readSmallText } from '../files/regularFile.ts';
import { mostFiles, type WorkspaceFile } from '../research/ports.ts';
import { stripHidden } from '../research/text/hidden.ts';
import { kindOf } from '../research/text/passages.ts';
import { findGitFolder } from './gitFolder.ts';
import { entersFolder, isWithheld, showsFile } from './workspaceRules.ts';

const maxFolders = 20_000;
/** A longer git configuration or list of patterns was not written by a person. */
export const configBytes = 262_144;
const maxPatterns = 2_000;
/** Matching paths against patterns takes longer only for hostile patterns: the listing ends there. */
const longestMatchingMs = 5_000;
const parallel = 32;

/** Rules of one ignore file, for paths below `base` (relative to the repository's root, `''` or ending in `/`). */
interface RuleSet {
  readonly base: string;
  readonly rules: Ignore;
}

/**
 * All files that the rules show, folder by folder from the top, so that a cut leaves out the deepest, and the paths of those that are
 * withheld by name.
 */
export async function filesBelow(
  root: string,
  { exclude, readsPdf }: { readonly exclude: readonly string[]; readonly readsPdf: boolean },
  signal: AbortSignal,
) {
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
  const own: RuleSet = { base: start, rules: ignore().add(matchable(exclude)) };

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
        level.slice(from, from + parallel).map((entry) => openFolder(root, start, entry, own, readsPdf)),
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
export function withinLimit(files: WorkspaceFile[]): WorkspaceFile[] {
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
export async function mapInParallel<T, R>(
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
