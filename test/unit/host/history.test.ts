import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { marked } from 'marked';
import { amendRecord, readRecord } from '../../../src/files/amendRecord.ts';
import { DeletedRuns } from '../../../src/host/history/deletedRuns.ts';
import { groupRuns } from '../../../src/host/history/groupRuns.ts';
import { dateWords } from '../../../src/host/history/dateWords.ts';
import { ownRunFacts } from '../../../src/runs/runEntry.ts';
import { choiceLine, markdownLine, noticeLine, oneLine } from '../../../src/host/history/plainText.ts';
import { findReportFile, runOfFile } from '../../../src/host/history/reportFiles.ts';
import { RunCatalogue } from '../../../src/runs/runCatalogue.ts';
import { canResume, entryOf, type RunEntry, titleOf } from '../../../src/runs/runEntry.ts';
import { emptyView } from '../../../src/protocol/reduceRun.ts';
import type { RunRecord } from '../../../src/protocol/runRecord.ts';
import { savedFiles, savedRecord, savedRunId, notes } from '../../support/savedRun.ts';
import { saveRun } from '../../support/savedRuns.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { silentLog } from '../../support/scriptedParts.ts';

const home = temporaryFolder('history');
const runs = path.join(home, 'runs');
after(() => removeFolder(home));
beforeEach(() => {
  removeFolder(home);
  fs.mkdirSync(runs, { recursive: true });
});

function entry(number: number, over: Partial<RunRecord> = {}): RunEntry {
  const run = `20260304-100000-${String(number).padStart(6, '0')}`;
  return entryOf(savedRecord({ run, ...over }), {}, () => false);
}

/** A rename that is refused a number of times first, as Windows refuses one over a file that a scanner has open. */
function refusedAtFirst(
  times: number,
  { code = 'EPERM', meanwhile = () => {} }: { readonly code?: string; readonly meanwhile?: () => void } = {},
): { readonly rename: typeof fs.promises.rename; readonly tries: () => number } {
  let tries = 0;
  return {
    tries: () => tries,
    rename: async (from, to) => {
      tries += 1;
      if (tries > times) return fs.promises.rename(from, to);
      meanwhile();
      throw Object.assign(new Error(`${code}: rename '${String(from)}'`), { code });
    },
  };
}

it('a run that found no answer is neither finished nor one with gaps', () => {
  assert.equal(entry(1, { status: 'finished', outcome: 'notFound' }).state, 'notFound');
  assert.equal(entry(1, { status: 'finished', outcome: 'complete' }).state, 'finished');
});

describe('how the history is arranged', () => {
  it('groups by the days of the calendar', () => {
    const now = new Date(2026, 2, 4, 0, 30);
    const at = (...date: [number, number, number, number?]) => new Date(...date).toISOString();
    const dates = [
      at(2026, 2, 5),
      at(2026, 2, 4),
      at(2026, 2, 3, 23),
      at(2026, 2, 3, 1),
      at(2026, 1, 26),
      at(2026, 1, 25),
      at(2026, 1, 3),
      at(2026, 1, 1),
      at(2025, 11, 31),
    ];
    const groups = groupRuns(
      dates.map((created, index) => entry(index, { created })),
      now,
    );
    assert.deepEqual(
      groups.map(({ key, runs: members }) => [key, members.length]),
      [
        ['today', 2],
        ['yesterday', 2],
        ['week', 1],
        ['month', 2],
        ['older', 2],
      ],
    );
  });

  it('says how long ago a run was', () => {
    const now = new Date('2026-03-04T10:00:00.000Z');
    const ago = (ms: number) => dateWords(new Date(now.getTime() - ms), now, 'en');
    assert.deepEqual(
      [ago(5_000), ago(-5_000), ago(300_000), ago(7_200_000), ago(86_400_000)],
      ['now', 'now', '5 min. ago', '2 hr. ago', 'yesterday'],
    );
    assert.match(ago(60 * 86_400_000), /Jan 3, 2026/);
  });

  it('calls a run by its name, else by its report, else by its question', () => {
    assert.deepEqual(
      [entry(1, { name: 'N', title: 'T' }), entry(1, { name: ' ', title: 'T' }), entry(1, { title: '' })].map(titleOf),
      ['N', 'T', 'How does retrieval work?'],
    );
  });

  it('can resume what was interrupted, stopped or failed, and nothing else', () => {
    const states = [
      entry(1, { status: 'running' }),
      entry(1, { status: 'waiting' }),
      entry(1, { status: 'cancelled' }),
      entry(1, { status: 'failed' }),
      entry(1, { status: 'finished' }),
    ];
    assert.deepEqual(states.map(canResume), [true, true, true, true, false]);
  });
});

