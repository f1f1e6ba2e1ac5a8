import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { countedStage } from '../../scripts/lib/countedStage.mjs';
import { root } from '../support/paths.ts';

const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
/** These follow an `npm ci` in the documents, and are tools of packages. */
const afterInstall = new Set(['build', 'watch', 'typecheck', 'lint', 'format', 'format:check']);

/** What npm runs for each command that a document names. */
const documents = ['README.md', 'SECURITY.md', '.ci/run', ...markdownIn('docs'), ...markdownIn('test/eval')];
const named = new Set(
  documents.flatMap((file) =>
    [...read(file).matchAll(/\bnpm (?:run (?:--silent )?([\w:-]+)|(start|test)\b)/g)].map(
      ([, script, short]) => script ?? short!,
    ),
  ),
);

/** Scripts of ours that a document or the CI runs without npm. */
const direct = new Set(
  documents.flatMap((file) => [...read(file).matchAll(/\bscripts\/[\w.-]+\.mjs\b/g)].map(([script]) => script)),
);

describe('the commands that the documents name', () => {
  it('are more than ten, and each is in package.json', () => {
    assert.ok(named.size > 10, [...named].join());
    for (const name of named) assert.ok(scripts[name], `npm run ${name}`);
  });

  for (const name of named) {
    if (afterInstall.has(name)) continue;
    it(`npm run ${name} imports no package before it has installed them`, () => {
      const [, entry] = /^node (scripts\/[\w.-]+\.mjs)\b/.exec(scripts[name]!) ?? [];
      assert.ok(entry, `"${scripts[name]}" is a script of ours`);
      assert.deepEqual(packagesOf(entry), []);
    });
  }

  for (const entry of ['scripts/ci.mjs', ...direct])
    it(`${entry} imports no package`, () => assert.deepEqual(packagesOf(entry), []));

  it('finds a package behind another module', () => {
    assert.deepEqual(packagesOf('scripts/lib/installPackage.mjs'), ['scripts/lib/installPackage.mjs imports fflate']);
  });
});

it('a stage of the CI says at its end what failed and what is flaky', () => {
  const said = ['Failed: test/a.test.ts: is red', 'Flaky, passed only when run again: test/b.test.ts: is slow'];
  const { remarks } = countedStage(`✖ is red\n\n${said.join('\n')}\n\n3 passed, 1 failed\n`, 1);
  assert.deepEqual(remarks, said);
});

it('a stage of the CI that does not count is a failure', () => {
  for (const [output, code, passed, failed] of [
    ['x\n3 passed, 0 failed\n', 0, 3, 0],
    ['3 passed, 2 failed\n', 1, 3, 2],
    ['3 passed, 0 failed\n', 1, 3, 1],
    ['', 0, 0, 1],
    ['it broke', 1, 0, 1],
    ['3 passed, 0 failed\n', null, 3, 1],
  ] as const)
    assert.deepEqual(countedStage(output, code), { passed, failed, remarks: [] }, output);
});

/** The packages that a module imports statically, itself or through others, as "FILE imports PACKAGE". */
function packagesOf(entry: string, seen = new Set<string>()): string[] {
  if (seen.has(entry)) return [];
  seen.add(entry);
  const statements = /^(?:import\s+(?:[\w*{][^;'"]*?\sfrom\s+)?|export\s+[*{][^;'"]*?\sfrom\s+)['"]([^'"]+)/gm;
  const imported = [...read(entry).matchAll(statements)].map(([, name]) => name!);
  return imported.flatMap((name) => {
    if (name.startsWith('node:')) return [];
    if (!name.startsWith('.')) return [`${entry} imports ${name}`];
    return packagesOf(path.posix.join(path.posix.dirname(entry), name), seen);
  });
}

function markdownIn(folder: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')));
}
