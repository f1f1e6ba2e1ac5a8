import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { groupRuns } from '../../../src/host/history/groupRuns.ts';
import { RunCatalogue } from '../../../src/runs/runCatalogue.ts';
import { readSavedRun } from '../../../src/runs/savedRun.ts';
import { panelStrings } from '../../../src/protocol/strings.ts';
import type { WindowFacts } from '../../../src/runs/runEntry.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { holdLock, saveManyRuns, saveRun } from '../../support/savedRuns.ts';

const home = temporaryFolder('history');
const runs = path.join(home, 'runs');
after(() => removeFolder(home));
beforeEach(() => {
  removeFolder(home);
  fs.mkdirSync(runs, { recursive: true });
});

const lines: string[] = [];
const log = { trace() {}, debug() {}, info() {}, warn: (line: string) => void lines.push(line), error() {} };
const catalogue = () => new RunCatalogue(runs, log);
const states = (facts?: WindowFacts) =>
  catalogue()
    .list(facts)
    .map(({ state, elsewhere }) => (elsewhere ? `${state} elsewhere` : state));

describe('the list of saved runs', () => {
  it('is newest first, and empty where there is no folder of runs', () => {
    assert.deepEqual(new RunCatalogue(path.join(home, 'nowhere'), log).list(), []);
    const old = saveRun(runs, 1, { created: '2026-03-01T10:00:00.000Z' });
    const recent = saveRun(runs, 2, { created: '2026-03-03T10:00:00.000Z' });
    assert.deepEqual(
      catalogue()
        .list()
        .map(({ run }) => run),
      [recent, old],
    );
  });

  for (const [record, state] of [
    [{ status: 'finished', outcome: 'complete' }, 'finished'],
    [{ status: 'finished' }, 'finished'],
    [{ status: 'finished', outcome: 'partial' }, 'partial'],
    [{ status: 'finished', outcome: 'complete', gaps: 2 }, 'partial'],
    [{ status: 'failed' }, 'failed'],
    [{ status: 'cancelled' }, 'stopped'],
    [{ status: 'running' }, 'interrupted'],
    [{ status: 'waiting' }, 'interrupted'],
  ] as const) {
    it(`shows ${JSON.stringify(record)} that no process works on as ${state}`, () => {
      saveRun(runs, 1, record);
      assert.deepEqual(states(), [state]);
    });
  }

  it('shows a run whose record is a pipe, a link or a lock of endless zeros as damaged, at once', async () => {
    for (const [index, make] of [
      (file: string) => execFileSync('mkfifo', [file]),
      (file: string) => fs.symlinkSync('/dev/zero', file),
      (file: string) => fs.writeFileSync(file, '['.repeat(3_000_000)),
    ].entries()) {
      const run = saveRun(runs, index + 1, { status: 'running' });
      const record = path.join(runs, run, 'run.json');
      fs.rmSync(record);
      make(record);
      const events = path.join(runs, run, 'events.ndjson');
      fs.rmSync(events, { force: true });
      execFileSync('mkfifo', [events]);
      assert.equal(await readSavedRun(runs, run, panelStrings), undefined);
    }
    assert.deepEqual(states(), ['damaged', 'damaged', 'damaged']);
  });

  it('recognizes a run of another process by its lock, and one whose process died as interrupted', () => {
    const run = saveRun(runs, 1, { status: 'running' });
    holdLock(runs, run);
    assert.deepEqual(states(), ['running elsewhere']);
    holdLock(runs, run, { age: 120_000 });
    assert.deepEqual(states(), ['interrupted'], 'its lock is stale');
    // The largest process id of Linux; no other system goes beyond it.
    holdLock(runs, run, { pid: 4_194_304 });
    assert.deepEqual(states(), ['interrupted'], 'its process is gone');
    holdLock(runs, run, { pid: 4_194_304, host: 'another-machine' });
    assert.deepEqual(states(), ['running elsewhere'], 'another machine’s processes can’t be checked');
    fs.writeFileSync(path.join(runs, run, 'run.lock'), '{"version": 2}');
    assert.deepEqual(states(), ['running elsewhere'], 'a fresh lock counts, whatever it says');
  });

  it('knows the run of this window better than its record does', () => {
    const run = saveRun(runs, 1, { status: 'running' });
    holdLock(runs, run);
    assert.deepEqual(states({ own: { run, state: 'waiting' } }), ['waiting']);
    saveRun(runs, 1, { status: 'cancelled' });
    assert.deepEqual(states(), ['stopped'], 'another window stopped it');
  });

  it('skips what is no run, shows damaged ones as such, and never fails', () => {
    lines.length = 0;
    const good = saveRun(runs, 1);
    const damaged = saveRun(runs, 2);
    fs.writeFileSync(path.join(runs, damaged, 'run.json'), '{"version": 1, "run": "');
    const foreign = saveRun(runs, 3);
    fs.writeFileSync(path.join(runs, foreign, 'run.json'), JSON.stringify({ some: 'other program' }));
    const newer = saveRun(runs, 4);
    fs.writeFileSync(path.join(runs, newer, 'run.json'), JSON.stringify({ version: 9, run: newer }));
    const copied = saveRun(runs, 5);
    fs.copyFileSync(path.join(runs, good, 'run.json'), path.join(runs, copied, 'run.json'));
    const asFolder = saveRun(runs, 6);
    fs.rmSync(path.join(runs, asFolder, 'run.json'));
    fs.mkdirSync(path.join(runs, asFolder, 'run.json'));
    const being = path.join(runs, '20260304-100000-00000a');
    fs.mkdirSync(being);
    const abandoned = path.join(runs, '20260304-100000-00000b');
    fs.mkdirSync(abandoned);
    fs.utimesSync(abandoned, new Date('2026-03-04'), new Date('2026-03-04'));
    fs.mkdirSync(path.join(runs, 'notes'));
    fs.writeFileSync(path.join(runs, '20260304-100000-00000c'), 'a file');
    const elsewhere = path.join(home, 'elsewhere');
    fs.mkdirSync(elsewhere);
    fs.copyFileSync(path.join(runs, good, 'run.json'), path.join(elsewhere, 'run.json'));
    fs.symlinkSync(elsewhere, path.join(runs, '20260304-100000-00000d'));

    const before = fs.readdirSync(runs);
    const list = catalogue();
    const found = new Map(list.list().map((entry) => [entry.run, entry]));
    assert.deepEqual(
      [...found.keys()].sort(),
      [good, damaged, foreign, newer, copied, asFolder, path.basename(abandoned)].sort(),
    );
    for (const run of [damaged, foreign, copied, asFolder, path.basename(abandoned)])
      assert.deepEqual([found.get(run)?.state, found.get(run)?.created], ['damaged', '2026-03-04T10:00:00.000Z'], run);
    assert.equal(found.get(newer)?.state, 'newer');
    const logged = lines.length;
    assert.equal(logged, 5, lines.join());
    list.list();
    assert.equal(lines.length, logged, 'each is logged once');
    assert.deepEqual(fs.readdirSync(runs), before, 'nothing is touched');
  });

  it('sees what changed, and knows nothing outside of its folder', () => {
    const first = saveRun(runs, 1);
    const second = saveRun(runs, 2, { status: 'running' });
    const list = catalogue();
    assert.deepEqual(
      list.list().map(({ run, state }) => [run, state]),
      [
        [second, 'interrupted'],
        [first, 'finished'],
      ],
    );
    saveRun(runs, 2, { status: 'finished', title: 'Another' });
    const third = saveRun(runs, 3);
    fs.rmSync(path.join(runs, first), { recursive: true });
    assert.deepEqual(
      list.list().map(({ run, state }) => [run, state]),
      [
        [third, 'finished'],
        [second, 'finished'],
      ],
    );
    assert.equal(list.read(second)?.title, 'Another');
    assert.equal(list.read(first), undefined);
    assert.equal(list.read('../elsewhere'), undefined);
  });

  it('shows nothing of a run’s settings', () => {
    saveRun(runs, 1, { settings: { 'model.baseUrl': 'https://models.example' } });
    assert.doesNotMatch(JSON.stringify(catalogue().list()), /models\.example/);
  });

  it('reads 200 runs in a moment', () => {
    saveManyRuns(runs, 200, new Date(), '/home/someone/project');
    assert.equal(groupRuns(catalogue().list(), new Date()).flatMap((group) => group.runs).length, 200);
  });
});
