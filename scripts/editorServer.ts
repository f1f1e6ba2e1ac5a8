// Starts the VS Code server that bootstrap.mjs installed, for `npm start` and for the tests in the real editor.
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export interface EditorServerOptions {
  /** Folder that holds out/server-main.js. */
  readonly server: string;
  /** The binary of Node that runs it. Default: ours. */
  readonly node?: string;
  /** Settings, logs, runs and the state of this editor; made when missing. */
  readonly dataDir: string;
  /** Asked for by every request (?tkn=…); without it any local process has an open editor with a terminal. */
  readonly token?: string;
  /** False: every folder is trusted, and no dialog asks. */
  readonly workspaceTrust?: boolean;
  /** Replace the user's settings. Default: those in `dataDir` stay. */
  readonly userSettings?: Readonly<Record<string, unknown>>;
  /** Default: a free one. */
  readonly port?: number;
  /**
   * Lets a page's address name an extension under development and tests to run. It also keeps notifications from popping
   * up, so a person is served without it.
   */
  readonly testDriver?: boolean;
  /** Folder with the built-in extensions. Default: all that the server has. */
  readonly builtinExtensions?: string;
  /** Added to the environment of the server, and so of the extension host. A value of undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly onOutput?: (text: string) => void;
}

export interface EditorServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly pid: number;
  /** The page with a folder open. */
  address(open: OpenOptions): string;
  /** Process ids of the extension hosts, one a page; empty where /proc does not tell. */
  extensionHosts(): number[];
  /** Settled when the server is gone, with its exit code. */
  readonly exited: Promise<number>;
  /** Ends the server and what it started. */
  stop(): Promise<void>;
}

export interface OpenOptions {
  /** Null: only what is installed in the data folder. */
  readonly extensionPath: string | null;
  /** Absolute path of a folder or a .code-workspace file; null opens an empty window. */
  readonly workspace: string | null;
  /** Module whose run() is called in the extension host. */
  readonly testsPath?: string;
}

const startSeconds = 60;
const stopSeconds = 5;

export async function startEditorServer(options: EditorServerOptions): Promise<EditorServer> {
  const { dataDir } = options;
  const userFolder = path.join(dataDir, 'data', 'User');
  fs.mkdirSync(userFolder, { recursive: true, mode: 0o700 });
  if (options.userSettings)
    fs.writeFileSync(path.join(userFolder, 'settings.json'), JSON.stringify(options.userSettings, null, 2));

  const args = [
    '--import',
    pathToFileURL(path.join(import.meta.dirname, 'lib', 'endWithParent.mjs')).href,
    path.join(options.server, 'out', 'server-main.js'),
    '--host',
    '127.0.0.1',
    '--port',
    String(options.port ?? 0),
    '--accept-server-license-terms',
    '--telemetry-level',
    'off',
    '--server-data-dir',
    dataDir,
    '--extensions-dir',
    path.join(dataDir, 'extensions'),
    ...(options.builtinExtensions ? ['--builtin-extensions-dir', options.builtinExtensions] : []),
    ...(options.testDriver ? ['--enable-smoke-test-driver'] : []),
    ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
    ...tokenArguments(options),
  ];
  const child = spawn(options.node ?? process.execPath, args, {
    cwd: dataDir,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: serverEnvironment(options.env),
  });
  const exited = new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
  const port = await listeningPort(child, options.onOutput).catch(async (error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  const origin = `http://127.0.0.1:${port}`;
  return {
    port,
    origin,
    pid: child.pid!,
    exited,
    // What a host forks looks like the host until it becomes something else: the server's own children count.
    extensionHosts: () => childrenOf(child.pid!).filter((pid) => commandLine(pid).includes('--type=extensionHost')),
    address: (open) => pageAddress(origin, open, options),
    stop: () => stop(child, exited),
  };
}

/** The token goes through a private file: other users of the machine can read a command line. */
function tokenArguments({ token, dataDir }: EditorServerOptions): string[] {
  if (token === undefined) return ['--without-connection-token'];
  const file = path.join(dataDir, 'token');
  fs.writeFileSync(file, token, { mode: 0o600 });
  return ['--connection-token-file', file];
}

function serverEnvironment(added: EditorServerOptions['env']): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env };
  // Started from a terminal of VS Code, the server would take itself for a part of that window.
  for (const name of Object.keys(env)) if (/^(VSCODE_|ELECTRON_)/.test(name)) delete env[name];
  delete env['NODE_OPTIONS'];
  env['DEEP_RESEARCH_EDITOR_PARENT'] = String(process.pid);
  for (const [name, value] of Object.entries(added ?? {})) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  return env;
}

function listeningPort(child: ChildProcess, onOutput: ((text: string) => void) | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const giveUp = (why: string) => reject(new Error(`VS Code's server ${why}.\n${output.slice(-4_000)}`));
    const timer = setTimeout(() => giveUp(`was not ready within ${startSeconds} s`), startSeconds * 1_000);
    const read = (chunk: Buffer) => {
      const text = chunk.toString();
      onOutput?.(text);
      if (output.length < 64_000) output += text;
      const found = /Extension host agent listening on (\d+)/.exec(output);
      if (!found) return;
      clearTimeout(timer);
      resolve(Number(found[1]));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('error', (error) => giveUp(`could not be started: ${error.message}`));
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      giveUp(`ended with ${code ?? signal}`);
    });
  });
}

function pageAddress(origin: string, open: OpenOptions, { token, testDriver }: EditorServerOptions): string {
  const { host } = new URL(origin);
  const remote = (file: string) => `vscode-remote://${host}${pathToFileURL(file).pathname}`;
  const payload = [
    ...(open.extensionPath === null ? [] : [['extensionDevelopmentPath', remote(open.extensionPath)]]),
    ...(open.testsPath ? [['extensionTestsPath', remote(open.testsPath)]] : []),
    ['skipWelcome', 'true'],
  ];
  const address = new URL(origin);
  if (token !== undefined) address.searchParams.set('tkn', token);
  const where = open.workspace?.endsWith('.code-workspace') ? 'workspace' : 'folder';
  if (open.workspace === null) address.searchParams.set('ew', 'true');
  else address.searchParams.set(where, open.workspace);
  if (testDriver) address.searchParams.set('payload', JSON.stringify(payload));
  return address.href;
}

async function stop(child: ChildProcess, exited: Promise<number>): Promise<void> {
  const family = descendants(child.pid!);
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopSeconds * 1_000);
    await exited;
    clearTimeout(timer);
  }
  // The extension host outlives its server for a while, in case that the page comes back.
  for (const { pid, started } of family) {
    if (startTime(pid) === started) endProcess(pid);
  }
}

interface Kin {
  readonly pid: number;
  /** Tells a process from a later one with the same id. */
  readonly started: string;
}

/** Children of children too; Linux only, elsewhere the extension host notices by itself. */
function descendants(pid: number): Kin[] {
  return childrenOf(pid)
    .flatMap((child) => [...descendants(child), { pid: child, started: startTime(child) }])
    .filter((kin) => kin.started !== '');
}

function childrenOf(pid: number): number[] {
  try {
    return fs
      .readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

function commandLine(pid: number): string[] {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function startTime(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces; starttime is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended in the meantime.
  }
}
