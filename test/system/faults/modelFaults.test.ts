import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { before, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { cells, kindsOf, nameOf, type Cell, type CellResult } from '../../support/faultTable.ts';
import { faultsDocument, outcomesIn, outcomesOf, wordOf } from '../../support/faultsDocument.ts';
import type { Strategy } from '../../../src/protocol/strategy.ts';
import { stepsOf } from '../../support/modelFaults.ts';
import { root } from '../../support/paths.ts';
import { sampled } from '../../support/sampled.ts';

/** Every step that asks a model, in every strategy, with everything that can go wrong at a model: see docs/faults.md. */
const only = process.env['FAULTS'] ?? '';
const chosen =
  only === '' ? sampled(cells, kindsOf) : cells.filter((cell) => Object.values(cell).join(' ').includes(only));
const results: CellResult[] = [];
const unhandled: string[] = [];
let open = 0;

describe('whatever goes wrong at the model', () => {
  before(async () => {
    // As many workers as the cells pay for: each loads the engine.
    const workers = chosen.length > 100 ? 2 : 1;
    const shares = Array.from({ length: workers }, (_, share) => chosen.filter((_, at) => at % workers === share));
    await Promise.all(shares.map(work));
  });

  for (const strategy of Object.keys(stepsOf) as Strategy[]) {
    for (const step of stepsOf[strategy]) {
      const isOfRow = (cell: Cell): boolean => cell.strategy === strategy && cell.step === step;
      if (only !== '' && !chosen.some(isOfRow)) continue;
      it(`${strategy}, ${step}: a report or one clear message, nothing lost, nothing said that is no finding`, () => {
        const row = results.filter(({ cell }) => isOfRow(cell));
        assert.ok(row.length > 0);
        assert.equal(row.length, chosen.filter(isOfRow).length);
        assert.deepEqual(
          row.flatMap(({ cell, problems }) => problems.map((problem) => `${nameOf(cell)}: ${problem}`)),
          [],
        );
      });
    }
  }

  it('is what docs/faults.md says', () => {
    const file = path.join(root, 'docs', 'faults.md');
    const isWhole = chosen.length === cells.length;
    if (isWhole && process.env['FAULTS_DOCUMENT'] === 'write')
      fs.writeFileSync(file, faultsDocument(outcomesOf(results)));
    const written = fs.readFileSync(file, 'utf8');
    const outcomes = outcomesIn(written);
    assert.equal(written, faultsDocument(isWhole ? outcomesOf(results) : outcomes));
    assert.deepEqual(
      results
        .filter((result) => !outcomes(result.cell).split(' or ').includes(wordOf(result)))
        .map((result) => `${nameOf(result.cell)}: ${wordOf(result)}, not ${outcomes(result.cell)}`),
      [],
    );
  });

  it('leaves no rejection unhandled', () => assert.deepEqual(unhandled, []));

  it('leaves no call open at the sources', () => assert.equal(open, 0));
});

function work(share: readonly Cell[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('../../support/faultWorker.ts', import.meta.url), { workerData: share });
    worker.on('message', (message: CellResult | { open: number } | { unhandled: string }) => {
      if ('open' in message) open += message.open;
      else if ('unhandled' in message) unhandled.push(message.unhandled);
      else results.push(message);
    });
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}
