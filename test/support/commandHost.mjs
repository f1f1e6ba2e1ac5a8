// Runs the built command line once for each message of its parent, in this one process: { args } -> { code, stdout, stderr }.
// Only the module that is the command is loaded again each time. A command that ends the process ends this one.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const launcher = new URL('../../dist/cli.js', import.meta.url);
const [, cli] = /import\("(\.\/engine\/cli-[^"]+)"\)/.exec(fs.readFileSync(launcher, 'utf8')) ?? [];
assert.ok(cli, 'dist/cli.js imports the command once it has looked at the version of Node');
const exit = process.exit.bind(process);
const [program] = process.argv;
const said = { stdout: '', stderr: '' };
let runs = 0;

for (const name of Object.keys(said))
  process[name].write = (text, encoding, done = encoding) => {
    said[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };

// Without a code it is the end of a command that is done already, for what may still be open.
process.exit = (code) => {
  if (code !== undefined) process.send({ ...said, code }, () => exit());
};

process.on('disconnect', () => exit());
process.on('message', async ({ args }) => {
  Object.assign(said, { stdout: '', stderr: '' });
  process.argv = [program, fileURLToPath(launcher), ...args];
  process.exitCode = undefined;
  runs += 1;
  await import(new URL(`${cli}?run=${runs}`, launcher).href);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  const code = process.exitCode;
  process.exitCode = undefined;
  process.send({ ...said, code });
});
