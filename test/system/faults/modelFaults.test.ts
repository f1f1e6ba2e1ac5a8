import assert from 'node:assert/strict';
import fs from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { before, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { cells, nameOf, type CellResult } from '../../support/faultTable.ts';
import { faultsDocument } from '../../support/faultsDocument.ts';
import { stepsOf, type Strategy } from '../../support/modelFaults.ts';
import { root } from '../../support/paths.ts';

/** Every step that asks a model, in every strategy, with everything that can go wrong at a model: see docs/faults.md. */
const only = process.env['FAULTS'] ?? '';
const results: CellResult[] = [];
const unhandled: string[] = [];
let open = 0;

describe('whatever goes wrong at the model', { timeout: 600_000 }, () => {
  before(async () => {
    const of = Math.min(2, availableParallelism());
    await Promise.all(Array.from({ length: of }, (_, share) => work({ share, of, only })));
  });

  for (const strategy of Object.keys(stepsOf) as Strategy[]) {
    for (const step of stepsOf[strategy]) {
      it(`${strategy}, ${step}: a report or one clear message, nothing lost, nothing said that is no finding`, () => {
        const row = results.filter(({ cell }) => cell.strategy === strategy && cell.step === step);
        if (only === '')
          assert.equal(row.length, cells.filter((cell) => cell.strategy === strategy && cell.step === step).length);
        assert.deepEqual(
          row.flatMap(({ cell, problems }) => problems.map((problem) => `${nameOf(cell)}: ${problem}`)),
          [],
        );
      });
    }
  }

  it('is what docs/faults.md says', { skip: only === '' ? false : 'not all cells were run' }, () => {
    const file = path.join(root, 'docs', 'faults.md');
    const now = faultsDocument(results);
    if (process.env['FAULTS_DOCUMENT'] === 'write') fs.writeFileSync(file, now);
    assert.equal(fs.readFileSync(file, 'utf8'), now);
  });

  it('leaves no rejection unhandled', () => assert.deepEqual(unhandled, []));

  it('leaves no call open at the sources', () => assert.equal(open, 0));
});

function work(data: { share: number; of: number; only: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('../../support/faultWorker.ts', import.meta.url), { workerData: data });
    worker.on('message', (message: CellResult | { open: number } | { unhandled: string }) => {
      if ('open' in message) open += message.open;
      else if ('unhandled' in message) unhandled.push(message.unhandled);
      else results.push(message);
    });
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}
