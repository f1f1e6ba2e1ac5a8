// npm run test:electron [-- VERSION]: the host suite in desktop VS Code, which @vscode/test-electron downloads (default: the
// oldest version that the manifest supports). Needs a display; on a server: xvfb-run -a npm run test:electron.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bootstrap, BootstrapError, exitWith, root, run, underNode24 } from './bootstrap.mjs';

async function main() {
  const { node } = await bootstrap();
  const again = underNode24(node, import.meta.url);
  if (again !== undefined) return again;
  if ((await run(node, ['esbuild.mjs', '--production', '--tests'])) !== 0)
    throw new BootstrapError('The build failed.');

  const { runTests } = await import('@vscode/test-electron');
  const { engines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const workspace = fs.mkdtempSync(path.join(os.tmpdir(), 'deep-research-workspace-'));
  const results = path.join(workspace, '..', `${path.basename(workspace)}.json`);
  try {
    fs.cpSync(path.join(root, 'examples'), workspace, { recursive: true });
    await runTests({
      version: process.argv[2] ?? engines.vscode.replace('^', ''),
      extensionDevelopmentPath: root,
      extensionTestsPath: path.join(root, 'out', 'test', 'host', 'index.js'),
      launchArgs: [workspace, '--disable-extensions', '--disable-workspace-trust'],
      extensionTestsEnv: { DEEP_RESEARCH_TEST_RESULTS: results },
    }).catch((error) => {
      throw new BootstrapError(`VS Code could not be downloaded or ended early: ${error.message}`);
    });
    return report(JSON.parse(fs.readFileSync(results, 'utf8')));
  } finally {
    fs.rmSync(workspace, { recursive: true, force: true });
    fs.rmSync(results, { force: true });
  }
}

function report({ tests, crash }) {
  for (const { title, state, ms, error } of tests)
    console.log(`${state}: ${title} (${ms} ms)${error ? `\n${error}` : ''}`);
  if (crash) console.log(crash);
  const passed = tests.filter(({ state }) => state === 'passed').length;
  const failed = tests.filter(({ state }) => state === 'failed').length + (crash || tests.length === 0 ? 1 : 0);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

exitWith(main());
