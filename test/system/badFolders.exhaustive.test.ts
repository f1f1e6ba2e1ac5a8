import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { answer, useBadFolders } from '../support/badFolders.ts';
import { runCommand } from '../support/commandLine.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';

describe('a folder that is large, or changes while it is read', () => {
  const { ask, askIn } = useBadFolders();

  it('of 20,000 files is answered from its notes, and says what was searched for its words alone', async () => {
    const line = Array.from({ length: 160 }, (_, n) => `${n},${(n * 7919) % 1000},north,${n % 7}`).join('\n');
    const said = await ask((write, folder) => {
      write('notes/gate.md', `# Gate\n\n${answer}`);
      // One file under 20,000 names: a folder of them is made and removed in a fraction of the time.
      const data = path.join(folder, 'data', 'all.csv');
      write('data/all.csv', `id,value,side,day\n${line}\n`);
      for (let n = 0; n < 200; n += 1) fs.mkdirSync(path.join(folder, 'data', `d${n}`));
      for (let n = 1; n < 20_000; n += 1) fs.linkSync(data, path.join(folder, 'data', `d${n % 200}`, `f${n}.csv`));
    }, runCommand);
    assert.match(said, /closes at 18:45/);
    assert.match(
      said.split('## Answer')[1] ?? '',
      /Searched for the words of the question alone, [^\n]*: [\d,]+ of 20001 files\./,
    );
  });

  it('of one log of 50 MB is answered from its middle', async () => {
    const line = '2025-04-01T08:00:00Z INFO gate=quarry state=open temperature=12.5 operator=unknown\n';
    const said = await ask((write) => {
      const half = line.repeat(25_000_000 / line.length);
      write('gate.log', `${half}${answer}${half}`);
    }, runCommand);
    assert.match(said, /closes at 18:45/);
    assert.match(said, /gate\.log#L\d{6}-L\d{6}/);
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
});
