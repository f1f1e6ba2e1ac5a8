// npm run eval:report -- --questions FILE [--judge] …: reports on a set of questions; see test/eval/report/README.md.
import path from 'node:path';
import process from 'node:process';
import { bootstrap, exitWith, root, run } from './bootstrap.mjs';
import { ensureBuilt } from './lib/build.mjs';

async function main() {
  const { node } = await bootstrap();
  await ensureBuilt(node);
  return run(node, [path.join(root, 'test', 'eval', 'report', 'report.eval.ts'), ...process.argv.slice(2)]);
}

exitWith(main());
