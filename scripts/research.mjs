// npm run research -- QUESTION [options]: the command line, built first when a source changed. stdout is the report's.
import path from 'node:path';
import { bootstrap, exitWith, root, run } from './bootstrap.mjs';
import { ensureBuilt } from './lib/build.mjs';

async function main() {
  const { node } = await bootstrap();
  await ensureBuilt(node);
  // npm changes to the package's folder; relative paths mean the folder that the person stands in.
  const cwd = process.env.INIT_CWD;
  return run(node, [path.join(root, 'dist', 'cli.js'), ...process.argv.slice(2)], {}, 'inherit', cwd);
}

exitWith(main());
