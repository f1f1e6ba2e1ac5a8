// npm run step -- NODE --state state.json: one node of the graph on a state from a file, straight from the sources.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, exitWith, root, run } from './bootstrap.mjs';

async function main() {
  const { node } = await bootstrap();
  const register = pathToFileURL(path.join(root, 'test', 'support', 'register.mjs')).href;
  return run(
    node,
    ['--import', register, path.join(root, 'src', 'step.ts'), ...process.argv.slice(2)],
    {},
    'inherit',
    process.env.INIT_CWD,
  );
}

exitWith(main());
