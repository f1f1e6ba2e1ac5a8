import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evidenceOfRun } from '../../../src/files/evidence.ts';
import { evidenceIn } from '../../../src/files/findStatements.ts';
import { referencesOf } from '../../../src/files/references.ts';
import { bodyOf, fieldOf } from '../../../src/host/reports/reportText.ts';
import { readerMessageSchema } from '../../../src/protocol/readerMessages.ts';

describe('the text that a reader shows', () => {
  const report = '---\ntitle: "A"\nquestion: "What \\"is\\" it?"\nsources: 3\n---\n\n# A\n\n---\n\nB\n';

  it('is without its front matter, whose fields are read', () => {
    assert.equal(bodyOf(report), '# A\n\n---\n\nB\n');
    assert.equal(bodyOf(report.replaceAll('\n', '\r\n')), '# A\r\n\r\n---\r\n\r\nB\r\n');
    assert.equal(bodyOf('# A\n'), '# A\n');
    assert.deepEqual(
      ['question', 'sources', 'cost'].map((name) => fieldOf(report, name)),
      ['What "is" it?', '3', undefined],
    );
  });

  it('has at a citation the statement before it, by the words that are shown', () => {
    const claim = (id: string, sentence: string, n: number) =>
      JSON.stringify({
        ...{ type: 'report/claim', run: 'r', seq: 1, at: '2026-01-02T00:00:00.000Z', id, section: 's', offset: 0 },
        ...{ sentence, citations: [n], passages: [{ source: 'S1', text: 'x', place: '0-1' }], verdict: 'quoted' },
      });
    const all = evidenceOfRun(
      [claim('a', '**Two** gates close.', 1), claim('b', '水靠重力流动。', 1)].join('\n'),
    ).evidence;
    const block = 'Two gates close.   水靠重力流动。 ';
    assert.equal(evidenceIn(block, 'Two gates close. ', 1, all)?.sentence, '**Two** gates close.');
    assert.equal(evidenceIn(block, block, 1, all)?.sentence, '水靠重力流动。');
    assert.equal(evidenceIn(block, block, 2, all), undefined);
    assert.equal(evidenceIn('Three gates close.', 'Three gates close.', 1, all), undefined, 'it was edited');
  });

  it('leads to no file of another machine', () => {
    const file = (path: string) => referencesOf(`- [1] A. [a](${path}#L1-L2)\n`).get(1)?.file?.path;
    assert.equal(file('../a%20b.md'), '../a b.md');
    assert.deepEqual(['//host/a', '%5C%5Chost/a', '/etc/a', 'file:///a'].map(file), Array(4).fill(undefined));
  });
});

describe('a message of the page', () => {
  it('is refused unless it has the form of one', () => {
    const refused: unknown[] = [
      null,
      { type: 'run' },
      { type: 'openPage' },
      { type: 'findEvidence', id: 1, number: 0, block: '', before: '' },
      { type: 'openCited', copy: false, number: 1.5, block: '', before: '' },
      { type: 'findEvidence', id: 1, number: 1, block: 'x'.repeat(100_001), before: '' },
    ];
    assert.deepEqual(
      refused.filter((one) => readerMessageSchema.safeParse(one).success),
      [],
    );
  });
});
