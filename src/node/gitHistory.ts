import { execFile, type ExecFileException } from 'node:child_process';
import { devNull } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { ResearchError } from '../research/errors.ts';
import type { Commit } from '../research/ports.ts';
import { maskSecrets } from '../research/text/redact.ts';

/** Commits that are looked at, the newest ones. */
const mostCommits = 3_000;
const longestMs = 10_000;
/** Of git's whole answer, in bytes, and of one message, in UTF-16 units. */
const mostBytes = 16_000_000;
const longestMessage = 4_000;

/**
 * What a repository's own configuration could make git run or ask: monitors, hooks, pagers, checks of signatures, transports. A
 * `log` without differences runs no other program.
 */
const harmless = [
  '--no-pager',
  '--no-optional-locks',
  '--no-replace-objects',
  ...[
    'core.fsmonitor=false',
    `core.hooksPath=${devNull}`,
    'log.showSignature=false',
    'protocol.allow=never',
    'safe.bareRepository=explicit',
  ].flatMap((setting) => ['-c', setting]),
];
const format = '%H%x1f%an%x1f%aI%x1f%B%x1e';

/**
 * The last commits of the repository that a folder belongs to, newest first; with `path` those that changed this file. Empty
 * without git or a repository. Nothing that the repository names is run, and nothing is fetched. Rejects with `timeout`, and with
 * `signal.reason` when aborted.
 *
 * @param path Relative to the folder.
 */
export async function readCommits(
  folder: string,
  path: string | undefined,
  signal: AbortSignal,
): Promise<readonly Commit[]> {
  const limits = path === undefined ? ['--', '.'] : ['--', `:(literal)${path}`];
  const log = ['log', `--max-count=${mostCommits}`, '--no-show-signature', '--no-color', '--no-notes', '--no-mailmap'];
  const text = await run(['-C', folder, ...harmless, ...log, `--format=${format}`, ...limits], signal);
  return text.split('\u001e').flatMap((entry) => {
    const [id = '', author = '', date = '', message = ''] = entry.trimStart().split('\u001f');
    if (!/^[0-9a-f]{40,64}$/.test(id)) return [];
    const shown = maskSecrets(message.trim().slice(0, longestMessage), false);
    return shown === '' ? [] : [{ id, author: author.slice(0, 200), date: date.slice(0, 10), message: shown }];
  });
}

async function run(args: readonly string[], signal: AbortSignal): Promise<string> {
  const { PATH = '', SystemRoot } = process.env;
  const options = {
    // Where no repository can put a program of this name.
    cwd: dirname(process.execPath),
    env: {
      PATH,
      ...(SystemRoot === undefined ? {} : { SystemRoot }),
      LC_ALL: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: devNull,
      GIT_NO_LAZY_FETCH: '1',
      GIT_TERMINAL_PROMPT: '0',
    },
    maxBuffer: mostBytes,
    timeout: longestMs,
    killSignal: 'SIGKILL',
    signal,
    windowsHide: true,
  } as const;
  try {
    return (await promisify(execFile)('git', args, options)).stdout;
  } catch (error) {
    signal.throwIfAborted();
    const { code, killed, stdout = '' } = error as ExecFileException;
    // Cut at the limit: all entries but the last are complete.
    if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return stdout;
    // No git, no repository, no commit yet: there is no history.
    if (!killed) return '';
    const message = `Git did not answer within ${longestMs / 1_000} s.`;
    throw new ResearchError('timeout', message, { next: 'Search the files instead.' });
  }
}
