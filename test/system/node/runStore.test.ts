import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathSink, workspaceSink } from '../../../src/node/reportSink.ts';
import { fileRunStore, isRunId, newRunId } from '../../../src/node/runStore.ts';
import { runFiles } from '../../../src/protocol/runFolder.ts';
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
const storage = (says: RegExp) => (error: unknown) =>
  ResearchError.is(error) && error.reason === 'storage' && says.test(error.message) && error.next !== '';

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

  it('keeps the order of lines that come at once, and none of them torn', async () => {
    const folder = await fileRunStore(root, 10).create(record('20260101-000000-aaaaaa'));
    const lines = Array.from({ length: 300 }, (_, index) => JSON.stringify({ index, text: 'x'.repeat(index * 100) }));
    await Promise.all(lines.map((line) => folder.appendCall(line)));
    await folder.close();
    assert.equal(
      fs.readFileSync(path.join(root, '20260101-000000-aaaaaa', runFiles.journal), 'utf8'),
      `${lines.join('\n')}\n`,
    );
  });

  it('removes the oldest finished runs, but nothing that is in use, can be resumed or is not ours', async () => {
    const store = fileRunStore(root, 3);
    const lately = { created: new Date(Date.now() - 60_000).toISOString() };
    fs.mkdirSync(path.join(root, 'my-folder'));
    for (const [index, [status, about]] of (
      [
        ['finished', {}],
        ['waiting', lately],
        ['running', {}],
        ['failed', {}],
        ['finished', {}],
        ['running', lately],
      ] as const
    ).entries()) {
      const run = `2026010${index + 1}-000000-aaaaaa`;
      const folder = await store.create(record(run));
      await folder.saveRecord({ ...record(run, status), ...about });
      await folder.close();
    }
    // The third was cut off long ago: nobody will go on with it.
    assert.deepEqual(fs.readdirSync(root).sort(), [
      '20260102-000000-aaaaaa',
      '20260104-000000-aaaaaa',
      '20260105-000000-aaaaaa',
      '20260106-000000-aaaaaa',
      'my-folder',
    ]);
  });

  it('never removes a run that somebody works on, however old it is', async () => {
    const store = fileRunStore(root, 1);
    const held = await store.create(record('20200101-000000-aaaaaa', 'finished'));
    await (await store.create(record('20260101-000000-aaaaaa'))).close();
    assert.equal(fs.readdirSync(root).length, 2);
    await held.close();
    await (await store.create(record('20260102-000000-aaaaaa'))).close();
    assert.deepEqual(fs.readdirSync(root), ['20260102-000000-aaaaaa']);
  });

  it('removes a run only after those that ask about it', async () => {
    const store = fileRunStore(root, 2);
    const [first, second, third, fourth, fifth] = [1, 2, 3, 4, 5].map((day) => `2026010${day}-000000-aaaaaa`);
    const parents = { [second!]: first, [third!]: second };
    for (const run of [first!, second!, third!, fourth!]) {
      const parent = parents[run];
      const made = { ...record(run, 'finished'), ...(parent === undefined ? {} : { parent }) };
      await (await store.create(made)).close();
    }
    assert.deepEqual(fs.readdirSync(root), [first, second, third, fourth]);
    await (await store.create(record(fifth!, 'finished'))).close();
    assert.deepEqual(fs.readdirSync(root), [fourth, fifth]);
  });

  it('removes no run about which one that can be resumed, or is in use, asks', async () => {
    const store = fileRunStore(root, 1);
    const [first, second, third, fourth, fifth] = [1, 2, 3, 4, 5].map((day) => `2026010${day}-000000-aaaaaa`);
    const lately = new Date(Date.now() - 60_000).toISOString();
    const resumable = { ...record(second!, 'running'), parent: first!, created: lately };
    for (const made of [record(first!, 'finished'), resumable, record(third!, 'finished')])
      await (await store.create(made)).close();
    const held = await store.create({ ...record(fourth!, 'finished'), parent: third! });
    await (await store.create(record(fifth!, 'finished'))).close();
    assert.deepEqual(fs.readdirSync(root), [first, second, third, fourth, fifth]);
    await held.close();
  });

  it('names runs by time, so that their order is that of the names', () => {
    const names = ['2026-01-02T03:04:05Z', '2026-01-02T03:04:06Z', '2026-11-01T00:00:00Z'].map((at) =>
      newRunId(new Date(at)),
    );
    assert.deepEqual([...names].sort(), names);
    assert.ok(names.every(isRunId));
    assert.ok(!isRunId('../x') && !isRunId('20260101-000000-aaaaaa/..'));
  });

  it(
    'says that the disk is full, and the run goes on to its report',
    { skip: fs.existsSync('/dev/full') ? false : 'no /dev/full here' },
    async () => {
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
    },
  );

  it('keeps the sources as they were given last, however many sections give them at once', async () => {
    const folder = await fileRunStore(root, 10).create(record('20260101-000000-aaaaaa'));
    const sizes = [20_000_000, 5_000_000, 100_000, 10];
    await Promise.all(sizes.map((size) => folder.saveSources('x'.repeat(size))));
    assert.equal(fs.statSync(path.join(root, '20260101-000000-aaaaaa', runFiles.sources)).size, sizes.at(-1));
  });

  it('writes what the disk did not take as soon as it takes something again', async () => {
    const folder = await fileRunStore(root, 10).create(record('20260101-000000-aaaaaa'));
    const file = path.join(root, '20260101-000000-aaaaaa', runFiles.checkpoints);
    await folder.appendCheckpoint('"one"');
    fs.renameSync(file, `${file}.away`);
    fs.mkdirSync(file);
    // Another file is refused, so that the open ones are opened again.
    fs.mkdirSync(path.join(path.dirname(file), runFiles.report, 'taken'), { recursive: true });
    await assert.rejects(folder.saveReport(''), storage(/report/));
    await assert.rejects(folder.appendCheckpoint('"two"'), storage(/checkpoints/));
    await assert.rejects(folder.appendCheckpoint('"three"'), storage(/checkpoints/));
    fs.rmdirSync(file);
    // Half a line is what a full disk leaves.
    fs.writeFileSync(file, `${fs.readFileSync(`${file}.away`, 'utf8')}"tw`);
    await folder.appendCheckpoint('"four"');
    assert.equal(fs.readFileSync(file, 'utf8'), '"one"\n"two"\n"three"\n"four"\n');
  });

  it(
    'says that its folder was moved, whichever of its files is written, and writes what was refused when it is back',
    {
      skip: process.platform === 'win32' && 'a folder with open files can’t be moved',
    },
    async () => {
      const run = '20260101-000000-aaaaaa';
      const [here, moved] = [path.join(root, run), path.join(root, 'moved')];
      const folder = await fileRunStore(root, 10).create(record(run));
      await folder.appendCall('{"a":1}');
      fs.renameSync(here, moved);
      await assert.rejects(folder.saveSources('[]'), storage(/does not exist/));
      await assert.rejects(folder.appendCall('{"b":2}'), storage(/does not exist/));
      fs.renameSync(moved, here);
      await folder.appendCall('{"c":3}');
      await folder.close();
      assert.equal(fs.readFileSync(path.join(here, runFiles.journal), 'utf8'), '{"a":1}\n{"b":2}\n{"c":3}\n');
    },
  );

  it("hands a call's line to the system in the turn in which it was given", async () => {
    const folder = await fileRunStore(root, 10).create(record('20260101-000000-aaaaaa'));
    const file = path.join(root, '20260101-000000-aaaaaa', runFiles.journal);
    await folder.appendCall('"one"');
    const writing = folder.appendCall('"two"');
    assert.equal(fs.readFileSync(file, 'utf8'), '"one"\n"two"\n');
    await writing;
    await folder.close();
  });

  it('writes an event as one line for every reader', async () => {
    const folder = await fileRunStore(root, 10).create(record('20260101-000000-aaaaaa'));
    const event = {
      run: 'r',
      seq: 1,
      at: '2026-01-01T00:00:00.000Z',
      type: 'thought',
      text: 'one\u2028two\u2029three\nfour',
    } as const;
    await folder.appendEvent(event);
    const text = fs.readFileSync(path.join(root, '20260101-000000-aaaaaa', runFiles.events), 'utf8');
    assert.doesNotMatch(text, /[\u2028\u2029]|\n./);
    assert.deepEqual(JSON.parse(text), event);
  });

  it('keeps the name that the user gave the run, whatever is saved of it later', async () => {
    const run = '20260101-000000-aaaaaa';
    const folder = await fileRunStore(root, 10).create(record(run));
    const file = path.join(root, run, runFiles.record);
    fs.writeFileSync(file, JSON.stringify({ ...record(run), name: 'Mine' }));
    await folder.saveRecord(record(run, 'finished'));
    const { name, status } = JSON.parse(fs.readFileSync(file, 'utf8')) as RunRecord;
    assert.deepEqual([name, status], ['Mine', 'finished']);
    await folder.close();
  });

  it('says why a folder can’t be made', async () => {
    fs.writeFileSync(path.join(root, 'file'), '');
    await assert.rejects(
      fileRunStore(path.join(root, 'file'), 10).create(record('20260101-000000-aaaaaa')),
      storage(/Could not make the run's folder.*not a folder/),
    );
  });
});

