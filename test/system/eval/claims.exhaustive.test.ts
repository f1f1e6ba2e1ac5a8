import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { readPairs } from '../../eval/claims/pairs.ts';
import { type ModelServer, startModelServer } from '../../support/modelServer.ts';
import { root } from '../../support/paths.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

const dev = join(root, 'test', 'eval', 'claims', 'dev.jsonl');

describe('labelled pairs', () => {
  let server: ModelServer;
  let folder: TemporaryFolder;
  before(async () => {
    [server, folder] = await Promise.all([startModelServer(), temporaryFolder({ 'wrong.jsonl': '{"claim": 1}\n' })]);
  });
  after(() => Promise.all([server.close(), folder.remove()]));

  const evaluate = (...args: string[]) =>
    promisify(execFile)(process.execPath, [
      ...[
        '--import',
        join(root, 'test', 'support', 'register.mjs'),
        join(root, 'test', 'eval', 'claims', 'claims.eval.ts'),
      ],
      ...args,
    ]);
  const ofServer = () => ['--base-url', server.url, '--model', 'imitation-1'];

  it('are read by the second reader, in a table by kind and language', async () => {
    const { stdout } = await evaluate('--questions', dev, ...ofServer());
    const reader = stdout.slice(stdout.indexOf('| second reader'));
    assert.match(reader, /\| figure +\| 5 +\| 2 of 5 \(40 %\)/);
    assert.match(reader, /\| paraphrase +\| 10 +\| +\| 0 of 10 \(0 %\)/);
    assert.match(reader, /\| language zh +\| 5 /);
    assert.match(reader, /\| all +\| 60 .*\| 0 +\|/);
    assert.match(reader, /Balanced accuracy: \d\d\.\d %/);
  });

  it('are written and read in the format of LLM-AggreFact', async () => {
    const file = join(folder.path, 'aggrefact.jsonl');
    await evaluate('--questions', dev, '--write-aggrefact', file, '--json');
    const [first] = readFileSync(file, 'utf8').split('\n');
    assert.deepEqual(Object.keys(JSON.parse(first!) as object), ['doc', 'claim', 'label', 'dataset']);
    const [own, other] = [readPairs(dev), readPairs(file)];
    const isTrue = ({ label }: (typeof own)[number]) => label === 'supported';
    assert.deepEqual(other.map(isTrue), own.map(isTrue));
    const { stdout } = await evaluate('--questions', file, ...ofServer(), '--json');
    const { reader } = JSON.parse(stdout) as { reader: { verdict?: string }[] };
    assert.equal(reader.filter(({ verdict }) => verdict !== undefined).length, own.length);
  });

  it('end with the line that is none', async () => {
    await assert.rejects(
      evaluate('--questions', join(folder.path, 'wrong.jsonl')),
      /wrong\.jsonl:1 is no labelled pair/,
    );
  });
});
