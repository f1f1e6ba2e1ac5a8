import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvRow, readCsv } from '../../../src/batch/csv.ts';

const read = (text: string, separator = ',') => [...readCsv(text, separator)];

describe('CSV', () => {
  it('has quoted cells with separators, quotes and line ends in them', () => {
    assert.deepEqual(read('a,"b, ""c""\r\nd",\r\n\r\ne;f,g\r"h"'), [
      { line: 1, cells: ['a', 'b, "c"\r\nd', ''] },
      { line: 4, cells: ['e;f', 'g'] },
      { line: 5, cells: ['h'] },
    ]);
    assert.deepEqual(read('a;"b;c"', ';'), [{ line: 1, cells: ['a', 'b;c'] }]);
    assert.deepEqual(read(''), []);
  });

  it('loses one row to a quote too many or too few', () => {
    assert.deepEqual(read('a,"b\nc,d\ne,"f"g\nh,i'), [
      { line: 1, cells: undefined },
      { line: 2, cells: ['c', 'd'] },
      { line: 3, cells: undefined },
      { line: 4, cells: ['h', 'i'] },
    ]);
  });

  it('looks for the end of a lost quote in one row, not in the rest of the file', () => {
    const rows = [...readCsv(`"x\n${'a","b\n'.repeat(2_000)}`, ',')];
    assert.ok(rows.length >= 2_000 - 200);
  });

  it('is read back as it was written, and begins no formula', () => {
    const cells = ['plain', 'with "quotes", and\nlines', '', '=HYPERLINK("x")', '@a', '-1'];
    assert.deepEqual(read(csvRow(cells))[0]!.cells, [...cells.slice(0, 3), '\'=HYPERLINK("x")', "'@a", "'-1"]);
    assert.equal(csvRow([1.5, null, -2]), '1.5,,-2\r\n');
  });
});
