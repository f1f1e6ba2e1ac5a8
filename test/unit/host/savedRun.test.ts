import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { RunCatalogue } from '../../../src/runs/runCatalogue.ts';
import { readSavedRun, readWrittenRun } from '../../../src/runs/savedRun.ts';
import { interruptedReason } from '../../../src/protocol/reduceRun.ts';
import { panelStrings } from '../../../src/protocol/strings.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { silentLog } from '../../support/scriptedParts.ts';

const runs = temporaryFolder('runs');
after(() => removeFolder(runs));

const read = (run: string, changes: { limit?: number } = {}) => readSavedRun(runs, run, panelStrings, changes.limit);
const event = (seq: number, body: Record<string, unknown>) =>
  JSON.stringify({ run: 'r1', seq, at: `2025-01-01T00:00:${String(seq % 60).padStart(2, '0')}.000Z`, ...body });
const started = event(1, {
  type: 'run/started',
  question: 'Q?',
  strategy: 'sections',
  model: null,
  provider: 'extractive',
  analyst: 'extractive',
});
const section = event(2, {
  type: 'section/updated',
  id: 's1',
  title: 'One',
  status: 'researching',
  attempt: 1,
  activity: 'searching',
  sources: 1,
});
const source = event(3, { type: 'source/added', id: 'S1', kind: 'web', title: 'Found', url: 'https://a.example/' });
const finished = event(4, { type: 'run/finished', outcome: 'complete', tokens: { in: 1, out: 1, cached: 0 }, ms: 5 });

function keep(run: string, text: string): void {
  mkdirSync(path.join(runs, run), { recursive: true });
  writeFileSync(path.join(runs, run, 'events.ndjson'), text);
}

function keepRecord(run: string, changes: Record<string, unknown> = {}, folder = runs): void {
  mkdirSync(path.join(folder, run), { recursive: true });
  const record = {
    version: 1,
    run,
    question: 'Q?',
    created: '2025-01-01T00:00:00.000Z',
    strategy: 'auto',
    provider: 'p',
    model: 'm',
    status: 'running',
    settings: {},
    program: '1',
  };
  writeFileSync(path.join(folder, run, 'run.json'), JSON.stringify({ ...record, ...changes }));
}

test('an interrupted run is shown with all that it had found, and says so', async () => {
  keep('r1', [started, section, source, ''].join('\n'));
  const view = await read('r1');
  assert.deepEqual(
    [view?.status, view?.end?.reason, view?.question, view?.sources.length],
    ['failed', interruptedReason, 'Q?', 1],
  );
});

test('a run that had ended is shown as it ended', async () => {
  keep('r1', [started, section, source, finished].join('\n'));
  assert.equal((await read('r1'))?.status, 'finished');
});

test('a run that the user stopped is stopped, not interrupted', async () => {
  const stopped = event(4, { type: 'run/cancelled', reason: 'abort', message: 'Stopped.', next: '' });
  keep('r1', [started, section, stopped].join('\n'));
  const view = await read('r1');
  assert.deepEqual([view?.status, view?.end?.reason], ['cancelled', 'abort']);
});

test('torn lines, unknown types and the events of another run are passed over', async () => {
  const other = source.replace('"run":"r1"', '"run":"r2"');
  keep(
    'r1',
    [
      started,
      '',
      '{"type":',
      'null',
      '[]',
      event(2, { type: 'from/tomorrow' }),
      other,
      source.slice(0, -9),
      source,
      section.slice(0, 40),
    ].join('\n'),
  );
  const view = await read('r1');
  assert.deepEqual(
    view?.sources.map(({ id }) => id),
    ['S1'],
  );
});

test('characters that end a line elsewhere stand in a question and in a report as they are', async () => {
  const text = `one\u2028two\u2029three\u0085four ${'x'.repeat(200_000)}`;
  const delta = event(2, { type: 'report/delta', offset: 0, text });
  for (const end of ['\n', '\r\n']) {
    keep('r1', [started.replace('Q?', 'Why\u2028so?'), delta, source, finished].join(end));
    const view = await read('r1');
    assert.deepEqual(
      [view?.status, view?.question, view?.report.text, view?.sources.length],
      ['finished', 'Why\u2028so?', text, 1],
    );
  }
});

test('a run whose first event is torn or gone is shown as it went on and ended, with the question of its record', async () => {
  const run = '20250101-000000-00000d';
  const of = (line: string) => line.replace('"run":"r1"', `"run":"${run}"`);
  keepRecord(run, { status: 'finished', strategy: 'iterative' });
  for (const first of [[], [of(started).slice(0, 70)], ['', 'null', of(started).slice(40)], [started]]) {
    keep(run, [...first, of(section), of(source), of(finished), ''].join('\n'));
    const view = await read(run);
    assert.deepEqual(
      [view?.status, view?.question, view?.strategy, view?.analyst, view?.startedAt],
      ['finished', 'Q?', 'iterative', 'llm', '2025-01-01T00:00:00.000Z'],
    );
    assert.deepEqual([view?.sections.length, view?.sources.length, view?.end?.reason], [1, 1, 'complete']);
  }
  keep(run, [of(section), of(source)].join('\n'));
  assert.deepEqual([(await read(run))?.sources.length, (await read(run))?.end?.reason], [1, interruptedReason]);
  keepRecord(run, { version: 2 });
  assert.equal(await read(run), undefined);
});

