// npm run eval:keyless [-- --set dev|heldOut|DIR] [--json] …: what is answered without a model; see test/eval/keyless/README.md.
import path from 'node:path';
import process from 'node:process';
import { bootstrap, exitWith, root, run } from './bootstrap.mjs';
import { ensureBuilt } from './lib/build.mjs';

async function main() {
  const { node } = await bootstrap();
  if (!process.argv.includes('--dist')) await ensureBuilt(node);
  const offline = path.join(root, 'test', 'support', 'offline.mjs');
  return run(node, [
    '--import',
    offline,
    path.join(root, 'test', 'eval', 'keyless', 'keyless.eval.ts'),
    ...process.argv.slice(2),
  ]);
}

exitWith(main());
