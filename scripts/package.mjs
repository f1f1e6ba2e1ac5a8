// npm run package [-- FILE]: deep-research-VERSION.vsix, everything bundled. With --release the
// registry's signatures of all installed packages are checked first.
import fs from 'node:fs';
import path from 'node:path';
import { bootstrap, BootstrapError, exitWith, npm, root, run } from './bootstrap.mjs';
import { pack, remembered } from './lib/build.mjs';

async function main() {
  const { node } = await bootstrap();
  const words = process.argv.slice(2);
  const target = words.find((word) => !word.startsWith('--'));
  if (words.includes('--release')) await npm(['audit', 'signatures'], root);
  // From nothing: a development build's source maps or a bundle that is gone must not be shipped.
  fs.rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  if ((await remembered(() => run(node, ['esbuild.mjs', '--production']))) !== 0)
    throw new BootstrapError('The build failed.');
  const { name, version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  return pack(node, target ?? `${name}-${version}.vsix`);
}

exitWith(main());
