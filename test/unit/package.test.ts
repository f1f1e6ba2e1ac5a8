import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { createVSIX, listFiles } from '@vscode/vsce';
import { removeFolder, root, temporaryFolder } from '../support/paths.ts';

interface Output {
  readonly bytes: number;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

/** What the last build wrote, by file. */
function outputs(build: string): Readonly<Record<string, Output>> {
  const file = path.join(root, 'out', 'meta', `${build}.json`);
  assert.ok(fs.existsSync(file), `${build} has not been built: run "npm run build"`);
  return JSON.parse(fs.readFileSync(file, 'utf8')).outputs;
}

/** A file and all that is loaded with it. */
function loadedWith(files: Readonly<Record<string, Output>>, entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const { path: to, kind, external } of files[entry]?.imports ?? []) {
    if (!external && kind !== 'dynamic-import') loadedWith(files, to, seen);
  }
  return seen;
}

function inputsOf(files: Readonly<Record<string, Output>>, loaded: Iterable<string>): string[] {
  return [...loaded].flatMap((file) => Object.keys(files[file]?.inputs ?? {}));
}

const size = (file: string) => fs.statSync(path.join(root, file)).size;
const kB = 1_000;
const MB = 1_000_000;

describe('what is shipped', () => {
  const folder = temporaryFolder('vsix');
  after(() => removeFolder(folder));

  it('activates with at most 60 kB in all, without LangChain, zod classic or a Markdown parser', () => {
    const files = outputs('extension');
    const loaded = loadedWith(files, 'dist/extension.js');
    assert.deepEqual([...loaded].filter((file) => file !== 'dist/extension.js' && !file.startsWith('dist/extension/')), []);
    const heavy = inputsOf(files, loaded).filter((input) => /node_modules\/(@langchain|openai|langsmith|marked|dompurify|preact)\/|zod\/v4\/classic|src\/(research|sources|models|node|panel)\//.test(input));
    assert.deepEqual(heavy, []);
    const foreign = [...loaded].flatMap((file) => files[file]?.imports ?? []).filter(({ kind, external, path: to }) => kind !== 'dynamic-import' && external && to !== 'vscode' && !to.startsWith('node:'));
    assert.deepEqual(foreign, []);
    const bytes = [...loaded].reduce((sum, file) => sum + size(file), 0);
    assert.ok(bytes <= 60 * kB, `${bytes} bytes`);
  });

  it('draws the panel with at most 200 kB', () => {
    assert.deepEqual([...loadedWith(outputs('panel'), 'dist/panel.js')], ['dist/panel.js']);
    assert.ok(size('dist/panel.js') <= 200 * kB, `${size('dist/panel.js')} bytes`);
  });

  it('loads at most 2 MB for a run, even one that uses every part', () => {
    const engine = Object.keys(outputs('engine')).reduce((sum, file) => sum + size(file), 0);
    const extension = Object.keys(outputs('extension')).reduce((sum, file) => sum + size(file), 0);
    const all = engine + extension + size('dist/panel.js');
    assert.ok(all <= 2 * MB, `${all} bytes`);
  });

  it('carries no tracing client and no token tables', () => {
    for (const build of ['engine', 'cli']) {
      const files = outputs(build);
      assert.deepEqual(inputsOf(files, Object.keys(files)).filter((input) => /node_modules\/(langsmith|js-tiktoken)\//.test(input)), []);
    }
  });

  it('packs only what the extension loads and what its page shows', async () => {
    const expected = [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/codicons/codicon.css',
      'dist/codicons/codicon.ttf',
      ...Object.keys(outputs('engine')),
      ...Object.keys(outputs('extension')),
      ...Object.keys(outputs('panel')),
      'media/activity.svg',
      'media/icon.png',
      'package.json',
      'package.nls.json',
    ];
    const packed = await listFiles({ cwd: root, packageManager: 0 });
    const unexpected = packed.filter((file) => !expected.includes(file) && !/^(l10n\/|package\.nls\.)/.test(file));
    assert.deepEqual(unexpected, []);
    assert.deepEqual(expected.filter((file) => !packed.includes(file)), []);
  });

  it('packs at most 6 MB', async () => {
    const packagePath = path.join(folder, 'deep-research.vsix');
    await createVSIX({ cwd: root, dependencies: false, packagePath, rewriteRelativeLinks: false, allowMissingRepository: true });
    assert.ok(fs.statSync(packagePath).size <= 6 * MB);
  });
});
