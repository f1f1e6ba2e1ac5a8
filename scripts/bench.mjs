// npm run bench [-- NAME…]: every test/bench/*.bench.ts, or those with NAME in their name, one after another.
import fs from 'node:fs';
import path from 'node:path';
import { bootstrap, exitWith, root, run } from './bootstrap.mjs';
import { ensureBuilt } from './lib/build.mjs';

async function main() {
  const { node, browser, editor } = await bootstrap({ browser: true, editor: true });
  process.env.DEEP_RESEARCH_BROWSER ||= browser;
  process.env.DEEP_RESEARCH_EDITOR ||= editor;
  await ensureBuilt(node);
  const filters = process.argv.slice(2);
  const files = fs
    .readdirSync(path.join(root, 'test', 'bench'))
    .filter(
      (file) => file.endsWith('.bench.ts') && (filters.length === 0 || filters.some((filter) => file.includes(filter))),
    );
  if (files.length === 0) throw new Error(`No benchmark matches ${filters.join(', ')}.`);
  let worst = 0;
  for (const file of files.sort()) {
    console.log(`\n== ${file} ==`);
    const imports = ['register', 'offline'].flatMap((name) => ['--import', `./test/support/${name}.mjs`]);
    worst = Math.max(worst, await run(node, [...imports, path.join('test', 'bench', file)]));
  }
  return worst;
}

exitWith(main());