describe('the run of this window', () => {
  it('is read again when it changes, when it ends, and when its engine has ended', () => {
    const view = { ...emptyView(), run: 'r1', status: 'running' as const };
    const over = { ...view, status: 'finished' as const };
    const own = (state: 'running' | 'waiting') => ({ own: { run: 'r1', state } });
    const seen = [
      ownRunFacts(emptyView(), {}),
      ownRunFacts(view, own('running')),
      ownRunFacts({ ...view, status: 'waiting', waitingFor: 'plan' }, own('waiting')),
      ownRunFacts(over, own('running')),
      ownRunFacts(over, {}),
      ownRunFacts({ ...over, report: { ...over.report, path: '/ws/a.md' } }, {}),
    ];
    assert.equal(new Set(seen).size, seen.length);
    assert.equal(
      ownRunFacts({ ...view, lastSeq: 9, updatedAt: 'later' }, own('running')),
      seen[1],
      'what the tree does not show changes nothing',
    );
  });
});

describe('texts that a model or a page wrote', () => {
  it('become one line that shows what it says', () => {
    assert.equal(oneLine('a\r\n\tb\u2028c  d\u0000'), 'a b c d');
    assert.equal(oneLine('abc\u202Egpj.exe\u202C\u2066x\u2069\u200b\u{e0041}'), 'abc gpj.exe x');
    assert.equal(oneLine('検索 👩‍🔬 é'), '検索 👩‍🔬 é');
    assert.deepEqual([[...oneLine('😀'.repeat(20_000), 10)].length, oneLine('x'.repeat(20_000)).length], [10, 120]);
  });

  it('hold no link in a notification and no icon in a list', () => {
    assert.doesNotMatch(noticeLine('[Undo](command:workbench.action.quit)'), /\]\(/);
    assert.equal(choiceLine('$(trash) costs $(5)'), '\\$(trash) costs \\$(5)');
  });

  it('are no markup in a tooltip', () => {
    const html = marked.parse(
      markdownLine('**b** [x](command:y) <img src=z> https://a.example `c` # d &amp; 1. e'),
    ) as string;
    assert.equal(html.trim(), '<p>**b** [x](command:y) &lt;img src=z&gt; https://a.example `c` # d &amp;amp; 1. e</p>');
  });
});

describe('what the user decides about a run', () => {
  it('is written into its record, and everything else in it stays', async () => {
    const run = saveRun(runs, 1, { settings: { 'limits.maxIterations': 3 } });
    const file = path.join(runs, run, 'run.json');
    const before = { ...(JSON.parse(fs.readFileSync(file, 'utf8')) as object), ofALaterVersion: { a: [1, 'x'] } };
    fs.writeFileSync(file, JSON.stringify(before));
    assert.equal(await amendRecord(runs, run, { name: 'Mine' }), true);
    assert.deepEqual(JSON.parse(fs.readFileSync(file, 'utf8')), { ...before, name: 'Mine' });
    assert.equal((await readRecord(runs, run))?.name, 'Mine');
    await amendRecord(runs, run, { path: '/ws/b.md' });
    await amendRecord(runs, run, { name: undefined });
    assert.deepEqual(JSON.parse(fs.readFileSync(file, 'utf8')), { ...before, path: '/ws/b.md' });
    assert.deepEqual(fs.readdirSync(path.join(runs, run)), ['run.json'], 'no draft is left behind');
  });

  it('is written although another process has the record open for a moment, and what that writes meanwhile stays', async () => {
    const run = saveRun(runs, 1, { status: 'running' });
    const file = path.join(runs, run, 'run.json');
    const finish = () =>
      fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), status: 'finished' }));
    const held = refusedAtFirst(2, { meanwhile: finish });
    assert.equal(await amendRecord(runs, run, { name: 'Mine' }, held.rename), true);
    const record = await readRecord(runs, run);
    assert.deepEqual([record?.name, record?.status, held.tries()], ['Mine', 'finished', 3]);
    assert.deepEqual(fs.readdirSync(path.join(runs, run)), ['run.json'], 'no draft is left behind');
  });

  it('rejects when the disk refuses it, and no draft is left behind', async () => {
    const run = saveRun(runs, 1);
    await assert.rejects(
      amendRecord(runs, run, { name: 'Mine' }, refusedAtFirst(1, { code: 'EROFS' }).rename),
      /EROFS/,
    );
    assert.equal((await readRecord(runs, run))?.name, undefined);
    assert.deepEqual(fs.readdirSync(path.join(runs, run)), ['run.json']);
  });

  it('changes nothing that is gone, damaged or outside', async () => {
    const run = saveRun(runs, 1);
    fs.writeFileSync(path.join(runs, run, 'run.json'), '{');
    fs.writeFileSync(path.join(home, 'run.json'), JSON.stringify(savedRecord()));
    for (const name of [run, '20260304-100000-00ffff', '..', ''])
      assert.equal(await amendRecord(runs, name, { name: 'x' }), false, name);
    assert.equal(fs.readFileSync(path.join(runs, run, 'run.json'), 'utf8'), '{');
  });
});

