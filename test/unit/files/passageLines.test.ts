import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linesOfPassage } from '../../../src/files/passageLines.ts';

describe('the lines of a passage in its file', () => {
  const file = '# Gates\n\nThe gate closes\nat 2.1 m.\n\nBoats wait.\n';

  it('are those that were cited, however the file ends its lines', () => {
    assert.deepEqual(linesOfPassage(file, 'The gate closes\nat 2.1 m.', [3, 4]), [3, 4]);
    assert.deepEqual(linesOfPassage(file.replaceAll('\n', '\r\n'), 'The gate closes\nat 2.1 m.', [3, 4]), [3, 4]);
    assert.deepEqual(linesOfPassage(file, 'The gate closes at 2.1 m.', [3, 4]), [3, 4]);
    assert.deepEqual(linesOfPassage('a,b\n1,2\n3,4\n', 'a,b\n3,4', [3, 3]), [3, 3], 'the head of a table is above');
  });

  it('are where the passage has moved to', () => {
    assert.deepEqual(linesOfPassage(`One.\n\nTwo.\n\n${file}`, 'The gate closes\nat 2.1 m.', [3, 4]), [7, 8]);
    assert.deepEqual(linesOfPassage(file.replace('# Gates\n\n', ''), 'The gate closes\nat 2.1 m.', [3, 4]), [1, 2]);
  });

  it('are none where a line of it was changed', () => {
    assert.equal(linesOfPassage(file.replace('2.1', '9.9'), 'The gate closes\nat 2.1 m.', [3, 4]), undefined);
    assert.equal(linesOfPassage('', 'The gate closes', [3, 4]), undefined);
  });
});
