// npm run screenshots: takes the pictures of the README anew, in the real editor, into media/readme/.
import path from 'node:path';
import { bootstrap, exitWith, run } from './bootstrap.mjs';
import { ensureBuilt } from './lib/build.mjs';

async function main() {
  const { node, editor, browser } = await bootstrap({ editor: true, browser: true });
  await ensureBuilt(node);
  return run(node, ['--import', './test/support/register.mjs', path.join('test', 'ui', 'readmeScreenshots.ts')], {
    DEEP_RESEARCH_EDITOR: editor,
    DEEP_RESEARCH_BROWSER: browser,
  });
}

exitWith(main());
