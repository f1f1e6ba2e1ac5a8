// npm run step, fuzz, eval:…, generate, l10n, screenshots: a TypeScript program of this repository under the project's
// Node, once what it needs is installed and built. `node scripts/program.mjs NAME [ARGUMENT…]`
import path from 'node:path';
import { bootstrap, exitWith, root, run } from './bootstrap.mjs';
import { ensureBuilt } from './lib/build.mjs';

/**
 * `imports` are modules of test/support that Node loads first; with `built`, dist/ is built before; with `whereCalled`,
 * relative paths are those of the folder in which npm was called.
 */
const programs = {
  'eval:claims': { file: 'test/eval/claims/claims.eval.ts', imports: ['register'] },
  'eval:clarify': { file: 'test/eval/clarify/clarify.eval.ts', imports: ['register'] },
  'eval:followups': { file: 'test/eval/followups/followups.eval.ts', imports: ['register'] },
  'eval:keyless': { file: 'test/eval/keyless/keyless.eval.ts', imports: ['offline'], built: true },
  'eval:report': { file: 'test/eval/report/report.eval.ts', built: true },
  fuzz: { file: 'test/fuzz/fuzz.ts', imports: ['register', 'offline'] },
  generate: { file: 'scripts/generate.ts' },
  l10n: { file: 'scripts/l10n.ts' },
  screenshots: { file: 'test/ui/readmeScreenshots.ts', imports: ['register'], built: true, inEditor: true },
  step: { file: 'src/step.ts', imports: ['register'], whereCalled: true },
};

async function main() {
  const [name, ...args] = process.argv.slice(2);
  const program = programs[name];
  if (program === undefined) {
    process.stderr.write(`node scripts/program.mjs NAME, one of ${Object.keys(programs).join(', ')}.\n`);
    return 2;
  }
  const { file, imports = [], built = false, inEditor = false, whereCalled = false } = program;
  const { node, editor, browser } = await bootstrap({ editor: inEditor, browser: inEditor });
  // With --dist the evaluation has a build of its own.
  if (built && !args.includes('--dist')) await ensureBuilt(node);
  const loaded = imports.flatMap((module) => ['--import', path.join(root, 'test', 'support', `${module}.mjs`)]);
  const env = inEditor ? { DEEP_RESEARCH_EDITOR: editor, DEEP_RESEARCH_BROWSER: browser } : {};
  const cwd = whereCalled ? process.env.INIT_CWD : root;
  return run(node, [...loaded, path.join(root, file), ...args], env, 'inherit', cwd);
}

exitWith(main());
