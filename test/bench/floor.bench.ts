import process from 'node:process';
import { badModels } from '../support/badModels.ts';
import { lyingModels } from '../support/lyingModels.ts';
import { floorRun, places, strategies, verified, warningsOf, type FloorRun } from '../support/floorRuns.ts';
import { removeFolder } from '../support/paths.ts';

/**
 * Cited statements of runs with models that are of no use, beside those of the same run without a model and with the imitated good
 * one: `npm run bench -- floor`. In a cell: verified statements (all cited ones where they differ), seconds, `!` below the floor.
 * FLOOR=WORDS takes the models with these words in their names or half, or the word `lying`; FLOOR_SHOW=1 prints the reports.
 */
const wanted = (process.env['FLOOR'] ?? '').split(' ');
const isWanted = (text: string): boolean => wanted.every((word) => text.includes(word));
const models = [
  ...badModels.filter(({ name, half }) => isWanted(`${name} ${half}`)),
  ...lyingModels.filter(({ name, half }) => isWanted(`${name} ${half} lying`)),
];

const cell = (run: FloorRun, floor: number): string => {
  if (run.exit !== 0) return `FAILED ${String(run.error).slice(0, 60)}`;
  const [right, all] = [verified(run), run.statements.length];
  return `${right}${all === right ? '' : ` (of ${all})`} ${(run.ms / 1000).toFixed(1)}s ${run.calls}c${right < floor ? ' !' : ''}${run.lies.length > 0 ? ` ${run.lies.length} lies` : ''}`;
};

const totals = new Map<string, { held: number; runs: number }>();
for (const place of places) {
  const folder = place.make();
  const floors = new Map<string, number>();
  console.log(`\n| ${place.name} | ${strategies.join(' | ')} |\n| --- |${' --- |'.repeat(strategies.length)}`);
  for (const model of ['none', 'good', ...models] as const) {
    const name =
      typeof model === 'string'
        ? model === 'none'
          ? 'without a model'
          : 'a good model'
        : `${model.name} (${model.half})`;
    const cells: string[] = [];
    for (const strategy of strategies) {
      const run = await floorRun(place, folder, strategy, model);
      if (model === 'none') floors.set(strategy, verified(run));
      const floor = floors.get(strategy)!;
      cells.push(cell(run, floor));
      const half = typeof model === 'string' ? model : model.half;
      const total = totals.get(half) ?? { held: 0, runs: 0 };
      totals.set(half, { held: total.held + (run.exit === 0 && verified(run) >= floor ? 1 : 0), runs: total.runs + 1 });
      if (process.env['FLOOR_SHOW'])
        console.error(
          `\n===== ${place.name} | ${strategy} | ${name}\n${run.report}\n${warningsOf(run).join(' ')} ${String(run.error ?? '')}\nLIES ${run.lies.join('\n')}`,
        );
    }
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  removeFolder(folder);
}
for (const [half, { held, runs }] of totals) console.log(`${half}: ${held} of ${runs} runs at or above the floor`);
