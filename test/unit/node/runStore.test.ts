import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { folderSink, pathSink } from '../../../src/node/reportSink.ts';
import { fileRunStore, isRunId, newRunId } from '../../../src/node/runStore.ts';
import { runFiles } from '../../../src/protocol/runRecord.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import type { RunRecord } from '../../../src/research/ports.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { scriptedRun } from '../../support/scriptedRun.ts';

const record = (run: string, status: RunRecord['status'] = 'running'): RunRecord => ({
  version: 1,
  run,
  question: 'Q?',
  created: '2026-01-01T00:00:00.000Z',
  strategy: 'sections',
  provider: 'extractive',
  model: null,
  status,
  settings: {},
  program: '0.0.0',
});
const storage = (says: RegExp) => (error: unknown) => ResearchError.is(error) && error.reason === 'storage' && says.test(error.message) && error.next !== '';

let root: string;
beforeEach(() => void (root = temporaryFolder('runs')));
afterEach(() => removeFolder(root));

describe('run store', () => {
  it('keeps record, events, calls, sources, texts and report of a run in its folder', async () => {
    const folder = await fileRunStore(root, 10).create(record('20260101-000000-aaaaaa'));
    await folder.saveRecord(record('20260101-000000-aaaaaa', 'finished'));
    await folder.appendCall('{"a":1}');
    await folder.appendCall('{"b":2}');
    await folder.saveEvidence('S12345', 'Text with ü and 中文');
    await folder.saveReport('# R');
    const read = (...name: string[]) => fs.readFileSync(path.join(root, '20260101-000000-aaaaaa', ...name), 'utf8');
    assert.equal((JSON.parse(read(runFiles.record)) as RunRecord).status, 'finished');
    assert.equal(read(runFiles.journal), '{"a":1}\n{"b":2}\n');
    assert.equal(read(runFiles.evidence, 'S12345.txt'), 'Text with ü and 中文');
    assert.ok(!fs.readdirSync(path.join(root, '20260101-000000-aaaaaa')).some((name) => name.endsWith('.tmp')));
  });

  it('removes the oldest finished runs, but nothing that runs, waits or is not ours', async () => {
    const store = fileRunStore(root, 3);
    fs.mkdirSync(path.join(root, 'my-folder'));
    for (const [index, status] of (['finished', 'waiting', 'failed', 'finished', 'running'] as const).entries()) {
      const run = `2026010${index + 1}-000000-aaaaaa`;
      const folder = await store.create(record(run));
      await folder.saveRecord(record(run, status));
    }
    assert.deepEqual(fs.readdirSync(root).sort(), ['20260102-000000-aaaaaa', '20260103-000000-aaaaaa', '20260104-000000-aaaaaa', '20260105-000000-aaaaaa', 'my-folder']);
  });

  it('names runs by time, so that their order is that of the names', () => {
    const names = ['2026-01-02T03:04:05Z', '2026-01-02T03:04:06Z', '2026-11-01T00:00:00Z'].map((at) => newRunId(new Date(at)));
    assert.deepEqual([...names].sort(), names);
    assert.ok(names.every(isRunId));
    assert.ok(!isRunId('../x') && !isRunId('20260101-000000-aaaaaa/..'));
  });

  it('says that the disk is full, and the run goes on to its report', { skip: fs.existsSync('/dev/full') ? false : 'no /dev/full here' }, async () => {
    const run = '20260304-100000-abcdef';
    const location = path.join(root, run);
    fs.mkdirSync(location);
    for (const file of [runFiles.events, runFiles.journal]) fs.symlinkSync('/dev/full', path.join(location, file));
    const store = fileRunStore(root, 10);
    const { result, events } = scriptedRun({ run, openFolder: (made: RunRecord) => store.create(made) } as never);
    const { path: saved } = await result;
    assert.ok(saved);
    const warnings = events.filter((event) => event.type === 'run/warning');
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!.message, /the disk is full/);
  });

  it('says why a folder can’t be made', async () => {
    fs.writeFileSync(path.join(root, 'file'), '');
    await assert.rejects(fileRunStore(path.join(root, 'file'), 10).create(record('20260101-000000-aaaaaa')), storage(/Could not make the run's folder.*not a folder/));
  });
});

describe('report sink', () => {
  it('never writes over a file, not even with others at the same time', async () => {
    fs.mkdirSync(path.join(root, 'research'));
    fs.writeFileSync(path.join(root, 'research', 'r.md'), 'mine');
    const sink = folderSink(path.join(root, 'research'));
    const paths = await Promise.all(Array.from({ length: 5 }, (_, index) => sink.save('r.md', `report ${index}`)));
    assert.deepEqual(paths.map((saved) => path.basename(saved!)).sort(), ['r-2.md', 'r-3.md', 'r-4.md', 'r-5.md', 'r-6.md']);
    assert.equal(fs.readFileSync(path.join(root, 'research', 'r.md'), 'utf8'), 'mine');
    assert.equal(new Set(paths.map((saved) => fs.readFileSync(saved!, 'utf8'))).size, 5);
  });

  it('takes a path for a file when it ends in .md and is no folder, else for a folder', async () => {
    assert.equal(await pathSink(path.join(root, 'a', 'x.md')).save('r.md', '1'), path.join(root, 'a', 'x.md'));
    assert.equal(await pathSink(path.join(root, 'a', 'x.md')).save('r.md', '2'), path.join(root, 'a', 'x-2.md'));
    assert.equal(await pathSink(path.join(root, 'b')).save('r.md', '3'), path.join(root, 'b', 'r.md'));
    fs.mkdirSync(path.join(root, 'folder.md'));
    assert.equal(await pathSink(path.join(root, 'folder.md')).save('r.md', '4'), path.join(root, 'folder.md', 'r.md'));
  });

  it('says why a report can’t be saved, and what to do', async () => {
    fs.writeFileSync(path.join(root, 'file'), '');
    await assert.rejects(folderSink(path.join(root, 'file', 'sub')).save('r.md', 'x'), storage(/Could not save the report.*(?:not a folder|a file stands)/));
    await assert.rejects(folderSink(root).save(`${'x'.repeat(300)}.md`, 'x'), storage(/name is too long/));
  });
});
