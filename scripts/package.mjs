// npm run package [-- FILE]: deep-research-VERSION.vsix, everything bundled, so without node_modules. With --release the
// registry's signatures of all installed packages are checked first.
import fs from 'node:fs';
import path from 'node:path';
import { bootstrap, BootstrapError, exitWith, npm, root, run } from './bootstrap.mjs';
import { remembered } from './lib/build.mjs';
import { writeShippedPackages } from './lib/shippedPackages.mjs';

async function main() {
  const { node } = await bootstrap();
  const words = process.argv.slice(2);
  const target = words.find((word) => !word.startsWith('--'));
  if (words.includes('--release')) await npm(['audit', 'signatures'], root);
  // From nothing: a development build's source maps or a bundle that is gone must not be shipped.
  fs.rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  if ((await remembered(() => run(node, ['esbuild.mjs', '--production']))) !== 0)
    throw new BootstrapError('The build failed.');
  writeShippedPackages();
  const { name, version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  return run(node, [
    vsce,
    'package',
    '--no-dependencies',
    '--no-rewrite-relative-links',
    '--allow-missing-repository',
    '--out',
    target ?? `${name}-${version}.vsix`,
  ]);
}

exitWith(main());
