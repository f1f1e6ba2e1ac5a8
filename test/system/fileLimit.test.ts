import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../support/paths.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

describe('a test file', () => {
  it('that hangs when its tests have ended is ended, and fails with what it waits for', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder.path, 'hangs.test.mjs');
    fs.writeFileSync(file, "import { it } from 'node:test';\nit('passes', () => setInterval(() => {}, 1_000));\n");
    const limit = pathToFileURL(path.join(root, 'test', 'support', 'fileLimit.mjs')).href;
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const output = await new Promise<string>((resolve) => {
      const args = ['--import', limit, '--test', '--test-reporter=spec', file];
      execFile(process.execPath, args, { env: { ...env, DEEP_RESEARCH_FILE_MINUTES: '0.01' } }, (_error, stdout) =>
        resolve(stdout),
      );
    });
    await folder.remove();
    assert.match(output, /Not done in 0\.01 minutes\. Open: .*Timeout/);
    assert.match(output, /fail 1\n/);
  });
});
