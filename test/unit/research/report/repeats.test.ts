import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutRepeats } from '../../../../src/research/report/repeats.ts';

const dense = {
  claim: 'Dense retrieval outperforms BM25 by 9 to 19 points in top-20 accuracy.',
  quote: 'It outperforms a strong BM25 system by 9 to 19 points in top-20 passage retrieval accuracy.',
  source: 'Saaaaa',
};
const index = {
  claim: 'The index holds 21 million passages of Wikipedia.',
  quote: 'The index holds 21 million passages of Wikipedia.',
  source: 'Sbbbbb',
};
const section = (id: string, title: string, text: string, findings = [dense, index]) => ({
  ...{ id, title, description: '', text, findings },
});

describe('a finding that several sections have', () => {
  it('stays in the section whose plan speaks of it, in whatever words the other one states it', () => {
    const [first, second] = withoutRepeats([
      section(
        's1',
        'Storage',
        'An index of 21 million Wikipedia passages is held [Sbbbbb]. In accuracy, dense retrieval outperforms BM25 by 9 to 19 points in the top 20 [Saaaaa].',
      ),
      section(
        's2',
        'Accuracy of dense retrieval',
        'Dense retrieval outperforms BM25 by 9 to 19 points in top-20 accuracy [Saaaaa]. The reason is shared training [Sccccc].',
        [dense],
      ),
    ]);
    assert.equal(first!.text, 'An index of 21 million Wikipedia passages is held [Sbbbbb].');
    assert.match(second!.text, /^Dense retrieval outperforms BM25/);
  });

  it('stays where its section comes back to it for a conclusion, and not where it only says it again', () => {
    const fact = 'Dense retrieval outperforms BM25 by 9 to 19 points in top-20 accuracy [Saaaaa].';
    const conclusion = 'Taken together, this suggests: dense retrieval outperforms BM25 in top-20 accuracy [Saaaaa].';
    const text = `${fact} The index holds 21 million passages of Wikipedia [Sbbbbb]. ${conclusion}`;
    const [weighed] = withoutRepeats([section('s1', 'Accuracy', text)]);
    assert.equal(weighed!.text, text);
    const [plain] = withoutRepeats([section('s1', 'Accuracy', text.replace('Taken together, this suggests: d', 'D'))]);
    assert.ok(plain!.text.endsWith('of Wikipedia [Sbbbbb].'), plain!.text);
  });

  it('stays where the section that it belongs to does not state it', () => {
    const sections = [
      section(
        's1',
        'Storage',
        'Dense retrieval outperforms BM25 by 9 to 19 points in top-20 accuracy [Saaaaa]. More [Sbbbbb].',
      ),
      section('s2', 'Accuracy of dense retrieval', 'Nothing of the kind [Sccccc].'),
    ];
    assert.deepEqual(withoutRepeats(sections), sections);
  });

  it('stays in sentences that weigh it against another source, in tables, and where nothing else would be left', () => {
    const owner = section('s2', 'Accuracy of dense retrieval', dense.claim.replace('.', ' [Saaaaa].'));
    for (const text of [
      'Dense retrieval outperforms BM25 by 9 to 19 points in top-20 accuracy, which others doubt [Saaaaa][Sccccc]. More [Sbbbbb].',
      '| System | Gain in top-20 accuracy over BM25 |\n| --- | --- |\n| Dense retrieval | 9 to 19 points [Saaaaa] |\n\nMore [Sbbbbb].',
      'Dense retrieval outperforms BM25 by 9 to 19 points in top-20 accuracy [Saaaaa].',
    ])
      assert.equal(withoutRepeats([section('s1', 'Storage', text), owner])[0]!.text, text);
  });

  it('is taken out with its whole item, and leaves the paragraphs around it whole', () => {
    const owner = section(
      's2',
      'Accuracy of dense retrieval',
      'Dense retrieval outperforms BM25 by 9 to 19 points in top-20 accuracy [Saaaaa].',
    );
    const items =
      '- Dense retrieval outperforms BM25 by 9 to 19 points in top-20 accuracy [Saaaaa].\n- The index is large [Sbbbbb].';
    assert.equal(withoutRepeats([section('s1', 'Storage', items), owner])[0]!.text, '- The index is large [Sbbbbb].');
    const paragraphs =
      'The index is large [Sbbbbb]. Dense retrieval outperforms BM25 by 9 to 19 points in top-20 accuracy [Saaaaa].\n\nIt grows [Sbbbbb].';
    assert.equal(
      withoutRepeats([section('s1', 'Storage', paragraphs), owner])[0]!.text,
      'The index is large [Sbbbbb].\n\nIt grows [Sbbbbb].',
    );
  });
});
