import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { answer, useBadFolders } from '../support/badFolders.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';

/** Large ones, and those that change meanwhile, are in badFolders.exhaustive.test.ts. */
describe('a folder that is not made of notes', () => {
  const { runs, ask, askIn, command } = useBadFolders();

  it('without an answer ends with a report that says so, and no error', async () => {
    const folder = temporaryFolder('none');
    fs.writeFileSync(path.join(folder, 'gate.md'), `# Gate\n\n${answer}`);
    const other = 'What is the boiling point of ammonia on Mars?';
    const { stdout, code } = await command(folder, [other, '--events']);
    removeFolder(folder);
    assert.equal(code, 0);
    assert.match(stdout, /"outcome":"notFound"/);
  });

  it('of minified bundles is answered from the text beside them', async () => {
    const code = `!function(e){${'var a=function(t,n){return t.gate(n)+n.close(t)};'.repeat(40_000)}}(this);`;
    const said = await ask((write) => {
      for (const name of ['app', 'vendor', 'polyfills']) write(`dist-web/${name}.min.js`, code);
      write('README.md', `# Site\n\n${answer}`);
    });
    assert.match(said, /closes at 18:45/);
    assert.ok(said.length < 20_000, `${said.length}`);
  });

  it('of binaries called .md is answered from the text among them', async () => {
    const said = await ask((write) => {
      for (let n = 0; n < 20; n += 1) write(`scan${n}.md`, randomBytes(400_000));
      write('gate.md', answer);
    });
    assert.match(said, /closes at 18:45/);
  });

  it('that is empty gets a clear message', async () => {
    assert.match(await ask(() => {}), /Nothing was found for this section; searched: workspace/);
  });

  it('whose stored index is damaged, or of another version, is answered as before', async () => {
    const folder = temporaryFolder('bad');
    fs.writeFileSync(path.join(folder, 'gate.md'), answer);
    try {
      assert.match(await askIn(folder), /closes at 18:45/);
      const indexes = fs
        .readdirSync(runs(), { recursive: true })
        .map(String)
        .filter((name) => /[0-9a-f]\.index$/.test(name));
      assert.ok(indexes.length > 0);
      for (const damage of [Buffer.from('no index'), randomBytes(5_000), Buffer.alloc(0)]) {
        for (const name of indexes) fs.writeFileSync(path.join(runs(), name), damage);
        const said = await askIn(folder);
        assert.match(said, /closes at 18:45/);
        assert.doesNotMatch(said, /index/i);
      }
    } finally {
      removeFolder(folder);
    }
  });
});
