import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCommand } from '../support/commandLine.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';

const answer = 'The quarry gate closes at 18:45 on weekdays.\n';
const question = 'When does the quarry gate close?';

describe('a folder that is not made of notes', () => {
  let runs: string;
  let settings: string;

  before(() => {
    runs = temporaryFolder('runs');
    settings = path.join(runs, 'settings.json');
    fs.writeFileSync(settings, JSON.stringify({ 'deepResearch.sources.enabled': ['workspace'] }));
  });
  after(() => removeFolder(runs));

  async function ask(
    files: (write: (name: string, data: string | Buffer) => void, folder: string) => void,
  ): Promise<string> {
    const folder = temporaryFolder('bad');
    try {
      files((name, data) => {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        fs.writeFileSync(path.join(folder, name), data);
      }, folder);
      return await askIn(folder);
    } finally {
      removeFolder(folder);
    }
  }

  /** The report, or what is said instead of one. */
  async function askIn(folder: string): Promise<string> {
    const common = ['--workspace', folder, '--run-dir', runs, '--settings', settings, '-p', 'extractive', '--yes'];
    const { stdout, stderr, code } = await runCommand(['-q', question, ...common]);
    assert.ok(code === 0 || code === 1, `${code}: ${stderr}`);
    assert.equal(code === 0, stdout !== '');
    return stdout === '' ? stderr : stdout;
  }

  it('of 20,000 files is answered from its notes, and says what was searched for its words alone', async () => {
    const line = Array.from({ length: 160 }, (_, n) => `${n},${(n * 7919) % 1000},north,${n % 7}`).join('\n');
    const said = await ask((write, folder) => {
      write('notes/gate.md', `# Gate\n\n${answer}`);
      // One file under 20,000 names: a folder of them is made and removed in a fraction of the time.
      const data = path.join(folder, 'data', 'all.csv');
      write('data/all.csv', `id,value,side,day\n${line}\n`);
      for (let n = 0; n < 200; n += 1) fs.mkdirSync(path.join(folder, 'data', `d${n}`));
      for (let n = 1; n < 20_000; n += 1) fs.linkSync(data, path.join(folder, 'data', `d${n % 200}`, `f${n}.csv`));
    });
    assert.match(said, /closes at 18:45/);
    assert.match(said.split('## Answer')[1] ?? '', /Searched for the words of the question alone, [^\n]*: [\d,]+ of 20001 files\./);
  });

  it('of one log of 50 MB is answered from its middle', async () => {
    const line = '2025-04-01T08:00:00Z INFO gate=quarry state=open temperature=12.5 operator=unknown\n';
    const said = await ask((write) => {
      const half = line.repeat(25_000_000 / line.length);
      write('gate.log', `${half}${answer}${half}`);
    });
    assert.match(said, /closes at 18:45/);
    assert.match(said, /gate\.log#L\d{6}-L\d{6}/);
  });

  it('without an answer ends with a report that says so, and no error', async () => {
    const folder = temporaryFolder('none');
    fs.writeFileSync(path.join(folder, 'gate.md'), `# Gate\n\n${answer}`);
    const other = 'What is the boiling point of ammonia on Mars?';
    const common = ['--workspace', folder, '--run-dir', runs, '--settings', settings, '-p', 'extractive', '--yes'];
    const { stdout, code } = await runCommand([other, ...common, '--events']);
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

  it('whose files change and vanish while they are read is answered', async () => {
    const folder = temporaryFolder('bad');
    const file = (n: number): string => path.join(folder, `f${n}.md`);
    for (let n = 0; n < 2_000; n += 1) fs.writeFileSync(file(n), `# Note ${n}\n\nNothing of interest, number ${n}.\n`);
    fs.writeFileSync(path.join(folder, 'gate.md'), answer);
    let turn = 0;
    const timer = setInterval(() => {
      turn += 1;
      for (let n = turn % 3; n < 2_000; n += 40)
        if (turn % 2 === 0) fs.rmSync(file(n), { force: true });
        else fs.writeFileSync(file(n), `${answer}${'more '.repeat(turn * 50)}\n`);
    }, 20);
    try {
      assert.match(await askIn(folder), /closes at 18:45/);
    } finally {
      clearInterval(timer);
      removeFolder(folder);
    }
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
        .readdirSync(runs, { recursive: true })
        .map(String)
        .filter((name) => /[0-9a-f]\.index$/.test(name));
      assert.ok(indexes.length > 0);
      for (const damage of [Buffer.from('no index'), randomBytes(5_000), Buffer.alloc(0)]) {
        for (const name of indexes) fs.writeFileSync(path.join(runs, name), damage);
        const said = await askIn(folder);
        assert.match(said, /closes at 18:45/);
        assert.doesNotMatch(said, /index/i);
      }
    } finally {
      removeFolder(folder);
    }
  });
});
