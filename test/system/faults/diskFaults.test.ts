import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runFiles } from '../../../src/protocol/runFolder.ts';
import { storageError } from '../../../src/node/storageError.ts';
import type { RunFolder } from '../../../src/research/ports.ts';
import { canary } from '../../support/canary.ts';
import { problemsOf } from '../../support/faultChecks.ts';
import { faultyRun, type FaultyRun, type FaultyRunOptions } from '../../support/faultRun.ts';
import { questions } from '../../support/modelFaults.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { sampled } from '../../support/sampled.ts';
import { ofType } from '../../support/scriptedParts.ts';
import { startSourceServer, type SourceServer } from '../../support/sourceServer.ts';

/** A disk that is full, read-only or gone: the run goes on in memory to its report, and says so once. */

const methods = [
  'saveRecord',
  'appendEvent',
  'appendCall',
  'appendCheckpoint',
  'saveSources',
  'saveEvidence',
  'saveReport',
] as const satisfies readonly (keyof RunFolder)[];
const errors = {
  'is full': () => storageError(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }), "write the run's file"),
  'is read-only': () => storageError(Object.assign(new Error('EROFS'), { code: 'EROFS' }), "write the run's file"),
  'fails in an unknown way': () => new Error(`EIO: i/o error, write ${canary}`),
};

/** Fails at the writes of these methods from the given one on. */
function failing(
  folder: RunFolder,
  which: readonly (typeof methods)[number][],
  from: number,
  error: () => Error,
): RunFolder {
  const counts = new Map<string, number>();
  const guarded = which.map((method) => [
    method,
    async (...args: never[]) => {
      const count = counts.get(method) ?? 0;
      counts.set(method, count + 1);
      if (count >= from) throw error();
      const write: (...args: never[]) => Promise<void> = folder[method];
      await write(...args);
    },
  ]);
  return { ...folder, ...(Object.fromEntries(guarded) as Partial<RunFolder>) };
}

describe('a disk that takes no more', { concurrency: 4 }, () => {
  let sources: SourceServer;
  before(async () => void (sources = await startSourceServer()));
  after(() => sources.close());

  const research = (options: Partial<FaultyRunOptions>) =>
    faultyRun({
      question: questions.sections,
      settings: { strategy: 'sections', depth: 'quick' },
      sources,
      script: () => undefined,
      ...options,
    });

  async function checked(run: FaultyRun, more: (run: FaultyRun) => void = () => undefined): Promise<void> {
    try {
      assert.deepEqual(await problemsOf(run, new Set(), { reasons: [], unkept: true }), []);
      assert.ok(run.result, String(run.error));
      more(run);
    } finally {
      await run.end();
    }
  }
  const storageWarnings = (run: FaultyRun) =>
    ofType(run.events, 'run/warning').filter(({ code }) => code === 'storage');
  const warnedOnce = (run: FaultyRun) =>
    assert.equal(
      storageWarnings(run).length,
      1,
      storageWarnings(run)
        .map(({ message }) => message)
        .join(' | '),
    );

  const failures = Object.entries(errors).flatMap(([name, error]) =>
    methods.flatMap((method) =>
      // What is written once has no middle.
      (['saveReport', 'saveRecord'].includes(method) ? [0] : [0, 2]).map((from) => ({ name, error, method, from })),
    ),
  );
  for (const { name, error, method, from } of sampled(failures, (one) => [one.name, `${one.method} ${one.from}`]))
    it(`${name}, ${method}${from === 0 ? '' : ' in the middle'}: a report and one warning`, async () => {
      const run = await research({ folder: (folder) => failing(folder, [method], from, error) });
      await checked(run, (ended) => {
        assert.equal(ended.result!.outcome, 'complete');
        // A record is written at the start, before the faulty disk, and at the end, after the last word.
        if (method !== 'saveRecord') warnedOnce(ended);
        assert.ok(fs.existsSync(ended.result!.path!), ended.result!.path);
      });
    });

  for (const [name, error] of sampled(Object.entries(errors)))
    it(`${name}, all of it from the middle on: a report and one warning`, async () => {
      await checked(await research({ folder: (folder) => failing(folder, methods, 3, error) }), warnedOnce);
    });

  it('has no room for the run’s folder: it is researched all the same, but not saved', async () => {
    const root = temporaryFolder('disk');
    fs.writeFileSync(path.join(root, 'file'), '');
    await checked(await research({ runsFolder: path.join(root, 'file') }), (run) => {
      warnedOnce(run);
      assert.match(storageWarnings(run)[0]!.message, /not saved.*not a folder/);
    });
    removeFolder(root);
  });

  for (const [what, strike] of Object.entries({
    'is taken away': (location: string) => fs.rmSync(location, { recursive: true, force: true, maxRetries: 5 }),
    'becomes a file': (location: string) => {
      // A write may be on its way.
      fs.rmSync(location, { recursive: true, force: true, maxRetries: 5 });
      fs.writeFileSync(location, '');
    },
    'gets folders in place of its files': (location: string) => {
      for (const file of [
        runFiles.events,
        runFiles.journal,
        runFiles.checkpoints,
        runFiles.sources,
        runFiles.report,
        runFiles.record,
      ]) {
        fs.rmSync(path.join(location, file), { force: true });
        fs.mkdirSync(path.join(location, file, 'x'), { recursive: true });
      }
    },
  })) {
    it(`loses the run’s folder, which ${what} in the middle: a report and one warning`, async () => {
      let struck = false;
      const onEvent: FaultyRunOptions['onEvent'] = (event, location) => {
        if (struck || event.type !== 'tool/finished') return;
        strike(location);
        struck = true;
      };
      await checked(await research({ onEvent }), (run) => {
        assert.ok(struck);
        warnedOnce(run);
      });
    });
  }

  it(
    'is full for real, at the files that are appended to',
    { skip: fs.existsSync('/dev/full') ? false : 'no /dev/full here' },
    async () => {
      const onEvent: FaultyRunOptions['onEvent'] = (event, location) => {
        if (event.type !== 'plan/approved') return;
        for (const file of [runFiles.events, runFiles.journal, runFiles.checkpoints]) {
          fs.rmSync(path.join(location, file), { force: true });
          fs.symlinkSync('/dev/full', path.join(location, file));
        }
      };
      await checked(await research({ onEvent }), (run) => {
        warnedOnce(run);
        assert.match(storageWarnings(run)[0]!.message, /the disk is full/);
      });
    },
  );

  it('has no room for the report: its text is given, and saved with the run', async () => {
    const root = temporaryFolder('disk');
    fs.writeFileSync(path.join(root, 'file'), '');
    await checked(await research({ reports: path.join(root, 'file') }), (run) => {
      assert.equal(run.result!.path, undefined);
      assert.deepEqual(
        ofType(run.events, 'run/warning').map(({ code }) => code),
        ['report.unsaved'],
      );
      assert.equal(fs.readFileSync(path.join(run.location, runFiles.report), 'utf8'), run.result!.report);
    });
    removeFolder(root);
  });

  it('has room for neither: the text is given', async () => {
    const root = temporaryFolder('disk');
    fs.writeFileSync(path.join(root, 'file'), '');
    await checked(await research({ reports: path.join(root, 'file'), runsFolder: path.join(root, 'file') }), (run) => {
      assert.equal(run.result!.path, undefined);
      assert.match(run.result!.report, /## References/);
      assert.deepEqual(
        ofType(run.events, 'run/warning')
          .map(({ code }) => code)
          .sort(),
        ['report.unsaved', 'storage'],
      );
    });
    removeFolder(root);
  });
});
