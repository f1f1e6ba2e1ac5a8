import { fork, spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { parseEvent, type ResearchEvent } from '../../src/protocol/events.ts';
import { root } from './paths.ts';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What stands on stdout with `--events`, checked by the schema. */
  readonly events: readonly ResearchEvent[];
}

export interface Command {
  readonly child: ChildProcess;
  readonly done: Promise<CommandResult>;
  /** Resolves when this text stands on stderr or stdout. */
  seen(text: string): Promise<void>;
}

/** Runs the built command line in a process of its own, without a terminal and without the caller's keys. */
export function startCommand(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Command {
  const child = spawn(process.execPath, [path.join(root, 'dist', 'cli.js'), ...args], {
    cwd: options.cwd ?? root,
    env: { ...ownEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stdout
    .setEncoding('utf8')
    .on('data', (text: string) => ((stdout += text), waiting.forEach((check) => check())));
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => ((stderr += text), waiting.forEach((check) => check())));
  const done = new Promise<CommandResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr, events: eventsOf(stdout) }));
  });
  return {
    child,
    done,
    seen: (text) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!stdout.includes(text) && !stderr.includes(text)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
        void done.then(() => reject(new Error(`The command ended without "${text}": ${stderr}`)), reject);
      }),
  };
}

export function runCommand(...args: Parameters<typeof startCommand>): Promise<CommandResult> {
  return startCommand(...args).done;
}

let host: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * The same, one command after another in one process that has loaded and compiled the modules: a third of the time. For
 * commands whose behaviour has nothing to do with a process: with its start, signals, streams or memory.
 */
export function runInHost(args: readonly string[]): Promise<CommandResult> {
  const result = last.then(() => nextInHost(args));
  last = result.catch(() => undefined);
  return result;
}

async function nextInHost(args: readonly string[]): Promise<CommandResult> {
  host ??= startHost();
  const child = host;
  // Only a command that is in progress is waited for.
  child.ref();
  child.channel?.ref();
  try {
    return await new Promise<CommandResult>((resolve, reject) => {
      const crashed = (code: number | null): void => reject(new Error(`The command's process ended with ${code}.`));
      child.once('exit', crashed);
      child.once('message', (said: Omit<CommandResult, 'events'>) => {
        child.removeListener('exit', crashed);
        resolve({ ...said, events: eventsOf(said.stdout) });
      });
      child.send({ args });
    });
  } finally {
    child.unref();
    child.channel?.unref();
  }
}

function startHost(): ChildProcess {
  const child = fork(path.join(root, 'test', 'support', 'commandHost.mjs'), {
    cwd: root,
    env: ownEnvironment(),
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return child.once('exit', () => (host = undefined));
}

function ownEnvironment(): NodeJS.ProcessEnv {
  const { OPENAI_API_KEY: _key, GITHUB_TOKEN: _token, DEEP_RESEARCH_MAX_ITERATIONS: _max, ...env } = process.env;
  return env;
}

function eventsOf(stdout: string): ResearchEvent[] {
  return stdout.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const event = parseEvent(JSON.parse(line));
    return event ? [event] : [];
  });
}
