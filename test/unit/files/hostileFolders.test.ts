import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { restoreRun } from '../../../src/batch/postgres/sharedRunStore.ts';
import { addVersion, rejectVersion } from '../../../src/files/versions.ts';
import { parseEvent } from '../../../src/protocol/events.ts';
import { reportVersionSchema } from '../../../src/protocol/reportVersion.ts';
import { resumedSettings } from '../../../src/research/persistence/resumedSettings.ts';
import { builtIn, readAllSettings } from '../../../src/catalogue.ts';
import { packagesOf } from '../../../src/sources/workspace/manifests.ts';
import { documentsOf } from '../../../src/sources/mcp/outsideDocuments.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';

const home = temporaryFolder('hostile');
after(() => removeFolder(home));

describe('what somebody else wrote into a run', () => {
  it('makes no path beside the folder of runs from a name in the database', async () => {
    const victim = path.join(home, 'victim');
    fs.mkdirSync(victim);
    const database = new Proxy({}, { get: () => assert.fail('the database is not asked') }) as never;
    await assert.rejects(restoreRun(database, path.join(home, 'runs'), '../victim'), /which no run is called/);
    assert.ok(fs.existsSync(victim));
  });

  it('writes no version through a link', async () => {
    const [run, target] = [path.join(home, 'run'), path.join(home, 'target')];
    for (const folder of [run, target]) fs.mkdirSync(folder);
    fs.symlinkSync(target, path.join(run, 'versions'));
    const version = { kind: 'edited', title: '', state: 'waiting', sources: {}, gone: [], statements: [] } as const;
    await assert.rejects(addVersion(run, { ...version, text: 'a', base: 'b' }), /no folder of its own/);
    assert.deepEqual(fs.readdirSync(target), []);
  });

  it('accepts no version through a link that came later', async () => {
    const [run, target] = [path.join(home, 'run2'), path.join(home, 'target2')];
    for (const folder of [run, target]) fs.mkdirSync(folder);
    const version = { kind: 'edited', title: '', state: 'waiting', sources: {}, gone: [], statements: [] } as const;
    fs.writeFileSync(path.join(run, 'report.md'), '# Title\n');
    await addVersion(run, { ...version, text: 'a', base: 'b' });
    fs.renameSync(path.join(run, 'versions'), path.join(target, 'versions'));
    fs.symlinkSync(path.join(target, 'versions'), path.join(run, 'versions'));
    const before = fs.readFileSync(path.join(target, 'versions', '2.json'), 'utf8');
    await assert.rejects(rejectVersion(run, 2), /no folder of its own/);
    assert.equal(fs.readFileSync(path.join(target, 'versions', '2.json'), 'utf8'), before);
  });

  it('takes no event from which budgets could not be counted on', () => {
    const usage = {
      type: 'usage',
      model: 'm',
      role: 'search',
      phase: 'research',
      tokens: { in: 1, out: 1, cached: 0 },
      cost: 1,
      estimated: false,
    };
    const event = { run: 'r', seq: 1, at: '2026-01-01T00:00:00.000Z', ...usage };
    assert.ok(parseEvent(event));
    for (const wrong of [{ cost: -1e6 }, { seq: 2 ** 53 }, { seq: -1 }, { seq: 0.5 }, { at: 'x' }])
      assert.equal(parseEvent({ ...event, ...wrong }), undefined, JSON.stringify(wrong));
  });

  it('numbers no source beyond 9,999', () => {
    const version = {
      version: 1,
      number: 1,
      kind: 'first',
      title: '',
      at: '',
      state: 'accepted',
      gone: [],
      statements: [],
    };
    assert.ok(reportVersionSchema.safeParse({ ...version, sources: { 9999: 'S1' } }).success);
    for (const number of ['4000000000', '0', '-1', 'x'])
      assert.ok(!reportVersionSchema.safeParse({ ...version, sources: { [number]: 'S1' } }).success, number);
  });

  it('gives a resumed run no more rounds than the command line takes', () => {
    const now = readAllSettings({ 'limits.maxReviewIterations': 1 }).settings;
    const overridesOf = (rounds: unknown) =>
      resumedSettings({ settings: { ...now, 'limits.maxReviewIterations': rounds } }, now, builtIn.settings).overrides;
    assert.deepEqual(overridesOf(10), { 'limits.maxReviewIterations': 10 });
    for (const rounds of [1e9, -1, 0.5, '3']) assert.deepEqual(overridesOf(rounds), {});
  });
});

it('reads a tool’s answer of 50,000 lists in each other', () => {
  const deep = `{"title":"T","text":"Words.","more":${'['.repeat(50_000)}1${']'.repeat(50_000)}}`;
  assert.equal(documentsOf({ texts: [deep] }, 'call').length, 1);
});

it('reads the packages of a manifest whose versions are no texts', () => {
  const text = '{"dependencies": {"a": {"toString": 1, "valueOf": 1}, "b": "1", "c": [[[]]]}}';
  assert.deepEqual(packagesOf('package.json', text), ['b']);
});