describe('a deleted run', () => {
  it('comes back as it was when the delete is undone', async () => {
    const run = saveRun(runs, 1, {}, { 'report.md': 'text' });
    const deleted = new DeletedRuns(runs);
    assert.equal(await deleted.delete(run), true);
    assert.deepEqual(new RunCatalogue(runs, silentLog).list(), []);
    assert.equal(await deleted.restore(run), true);
    assert.equal(fs.readFileSync(path.join(runs, run, 'report.md'), 'utf8'), 'text');
    await deleted.close();
    assert.deepEqual(fs.readdirSync(runs), [run], 'what was restored stays');
  });

  it('is deleted and restored although another process has a file open for a moment', async () => {
    const run = saveRun(runs, 1);
    assert.equal(await new DeletedRuns(runs, refusedAtFirst(2).rename).delete(run), true);
    assert.equal(await new DeletedRuns(runs, refusedAtFirst(2).rename).restore(run), true);
    assert.ok(fs.existsSync(path.join(runs, run, 'run.json')));
  });

  it('is deleted once when two windows delete it, and restored once', async () => {
    const run = saveRun(runs, 1);
    const [one, other] = [new DeletedRuns(runs), new DeletedRuns(runs)];
    assert.deepEqual((await Promise.all([one.delete(run), other.delete(run)])).sort(), [false, true]);
    assert.equal(await one.restore(run), true);
    assert.equal(await other.restore(run), false);
    assert.ok(fs.existsSync(path.join(runs, run, 'run.json')));
  });

  it('is never restored over another', async () => {
    const run = saveRun(runs, 1);
    const deleted = new DeletedRuns(runs);
    await deleted.delete(run);
    saveRun(runs, 1, { title: 'Another' });
    await assert.rejects(deleted.restore(run));
    assert.equal((await readRecord(runs, run))?.title, 'Another');
  });

  it('is gone for good when its window closes, or a day later when that was killed', async () => {
    const [mine, theirs, recent] = [saveRun(runs, 1), saveRun(runs, 2), saveRun(runs, 3)];
    const [window, killed] = [new DeletedRuns(runs), new DeletedRuns(runs)];
    await window.delete(mine);
    await killed.delete(theirs, new Date(Date.now() - 25 * 3_600_000));
    await killed.delete(recent, new Date(Date.now() - 3_600_000));
    fs.mkdirSync(path.join(runs, 'notes.deleted'));
    fs.utimesSync(path.join(runs, 'notes.deleted'), 0, 0);
    await window.close();
    assert.deepEqual(fs.readdirSync(runs).sort(), [`${theirs}.deleted`, `${recent}.deleted`, 'notes.deleted']);
    await window.sweep();
    assert.deepEqual(fs.readdirSync(runs).sort(), [`${recent}.deleted`, 'notes.deleted']);
    assert.equal(await window.restore(mine), false);
  });

  it('is a run: nothing else is deleted', async () => {
    fs.writeFileSync(path.join(home, 'precious'), 'x');
    for (const name of ['../precious', '..', '.', ''])
      assert.equal(await new DeletedRuns(runs).delete(name), false, name);
    assert.ok(fs.existsSync(path.join(home, 'precious')));
  });
});

describe('a report and its run', () => {
  const { report } = savedFiles([notes]);
  const write = (name: string, text: string) => {
    const file = path.join(home, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  };

  it('stay together when the file is moved, renamed and edited', async () => {
    const moved = write(
      'docs/old/renamed.md',
      report.replace('A summary.', 'Edited by hand.\r\n').replace('title:', 'reviewed: yes\ntitle:'),
    );
    const others = [
      write('readme.md', '# Readme\n'),
      write('quoted.md', `It said:\n${report}`),
      write('other.md', report.replaceAll(savedRunId, '20260304-100000-000001')),
      path.join(home, 'gone.md'),
      home,
    ];
    assert.equal(await findReportFile(savedRunId, [...others, moved]), moved);
    assert.equal(await findReportFile(savedRunId, others), undefined);
    assert.deepEqual(await runOfFile(moved), { run: savedRunId });
    assert.deepEqual(
      [await runOfFile(others[0]!), await runOfFile(path.join(home, 'gone.md'))],
      [{ title: 'Readme' }, 'gone'],
    );
  });

  it('mean the copy that was changed last', async () => {
    const files = [write('a.md', report), write('b.md', report), write('c.md', report)];
    fs.utimesSync(files[1]!, new Date(), new Date(Date.now() + 10_000));
    assert.equal(await findReportFile(savedRunId, files), files[1]);
  });

  it('are found behind a question of any length', async () => {
    const long = savedFiles([notes], { record: { question: 'why '.repeat(5_000) } }).report;
    assert.deepEqual(await runOfFile(write('long.md', long)), { run: savedRunId });
  });
});
