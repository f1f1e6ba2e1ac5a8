// Runs out/test/host in the extension host of the served editor: node test/support/hostSuite.ts RESULTS.json
// Prints a line a test, writes the counts, and exits 1 when a test failed or the editor did.
import fs from 'node:fs';
import path from 'node:path';
import { startEditor } from './editor.ts';
import type { HostResults } from './hostResults.ts';
import { copyWorkspace, removeFolder, root } from './paths.ts';

/** Ends an editor that hangs; the suite takes a twentieth of it. */
const suiteSeconds = 1_500;
const [resultsFile] = process.argv.slice(2);
if (!resultsFile) throw new Error('Usage: node test/support/hostSuite.ts RESULTS.json');

const workspace = copyWorkspace(fs.existsSync(path.join(root, 'examples')) ? 'examples' : undefined);
const hostFile = path.join(path.dirname(resultsFile), 'host-mocha.json');
fs.rmSync(hostFile, { force: true });
/** What this build of the editor says of itself: it lacks native logging, and nobody is signed in. */
const harmless = /Could not locate the bindings file|native-watchdog|open-vsx\.org|^\[AgentHost\]|No signed-in session/;
const consoleLines: string[] = [];
const editor = await startEditor({
  workspace,
  testsPath: path.join(root, 'out', 'test', 'host', 'index.js'),
  beside: [path.join(root, 'test', 'fixtures', 'modelProvider')],
  env: { DEEP_RESEARCH_TEST_RESULTS: hostFile },
});
let timer: NodeJS.Timeout | undefined;
try {
  await new Promise<void>((resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The host suite was not done within ${suiteSeconds} s.`)),
      suiteSeconds * 1_000,
    );
    const opened = editor.openPage({
      until: 'load',
      prepare: async (page) => {
        // Nobody looks at this window: what is fully transparent is laid out, but not drawn, an eighth of the processor time.
        await page.addInitScript({
          content: `document.adoptedStyleSheets.push(new CSSStyleSheet());
            document.adoptedStyleSheets.at(-1).replaceSync('html { opacity: 0 !important; }');`,
        });
        await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
          const text = args.map(String).join(' ');
          if (!harmless.test(text)) consoleLines.push(`${type}: ${text}`);
        });
        await page.exposeFunction('codeAutomationExit', () => resolve());
        page.on('crash', () => reject(new Error('The editor page crashed.')));
      },
    });
    opened.catch(reject);
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  clearTimeout(timer);
  await editor.stop();
  removeFolder(workspace);
}

const results: HostResults = fs.existsSync(hostFile)
  ? (JSON.parse(fs.readFileSync(hostFile, 'utf8')) as HostResults)
  : { tests: [], crash: 'The extension host ended without results.' };
const of = (state: string) => results.tests.filter((test) => test.state === state);
for (const test of results.tests) {
  const mark = { passed: '✔', failed: '✖', pending: '﹣' }[test.state];
  console.log(`${mark} ${test.title} (${test.ms} ms)`);
  if (test.error) console.log(test.error.replace(/^/gm, '    '));
}
if (results.tests.length === 0) console.log('No test was run.');
if (results.crash) console.log(`✖ ${results.crash}`);
const failures = [
  ...of('failed').map(({ title, error = 'failed' }) => ({ file: 'test/host', name: title, why: error })),
  ...(results.crash ? [{ file: 'test/host', name: 'the extension host', why: results.crash }] : []),
];
if (failures.length > 0 && consoleLines.length > 0)
  console.log(`Console of the extension host:\n${consoleLines.slice(-60).join('\n')}`);
const counts = { passed: of('passed').length, failed: failures.length, skipped: of('pending').length, failures };
fs.writeFileSync(resultsFile, JSON.stringify(counts, null, 2));
process.exitCode = failures.length > 0 ? 1 : 0;
