import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readSmallText } from '../files/regularFile.ts';

export interface GitFolder {
  /** The work tree's root: the workspace folder or one above it. */
  readonly root: string;
  /** Folder of `config` and `info/exclude`. */
  readonly common: string;
}

const maxLevels = 30;
/** Of one file of a repository's own. */
const maxBytes = 262_144;

/**
 * Finds the repository that a folder belongs to; undefined when there is none. A worktree and a submodule are followed to the
 * repository that names them in turn; a link, or a file that names a stranger's repository, isn't.
 */
export async function findGitFolder(folder: string): Promise<GitFolder | undefined> {
  let root = folder;
  for (let level = 0; level < maxLevels; level += 1) {
    const git = join(root, '.git');
    const found = await lstat(git).catch(() => undefined);
    if (found?.isDirectory()) return { root, common: git };
    if (found?.isFile()) return followGitFile(root);
    if (found !== undefined) return undefined;
    const parent = dirname(root);
    if (parent === root) return undefined;
    root = parent;
  }
  return undefined;
}

/** `gitdir: …` of a worktree or submodule; a worktree's folder names the common one in `commondir`. */
async function followGitFile(root: string): Promise<GitFolder | undefined> {
  const [, target] = /^gitdir:[ \t]*(\S.{0,4000})$/m.exec(await readSmallText(root, '.git', maxBytes)) ?? [];
  if (target === undefined) return undefined;
  const folder = resolve(root, target.trim());
  const [backLink, common, config] = await Promise.all(
    ['gitdir', 'commondir', 'config'].map((name) => readSmallText(folder, name, maxBytes)),
  );
  if (backLink?.trim() !== '' && backLink !== undefined) {
    if (resolve(folder, backLink.trim()) !== join(root, '.git')) return undefined;
    return { root, common: common?.trim() ? resolve(folder, common.trim()) : folder };
  }
  const [, worktree] = /^\s{0,20}worktree[ \t]{0,20}=[ \t]{0,20}(\S.{0,4000})$/m.exec(config ?? '') ?? [];
  return worktree !== undefined && resolve(folder, worktree.trim()) === root ? { root, common: folder } : undefined;
}

/** URLs of the remotes in a git configuration, `origin` first, without credentials. Paths on this machine are left out. */
export function remotesOf(config: string): string[] {
  const remotes: { readonly name: string; readonly url: string }[] = [];
  let section = '';
  for (const line of config.split(/\r?\n/)) {
    const [, header] = /^\s*\[\s*remote\s+"((?:[^"\\]|\\.)*)"\s*\]/i.exec(line) ?? [];
    if (header !== undefined) section = header;
    else if (/^\s*\[/.test(line)) section = '';
    const [, value] = /^url\s*=(.*)$/i.exec(line.replace(/^\s*\[[^\]]*\]/, '').trimStart()) ?? [];
    if (section === '' || value === undefined) continue;
    const url = withoutCredentials(value.trim().replace(/^"(.*)"$/, '$1'));
    if (url !== undefined) remotes.push({ name: section, url });
  }
  const { origin = [], other = [] } = Object.groupBy(remotes, ({ name }) => (name === 'origin' ? 'origin' : 'other'));
  return [...new Set([...origin, ...other].map(({ url }) => url))];
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
