// npm run eval:clarify [-- --set dev|heldOut|DIR] [--provider NAME --model NAME --base-url URL] …: when questions are asked; see
// test/eval/clarify/README.md.
import path from 'node:path';
import process from 'node:process';
import { bootstrap, exitWith, root, run } from './bootstrap.mjs';

async function main() {
  const { node } = await bootstrap();
  const support = path.join(root, 'test', 'support');
  return run(node, [
    ...['--import', path.join(support, 'register.mjs')],
    path.join(root, 'test', 'eval', 'clarify', 'clarify.eval.ts'),
    ...process.argv.slice(2),
  ]);
}

exitWith(main());
