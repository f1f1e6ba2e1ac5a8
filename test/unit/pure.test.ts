import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/paths.ts';

const impure = /^(?:node:)?(?:https?|http2|net|tls|dgram|cluster|child_process|worker_threads)$/;
const clock = /\bperformance\.now\b|\bprocess\.(?:cpuUsage|hrtime)\b|\bAbortSignal\.timeout\b/;
const here = path.join(root, 'test', 'unit');
const runs = path.join(root, 'test', 'support', 'scriptedRun.ts');
const wholeRun = /^import \{[^}]*\bresearch\b[^}]*\} from '[./]*\/src\/engine\.ts'/m;
const files = fs
  .readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => path.join(here, file));
const pathTo = new Map<string, string | undefined>();

function importsOf(file: string): string[] {
  const code = fs.readFileSync(file, 'utf8');
  return [...code.matchAll(/^(?:import|export)\b(?! type\b)(?:[^'";]*?\bfrom\s*)?\s*['"]([^'"]+)['"]/gm)].map(
    (match) => match[1]!,
  );
}

/** By which imports of tests and scripts a file reaches a server, a process or a whole run. */
function reach(file: string): string | undefined {
  if (pathTo.has(file)) return pathTo.get(file);
  pathTo.set(file, undefined);
  for (const specifier of importsOf(file)) {
    const target = path.resolve(path.dirname(file), specifier);
    const isOurs = specifier.startsWith('.') && /\.(?:ts|mjs)$/.test(target) && !target.startsWith(`${root}/src/`);
    const rest = isOurs && target !== runs ? reach(target) : undefined;
    if (!impure.test(specifier) && target !== runs && rest === undefined) continue;
    pathTo.set(file, `${path.relative(root, file)} -> ${rest ?? specifier}`);
    break;
  }
  return pathTo.get(file);
}

describe('unit tests', () => {
  it('start no server, no process, no thread and no whole run', () => {
    assert.deepEqual(
      files.map(reach).filter((found) => found !== undefined),
      [],
    );
    assert.deepEqual(
      files.filter((file) => wholeRun.test(fs.readFileSync(file, 'utf8'))),
      [],
    );
  });

  it('judge by no clock', () => {
    const users = files.filter((file) => clock.test(fs.readFileSync(file, 'utf8').replace(/^const clock = .*$/m, '')));
    assert.deepEqual(users, []);
  });
});
