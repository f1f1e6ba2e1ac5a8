import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDocument } from '../../../src/markdown/readDocument.ts';
import { type SvgNode, tableChart } from '../../../src/markdown/tableChart.ts';
import { chartKey, isCharted } from '../../../src/protocol/chartKey.ts';

/** Of a table all of whose cells and rows are checked. */
function chartOf(...rows: readonly string[]): SvgNode | undefined {
  const cells = rows.flatMap((row) => [row, ...row.split('|')]);
  return chartOfChecked(
    cells.map((text) => text.replace(/\[+\d\]+(\(#ref-\d\))?/g, '')),
    ...rows,
  );
}

function chartOfChecked(checked: readonly string[], ...rows: readonly string[]): SvgNode | undefined {
  const [first = ''] = rows;
  const rule = `|${'---|'.repeat(first.split('|').length - 2)}`;
  const block = readDocument([first, rule, ...rows.slice(1)].join('\n'))[0]?.block;
  assert.equal(block?.type, 'table');
  return block.type === 'table' ? tableChart(block, isCharted(checked.map(chartKey))) : undefined;
}

const nodesOf = (node: SvgNode, tag: SvgNode['tag']): SvgNode[] => [
  ...(node.tag === tag ? [node] : []),
  ...node.children.flatMap((child) => (typeof child === 'string' ? [] : nodesOf(child, tag))),
];
const widths = (chart: SvgNode | undefined) =>
  chart && nodesOf(chart, 'rect').map(({ attributes }) => attributes['width']);

describe('the chart of a table', () => {
  it('has a bar for each cited figure, as long as the figure, and leads to its source', () => {
    const chart = chartOf(
      '| Gate | Opens | Height (m) |',
      '| A | May | 2.5 m [1] |',
      '| B | May | 5 m [[2]](#ref-2) |',
      '| C | – | 10 m [1][3] |',
    );
    assert.deepEqual(widths(chart), [50, 100, 200]);
    assert.deepEqual(
      nodesOf(chart!, 'a').map(({ attributes }) => attributes['href']),
      ['#ref-1', '#ref-2', '#ref-1', '#ref-3'],
    );
    assert.equal(chart!.attributes['aria-label'], 'Height (m)');
  });

  it('takes the citation of the row where the cell has none, and no figure without any', () => {
    const rows = ['| a | 1 % | [1] |', '| b | 2 % | [2] |', '| c | 4 % | [1] |', '| d | 8 % | |'];
    assert.equal(widths(chartOf('| x | Share | Source |', ...rows))?.length, 3);
    assert.equal(chartOf('| x | Share | Source |', ...rows.slice(0, 2), rows[3]!), undefined);
  });

  it('has no bar for a figure that is unverified or was edited by hand', () => {
    const rows = ['| x | y |', ...[1.5, 2.5, 3.5, 45].map((value) => `| r | ${value} m [1] |`)];
    const checked = ['1.5 m', '2.5 m', '3.5 m', '4.5 m'];
    const chart = chartOfChecked(checked, ...rows);
    assert.deepEqual(
      nodesOf(chart!, 'text').flatMap(({ attributes, children }) => (attributes['class'] === 'figure' ? children : [])),
      ['1.5 m', '2.5 m', '3.5 m'],
    );
    assert.equal(chartOfChecked(checked.slice(1), ...rows), undefined);
    const lone = ['| x | y | |', ...['a | 1 m', 'b | 2 m', 'c | 4 m'].map((row) => `| ${row} | [1] |`)];
    assert.deepEqual(widths(chartOfChecked(['a 1 m ', 'b 2 m', 'c 4 m'], ...lone)), [50, 100, 200]);
    assert.equal(chartOfChecked(['a', '1 m', '2 m', '4 m'], ...lone), undefined, 'the statement is the row');
  });

  const none = {
    'units differ': ['1 m', '2 m', '300 cm'],
    'a cell has more than one figure': ['1–2 m', '3 m', '4 m', '5 m'],
    'they are years': ['1997', '2004', '2011'],
    'they are ranks': ['1', '2', '3'],
    'a dot may divide thousands': ['1.200', '2.500', '950'],
    'commas and dots contradict each other': ['1,5', '2.25', '3'],
    'there are two': ['5 kg', '6 kg'],
  };
  for (const [why, cells] of Object.entries(none))
    it(`is none where ${why}`, () => {
      assert.equal(chartOf('| x | y |', ...cells.map((cell, row) => `| r${row} | ${cell} [1] |`)), undefined);
    });

  const same = {
    'thousands of English': ['1,000', '2,000', '4,000'],
    'decimals of German': ['1,5 €', '3,0 €', '6,0 €'],
    'thousands with a space': ['1 000 kWh', '2 000 kWh', '4 000 kWh'],
    'a currency before it': ['$1', '$2', '$4'],
    Chinese: ['1万人', '2万人', '4万人'],
    'signs of an estimate': ['~10 ms', '≈20 ms', '40 ms'],
  };
  for (const [what, cells] of Object.entries(same))
    it(`reads ${what}`, () => {
      const chart = chartOf('| x | y |', ...cells.map((cell, row) => `| r${row} | ${cell} [1] |`));
      assert.deepEqual(widths(chart), [50, 100, 200]);
    });

  it('draws what is below zero to the left', () => {
    const chart = chartOf('| x | y |', '| a | -5 °C [1] |', '| b | −10 °C [1] |', '| c | 10 °C [1] |');
    assert.deepEqual(
      nodesOf(chart!, 'rect').map(({ attributes }) => attributes['x']),
      [200, 150, 250],
    );
  });
});
