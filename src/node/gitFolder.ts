import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

export interface GitFolder {
  /** The work tree's root: the workspace folder or one above it. */
  readonly root: string;
  /** Where `config` and `info/exclude` lie. */
  readonly common: string;
}

const maxLevels = 30;

/** Finds the repository that a folder belongs to; undefined when there is none. Worktrees and submodules are followed. */
export async function findGitFolder(folder: string): Promise<GitFolder | undefined> {
  let root = folder;
  for (let level = 0; level < maxLevels; level += 1) {
    const git = join(root, '.git');
    const found = await stat(git).catch(() => undefined);
    if (found?.isDirectory()) return { root, common: git };
    if (found?.isFile()) return { root, common: await followGitFile(git) };
    const parent = dirname(root);
    if (parent === root) return undefined;
    root = parent;
  }
  return undefined;
}

/** `gitdir: …` of a worktree or submodule; a worktree's folder names the common one in `commondir`. */
async function followGitFile(file: string): Promise<string> {
  const [, target] = /^gitdir:\s*(.+)$/m.exec(await readText(file)) ?? [];
  if (target === undefined) return file;
  const folder = resolve(dirname(file), target.trim());
  const common = (await readText(join(folder, 'commondir'))).trim();
  return common === '' ? folder : resolve(folder, common);
}

/** URLs of the remotes in a git configuration, `origin` first, without credentials. Paths on this machine are left out. */
export function remotesOf(config: string): string[] {
  const remotes: { readonly name: string; readonly url: string }[] = [];
  let section = '';
  for (const line of config.split(/\r?\n/)) {
    const [, header] = /^\s*\[\s*remote\s+"((?:[^"\\]|\\.)*)"\s*\]/i.exec(line) ?? [];
    if (header !== undefined) section = header;
    else if (/^\s*\[/.test(line)) section = '';
    const [, value] = /^\s*url\s*=\s*(.+?)\s*$/i.exec(line.replace(/^\s*\[[^\]]*\]/, '')) ?? [];
    if (section === '' || value === undefined) continue;
    const url = withoutCredentials(value.replace(/^"(.*)"$/, '$1'));
    if (url !== undefined) remotes.push({ name: section, url });
  }
  const ordered = [
    ...remotes.filter(({ name }) => name === 'origin'),
    ...remotes.filter(({ name }) => name !== 'origin'),
  ];
  return [...new Set(ordered.map(({ url }) => url))];
}

function withoutCredentials(remote: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(remote)) {
    if (!URL.canParse(remote)) return undefined;
    const url = new URL(remote);
    if (url.protocol === 'file:') return undefined;
    url.username = '';
    url.password = '';
    url.search = '';
    url.hash = '';
    return url.href;
  }
  const [, host, path] = /^(?:[^@\s/]+@)?([\w.-]+\.[a-z]{2,}):(?!\\)([^\s]+)$/i.exec(remote) ?? [];
  return host === undefined || path === undefined ? undefined : `ssh://${host}/${path.replace(/^\/+/, '')}`;
}

/** Empty when it can't be read. */
async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