describe('a run that is opened again', () => {
  const run = '20260101-000000-aaaaaa';
  const inRun = (...names: string[]) => path.join(root, run, ...names);
  const call = (key: string) =>
    JSON.stringify({ v: 1, key, digest: 'd', at: '2026-01-01T00:00:00.000Z', kind: 'observed', value: key });
  const event = (seq: number) =>
    JSON.stringify({ type: 'run/phase', phase: 'plan', run, seq, at: '2026-01-01T00:00:00.000Z' });
  const notOurs = (says: RegExp) => (error: unknown) =>
    ResearchError.is(error) && error.reason === 'badRequest' && says.test(error.message) && error.next !== '';

  async function seed(): Promise<void> {
    const folder = await fileRunStore(root, 10).create(record(run));
    await folder.appendCall(call('a'));
    await folder.appendCall(call('b'));
    await folder.close();
    fs.writeFileSync(inRun(runFiles.events), `${event(1)}\n${event(2)}\n`);
  }

  it('returns its calls, checkpoints and events, without an incomplete last line', async () => {
    await seed();
    for (const file of [runFiles.journal, runFiles.events, runFiles.checkpoints])
      fs.appendFileSync(inRun(file), '{"v":1,"ke');
    fs.writeFileSync(inRun(`${runFiles.record}.12345678.tmp`), '{');
    const kept = await fileRunStore(root, 10).open(run);
    assert.deepEqual(kept.journal, [call('a'), call('b')]);
    assert.deepEqual(kept.checkpoints, []);
    assert.deepEqual(
      kept.events.map(({ seq }) => seq),
      [1, 2],
    );
    assert.deepEqual([kept.damagedFiles, kept.damaged], [[], false]);
    await kept.folder.appendCall(call('c'));
    await kept.folder.close();
    assert.equal(fs.readFileSync(inRun(runFiles.journal), 'utf8'), [call('a'), call('b'), call('c'), ''].join('\n'));
    assert.deepEqual(
      fs.readdirSync(inRun()).filter((name) => /tmp|damaged|lock/.test(name)),
      [],
    );
  });

  for (const [what, content] of [
    ['foreign lines', '\u0000\u0001\nhello\n{"v":7}\n[]\nnull\n'],
    ['a line torn in the middle', `${call('a').slice(0, 20)}\n${call('z')}\n`],
    [
      'another journal entry’s shape',
      `${JSON.stringify({ v: 1, key: 'k', digest: 'd', at: 'x', kind: 'tool', value: { documents: 5 } })}\n`,
    ],
  ] as const) {
    it(`sets a journal with ${what} aside, tells it, and uses what is ours`, async () => {
      await seed();
      fs.appendFileSync(inRun(runFiles.journal), content);
      const before = fs.readFileSync(inRun(runFiles.journal), 'utf8');
      const kept = await fileRunStore(root, 10).open(run);
      await kept.folder.close();
      assert.deepEqual(kept.journal.slice(0, 2), [call('a'), call('b')]);
      assert.equal(kept.damagedFiles.length, 1);
      assert.equal(kept.damagedFiles[0]!.file, 'journal.ndjson');
      assert.match(kept.damagedFiles[0]!.aside, /^journal\.ndjson\.\w+\.damaged$/);
      const aside = fs.readdirSync(inRun()).find((name) => name.endsWith('.damaged'))!;
      assert.equal(fs.readFileSync(inRun(aside), 'utf8'), before);
      const later = await fileRunStore(root, 10).open(run);
      await later.folder.close();
      assert.deepEqual([later.damagedFiles, later.damaged], [[], true], 'it is known as long as the file lies there');
    });
  }

  it('continues when there is a folder where a file should be', async () => {
    await seed();
    fs.mkdirSync(inRun(runFiles.checkpoints));
    const kept = await fileRunStore(root, 10).open(run);
    await kept.folder.close();
    assert.equal(kept.damagedFiles[0]!.file, 'checkpoints.ndjson');
    assert.ok(fs.statSync(inRun(runFiles.checkpoints)).isFile());
  });

  it('is refused, with what to do, when its record is damaged, another run’s or of another version; nothing is changed', async () => {
    await seed();
    for (const content of [
      '',
      '{"version":1',
      JSON.stringify({ ...record(run), version: 2 }),
      JSON.stringify(record('20260102-000000-bbbbbb')),
      '[]',
    ]) {
      fs.writeFileSync(inRun(runFiles.record), content);
      await assert.rejects(fileRunStore(root, 10).open(run), notOurs(/can't be read/));
      assert.equal(fs.readFileSync(inRun(runFiles.record), 'utf8'), content);
      assert.ok(!fs.existsSync(inRun(runFiles.lock)));
    }
    fs.rmSync(inRun(runFiles.record));
    await assert.rejects(fileRunStore(root, 10).open(run), notOurs(/There is no run/));
  });
});

describe("a run's folder", { skip: process.platform === 'win32' }, () => {
  const run = '20260101-000000-aaaaaa';
  const make = async (): Promise<string> => {
    const folder = await fileRunStore(root, 10).create(record(run));
    await folder.appendCall('{}');
    await folder.close();
    return path.join(root, run);
  };
  const refused = (error: unknown) =>
    ResearchError.is(error, 'badRequest') && /not a regular file/.test(error.message) && error.next !== '';

  it('is private to the user, also after it was copied', async () => {
    const location = await make();
    assert.equal(fs.statSync(location).mode & 0o777, 0o700);
    fs.chmodSync(location, 0o755);
    await (await fileRunStore(root, 10).open(run)).folder.close();
    assert.equal(fs.statSync(location).mode & 0o777, 0o700);
  });

  it('is refused when it is a link or holds one: nothing is written through it', async () => {
    const outside = path.join(root, 'outside');
    for (const name of [...Object.values(runFiles), 'report.md']) {
      const location = await make();
      fs.writeFileSync(outside, 'mine');
      fs.rmSync(path.join(location, name), { recursive: true, force: true });
      fs.symlinkSync(outside, path.join(location, name));
      await assert.rejects(fileRunStore(root, 10).open(run), refused, name);
      assert.equal(fs.readFileSync(outside, 'utf8'), 'mine');
      fs.rmSync(location, { recursive: true });
    }
    const location = await make();
    fs.renameSync(location, outside + '-run');
    fs.symlinkSync(outside + '-run', location);
    await assert.rejects(fileRunStore(root, 10).open(run), refused);
  });

  it('is refused when it holds a pipe or a device, at once', async () => {
    const location = await make();
    fs.rmSync(path.join(location, runFiles.record));
    execFileSync('mkfifo', [path.join(location, runFiles.record)]);
    await assert.rejects(fileRunStore(root, 10).open(run), refused);
  });

  it('is refused when a file of it has a second name elsewhere', async () => {
    const outside = path.join(root, 'outside');
    for (const name of [runFiles.events, runFiles.journal, runFiles.checkpoints, runFiles.stopped]) {
      const location = await make();
      fs.writeFileSync(outside, 'mine');
      fs.rmSync(path.join(location, name), { force: true });
      fs.linkSync(outside, path.join(location, name));
      await assert.rejects(fileRunStore(root, 10).open(run), refused, name);
      assert.equal(fs.readFileSync(outside, 'utf8'), 'mine');
      fs.rmSync(location, { recursive: true });
    }
  });

  it('of others does not stop a new run from being made, whatever its record is', async () => {
    for (const [index, make] of [
      (file: string) => execFileSync('mkfifo', [file]),
      (file: string) => fs.symlinkSync('/dev/zero', file),
      (file: string) => fs.writeFileSync(file, '['.repeat(3_000_000)),
    ].entries()) {
      const folder = path.join(root, `20250101-00000${index}-abcdef`);
      fs.mkdirSync(folder);
      make(path.join(folder, runFiles.record));
    }
    await (await fileRunStore(root, 1).create(record('20260304-100000-abcdef'))).close();
  });
});

describe('report sink', () => {
  it('never writes over a file, not even with others at the same time', async () => {
    fs.mkdirSync(path.join(root, 'research'));
    fs.writeFileSync(path.join(root, 'research', 'r.md'), 'mine');
    const sink = workspaceSink(root, 'research');
    const paths = await Promise.all(Array.from({ length: 5 }, (_, index) => sink.save('r.md', `report ${index}`)));
    assert.deepEqual(paths.map((saved) => path.basename(saved!)).sort(), [
      'r-2.md',
      'r-3.md',
      'r-4.md',
      'r-5.md',
      'r-6.md',
    ]);
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

  it('saves nothing outside of the workspace, whatever links lie in it', async () => {
    const outside = temporaryFolder('outside');
    const workspace = path.join(root, 'ws');
    fs.mkdirSync(workspace);
    fs.symlinkSync(outside, path.join(workspace, 'research'));
    fs.symlinkSync(path.join(outside, 'none'), path.join(workspace, 'dangling'));
    for (const below of ['research', 'research/deeper/still', 'dangling', 'dangling/x', '..', '../beside']) {
      await assert.rejects(
        workspaceSink(workspace, below).save('r.md', 'x'),
        storage(/is outside the workspace/),
        below,
      );
    }
    assert.deepEqual(fs.readdirSync(outside), []);
    assert.deepEqual(fs.readdirSync(root), ['ws']);
    fs.symlinkSync(root, path.join(outside, 'linked'));
    const linked = path.join(outside, 'linked', 'ws');
    assert.equal(await workspaceSink(linked, 'a/b').save('r.md', 'x'), path.join(linked, 'a/b/r.md'));
    removeFolder(outside);
  });

  it('says why a report can’t be saved, and what to do', async () => {
    fs.writeFileSync(path.join(root, 'file'), '');
    await assert.rejects(
      workspaceSink(root, 'file/sub').save('r.md', 'x'),
      storage(/Could not save the report.*(?:not a folder|a file stands)/),
    );
    await assert.rejects(workspaceSink(root, '.').save(`${'x'.repeat(300)}.md`, 'x'), storage(/name is too long/));
  });
});
