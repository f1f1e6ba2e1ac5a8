#!/usr/bin/env node
// The command's first file. It must run on older versions of Node, so it imports nothing of ours before it has checked the
// version: the engine's libraries need Node 22. In a clone, `npm ci` installs a Node 24 beside them; from npm there is none.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { constants as os } from 'node:os';
import { fileURLToPath } from 'node:url';

const minimum = 22;
const running = Number(process.versions.node.split('.')[0]);

if (running >= minimum) await import('./cli.ts');
else restart(bundledNode());

function bundledNode(): string | undefined {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const file = fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url));
  try {
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    return undefined;
  }
}

/** Runs the same command under the bundled Node: same streams, same signals, same exit code. */
function restart(node: string | undefined): void {
  if (node === undefined) {
    console.error(
      `deep-research needs Node ${minimum} or newer; this is Node ${process.versions.node}. ` +
        'Install a newer Node from https://nodejs.org, or run "npm ci" in a clone, which brings its own.',
    );
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // Ctrl+C reaches both from the terminal; a signal sent to this process alone is passed on. The child decides when to end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`deep-research could not start ${node}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 128 + os.signals[signal] : 1);
  });
}
