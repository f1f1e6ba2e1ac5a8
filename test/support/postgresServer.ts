import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import process from 'node:process';
import type { Database } from '../../src/batch/postgres/database.ts';

export interface PostgresServer {
  /** Of a database of its own. */
  readonly url: string;
  /** Ends it as a crash would: nothing is written to the disk first. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const binaries = findBinaries();
/** Why tests that need PostgreSQL are skipped; false: they aren't. */
export const withoutPostgres: string | false = binaries === undefined ? 'PostgreSQL is not installed' : false;

/** As PEM. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/**
 * A cluster of its own in a temporary folder, reached through a socket there; with a certificate, through TLS at localhost. PostgreSQL refuses to run as root: there, it runs as the user
 * that its package made. It ends with this process, also when that is killed.
 */
export async function startPostgres(tls?: Certificate): Promise<PostgresServer> {
  if (binaries === undefined) throw new Error('PostgreSQL is not installed.');
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'deep-research-pg-'));
  const user = process.getuid?.() === 0 ? userOf('postgres') : undefined;
  if (user) fs.chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const options = { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  execFileSync(path.join(binaries, 'initdb'), ['-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...options,
    stdio: 'pipe',
  });
  const port = tls && (await freePort());
  const encryption = tls ? encryptedBy(tls, folder, user) : [];
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const command = [path.join(binaries, 'postgres'), '-D', data, '-k', folder, '-c', `listen_addresses=${port ? '127.0.0.1' : ''}`];
    const settings = [...encryption, ...(port ? [`port=${port}`] : []), 'fsync=off', 'full_page_writes=off', 'max_connections=200', 'shared_buffers=32MB'];
    // The end of its input is the end of this process. SIGQUIT: at once.
    const script = '"$@" </dev/null & server=$!; cat >/dev/null; kill -QUIT $server; wait $server';
    const running = spawn(
      '/bin/sh',
      ['-c', script, 'sh', ...command, ...settings.flatMap((setting) => ['-c', setting])],
      { ...options, stdio: ['pipe', 'ignore', 'pipe'] },
    );
    child = running;
    await new Promise<void>((resolve, reject) => {
      let log = '';
      running.stderr.setEncoding('utf8').on('data', (text: string) => {
        log = (log + text).slice(-20_000);
        if (log.includes('ready to accept connections')) resolve();
      });
      running.on('exit', () => reject(new Error(`PostgreSQL ended: ${log}`)));
    });
  };
  const crash = async (): Promise<void> => {
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.stdin?.end();
    await ended;
    child = undefined;
    fs.rmSync(path.join(data, 'postmaster.pid'), { force: true });
  };
  await start();
  return {
    url: port
      ? `postgres://tester@localhost:${port}/postgres`
      : `postgres://tester@localhost/postgres?host=${encodeURIComponent(folder)}`,
    crash,
    start,
    async stop() {
      await crash();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Settings of a server with this certificate, which lies beside its data. It reads no key that others may read. */
function encryptedBy(tls: Certificate, folder: string, user?: { readonly uid: number; readonly gid: number }): string[] {
  const files = { ssl_cert_file: tls.certificate, ssl_key_file: tls.key };
  const settings = Object.entries(files).map(([name, text]) => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text, { mode: 0o600 });
    if (user) fs.chownSync(file, user.uid, user.gid);
    return `${name}=${file}`;
  });
  return ['ssl=on', ...settings];
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** What one of PostgreSQL's own programs prints, connected to a server of {@link startPostgres}. */
export function runClient({ url }: PostgresServer, program: string, args: readonly string[], input = ''): string {
  const connection = ['-h', new URL(url).searchParams.get('host')!, '-U', 'tester'];
  const options = { encoding: 'utf8', maxBuffer: 1 << 30, input, stdio: 'pipe' } as const;
  return execFileSync(path.join(binaries!, program), [...connection, ...args], options);
}

/** The minute in which a key allows so many requests, in milliseconds, for all workers of a queue. */
export async function shortenMinute({ query }: Database, ms: number): Promise<void> {
  const [row] = await query<{ text: string }>("SELECT pg_get_functiondef('research_turn'::regproc) AS text");
  const minute = /(?<=span interval := interval )'[^']+'/;
  if (!minute.test(row!.text)) throw new Error('The function has no such minute.');
  await query(row!.text.replace(minute, `'${ms} ms'`));
}

function findBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => path.join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(path.delimiter),
  ];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => fs.existsSync(path.join(folder, name))));
}

function userOf(name: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string): number => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
