import { outcomes, type ClarifyCase } from './cases.ts';
import type { CaseResult } from './runCase.ts';

/** What was expected (rows) and what the first outcome was (columns), with the cases that were wrong or needlessly asked about. */
export function confusionTable(
  cases: readonly ClarifyCase[],
  results: readonly CaseResult[],
  failed: readonly string[] = [],
): string {
  const byId = new Map(cases.map((one) => [one.id, one]));
  const count = (expected: string, got: string): number =>
    results.filter(({ id, path }) => byId.get(id)!.expect === expected && (path[0] ?? 'none') === got).length;
  const lines = gridOf(outcomes, [...outcomes, 'none'], count);
  const right = results.filter(({ isRight }) => isRight).length;
  const complete = cases.filter(({ complete: isComplete }) => isComplete).length;
  const needless = results.filter(({ isNeedless }) => isNeedless);
  const wrong = results
    .filter(({ isRight }) => !isRight)
    .map(({ id, path }) => {
      const { query, expect, then } = byId.get(id)!;
      const wanted = then === undefined ? expect : `${expect}, ${then}`;
      return `${id} ${JSON.stringify(query)}: expected ${wanted}; got ${path.join(', ') || 'none'}`;
    });
  return [
    ...lines,
    '',
    `right: ${right} of ${results.length} (${percent(right, results.length)})`,
    `complete questions that were asked about: ${needless.length} of ${complete}`,
    ...wrong,
    ...failed.map((line) => `failed ${line}`),
  ].join('\n');
}

/** Lines of a table with expected outcomes in rows. */
export function gridOf(
  expected: readonly string[],
  got: readonly string[],
  count: (expected: string, got: string) => number,
): string[] {
  const rows = [
    ['expected \\ got', ...got],
    ...expected.map((one) => [one, ...got.map((other) => String(count(one, other) || '.'))]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
  );
}

function percent(part: number, all: number): string {
  return all === 0 ? 'none' : `${((100 * part) / all).toFixed(1)} %`;
}