test('reading stops at its limit, and what was read until then is shown', async () => {
  keep(
    'r1',
    [
      started,
      section,
      ...Array.from({ length: 50_000 }, (_, i) => event(3, { type: 'thought', text: `thought ${i}` })),
      source,
    ].join('\n'),
  );
  const view = await read('r1', { limit: 20_000 });
  assert.deepEqual([view?.sections.length, view?.sources.length], [1, 0]);
});

test('a run that was interrupted before its first event is shown with its question', async () => {
  keepRecord('20250101-000000-00000a');
  const view = await read('20250101-000000-00000a');
  assert.deepEqual(
    [view?.status, view?.end?.reason, view?.question, view?.model],
    ['failed', interruptedReason, 'Q?', 'm'],
  );
  for (const damage of [{ version: 2 }, { run: '20250101-000000-00000b' }, { question: 5 }]) {
    keepRecord('20250101-000000-00000c', damage);
    assert.equal(await read('20250101-000000-00000c'), undefined, JSON.stringify(damage));
  }
});

test('a run that the window could not record any more is found by its own record: the newest of the folder that no process holds', () => {
  const folder = temporaryFolder('runs');
  const find = (workspace?: string, after = '') =>
    new RunCatalogue(folder, silentLog).newestInterrupted(workspace, after);
  assert.equal(find('/w'), undefined);
  keepRecord('20250101-000000-000001', { workspace: '/w' }, folder);
  keepRecord('20250102-000000-000001', { workspace: '/w', status: 'waiting' }, folder);
  keepRecord('20250103-000000-000001', { workspace: '/other' }, folder);
  keepRecord('20250104-000000-000001', {}, folder);
  assert.equal(find('/w'), '20250102-000000-000001');
  assert.equal(find('/w', '20250102-000000-000001'), undefined, 'the window knows of that one');
  assert.equal(find(undefined), '20250104-000000-000001');
  // A later one that has ended: the earlier one is history.
  keepRecord('20250105-000000-000001', { workspace: '/w', status: 'finished' }, folder);
  assert.equal(find('/w'), undefined);
  keepRecord('20250106-000000-000001', { workspace: '/w' }, folder);
  const lock = path.join(folder, '20250106-000000-000001', 'run.lock');
  const hold = (pid: number, host = os.hostname()) =>
    writeFileSync(lock, JSON.stringify({ version: 1, pid, host, token: 't', at: '2025-01-06T00:00:00.000Z' }));
  hold(process.pid);
  assert.equal(find('/w'), undefined, 'it is running in another window');
  hold(4_194_303);
  assert.equal(find('/w'), '20250106-000000-000001', 'its process is gone');
  hold(4_194_303, 'elsewhere');
  assert.equal(find('/w'), undefined, 'another machine’s processes can’t be checked');
  utimesSync(lock, new Date(Date.now() - 61_000), new Date(Date.now() - 61_000));
  assert.equal(find('/w'), '20250106-000000-000001', 'its lock was not touched for long');
  removeFolder(folder);
});

test('a run without events, without a folder or with a name that leads elsewhere gives nothing', async () => {
  keep('empty', '');
  keep('garbage', '\u0000\u0001\n{}\n');
  for (const run of ['empty', 'garbage', 'missing', '', '..', '../r1', 'a/b', '.hidden'])
    assert.equal(await read(run), undefined, run);
});

test('the text of a report is what its deltas make of it, wherever they begin', async () => {
  const delta = fc.record({ offset: fc.nat(40), text: fc.string({ maxLength: 12 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(delta, { maxLength: 20 }), async (deltas) => {
      const lines = deltas.map((one, index) => event(index + 2, { type: 'report/delta', ...one }));
      keep('r1', `${[started, ...lines].join('\n')}\n`);
      const text = deltas.reduce((before, { offset, text }) => before.slice(0, offset) + text, '');
      assert.equal((await readWrittenRun(runs, 'r1'))?.report.text, text);
    }),
    { numRuns: 200 },
  );
});

test('what a run lists without end is shown up to a bound', async () => {
  const lines = Array.from({ length: 6_000 }, (_, index) =>
    event(index + 2, { type: 'source/added', id: `S${index}`, kind: 'web', title: 'T', url: 'https://a.example/' }),
  );
  keep('r1', `${[started, ...lines].join('\n')}\n`);
  assert.equal((await readWrittenRun(runs, 'r1'))?.sources.length, 5_000);
});
