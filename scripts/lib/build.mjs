import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { BootstrapError, root, run } from '../bootstrap.mjs';
import { writeShippedPackages } from './shippedPackages.mjs';

const inputs = [
  'src',
  'prompts',
  'l10n',
  'scripts/stubs',
  'scripts/lib/translations.mjs',
  'esbuild.mjs',
  'package.json',
  'package-lock.json',
];
const outputs = ['dist/extension.js', 'dist/panel.js', 'dist/cli.js'];
const stamp = path.join(root, 'out', 'build.sha256');

/** Builds dist/ when a source changed since it was last built. What it says goes to stderr. */
export async function ensureBuilt(node) {
  const complete = outputs.every((file) => fs.existsSync(path.join(root, file)));
  if (complete && fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === fingerprint()) return;
  process.stderr.write('Building…\n');
  const built = await remembered(() => run(node, ['esbuild.mjs', '--production'], {}, ['ignore', 2, 2]));
  if (built !== 0) throw new BootstrapError('The build failed.');
}

/** Runs a build, and when it succeeds remembers what it was made from. Gives its exit code. */
export async function remembered(build) {
  const from = fingerprint();
  fs.rmSync(stamp, { force: true });
  const code = await build();
  if (code === 0) {
    fs.mkdirSync(path.dirname(stamp), { recursive: true });
    fs.writeFileSync(stamp, from);
  }
  return code;
}

/** Writes the .vsix of what was built: everything is bundled, so it has no node_modules, but a list of what is in the bundles. Returns the exit code. */
export async function pack(node, file, stdio = 'inherit') {
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const flags = ['--no-dependencies', '--no-rewrite-relative-links', '--allow-missing-repository'];
  const out = path.resolve(root, file);
  const staged = stagePackage();
  try {
    return await run(node, [vsce, 'package', ...flags, '--out', out], {}, stdio, staged);
  } finally {
    fs.rmSync(staged, { recursive: true, force: true });
  }
}

/**
 * A folder with what may be packed, and little else: vsce compares every file below its folder, an editor's 18,000 among them,
 * with every line of .vscodeignore. It is the caller's to remove.
 */
export function stagePackage() {
  writeShippedPackages();
  fs.mkdirSync(path.join(root, 'out'), { recursive: true });
  const staged = fs.mkdtempSync(path.join(root, 'out', 'package-'));
  const kept = fs
    .readFileSync(path.join(root, '.vscodeignore'), 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1).split('/', 1)[0]] : []))
    .map((name) => new RegExp(`^${name.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`));
  for (const name of fs.readdirSync(root))
    if (name === '.vscodeignore' || kept.some((one) => one.test(name)))
      fs.cpSync(path.join(root, name), path.join(staged, name), { recursive: true });
  return staged;
}

/** Of what the build is made from, and of `more` files and folders. */
export function fingerprint(more = []) {
  const hash = createHash('sha256');
  for (const file of [...inputs, ...more].flatMap(filesIn).sort()) {
    const { size, mtimeMs } = fs.statSync(path.join(root, file));
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesIn(place) {
  const at = path.join(root, place);
  if (!fs.existsSync(at)) return [];
  if (!fs.statSync(at).isDirectory()) return [place];
  return fs
    .readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)));
}
