import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { arranged, partsOf } from '../../../../src/research/analyst/arrange.ts';

const sections = [
  {
    id: 's1',
    title: 'Methods',
    text: 'First of all [Saaaaa].\n\n### Dense\n\nDense it is.\n\n### Sparse\n\nSparse it is.',
  },
  { id: 's2', title: 'Costs', text: 'Costs little.' },
  { id: 's3', title: 'Limits', text: 'Fails at times.\n\n```\n### no heading\n```' },
];

describe('the order of the sections', () => {
  it('is the plan’s without an order, with every title and text as they were', () => {
    assert.deepEqual(
      arranged(sections, []).map(({ title, text }) => [title, text]),
      sections.map(({ title, text }) => [title, text]),
    );
  });

  it('names the parts by their sub-headings, and none in code', () => {
    assert.deepEqual(sections.flatMap(partsOf), [
      { id: 's1.1', heading: 'Dense' },
      { id: 's1.2', heading: 'Sparse' },
    ]);
  });

  it('merges sections under a title of its own, each below its old title', () => {
    const [first, second] = arranged(sections, [{ title: 'What it takes', parts: ['s3', 's2'] }]);
    assert.equal(first!.title, 'Methods');
    assert.equal(second!.title, 'What it takes');
    assert.match(second!.text, /^### Limits\n\nFails at times\.[^]*### Costs\n\nCosts little\.$/);
    assert.deepEqual(second!.from, ['s3', 's2']);
  });

  it('splits a sub-heading off, and leaves the rest of its section where it was', () => {
    const order = [
      { title: 'Sparse retrieval', parts: ['s1.2'] },
      { title: '', parts: ['s1'] },
    ];
    assert.deepEqual(
      arranged(sections, order).map(({ title, text }) => [title, text.slice(0, 12)]),
      [
        ['Sparse retrieval', 'Sparse it is'],
        ['Methods', 'First of all'],
        ['Costs', 'Costs little'],
        ['Limits', 'Fails at tim'],
      ],
    );
  });

  it('puts what the order leaves out behind what stood before it, and passes over what does not exist', () => {
    const order = [{ title: 'x', parts: ['s3', 's9', 's3.7', 'S3'] }];
    assert.deepEqual(
      arranged(sections, order).map(({ title }) => title),
      ['Methods', 'Costs', 'Limits'],
    );
    assert.deepEqual(
      arranged(sections, [
        { title: '', parts: ['s2'] },
        { title: '', parts: ['s1'] },
      ]).map(({ title }) => title),
      ['Costs', 'Limits', 'Methods'],
    );
  });

  it('is not followed when it joins nearly everything', () => {
    const many = Array.from({ length: 5 }, (_, index) => ({
      id: `s${index}`,
      title: `T${index}`,
      text: `Text ${index}.`,
    }));
    assert.equal(arranged(many, [{ title: 'All', parts: many.map(({ id }) => id) }]).length, 5);
  });

  it('holds every part once, whatever the order says', () => {
    const id = fc.constantFrom('s1', 's1.1', 's1.2', 's2', 's3', 's4', 's1.9', ' S2 ');
    const entry = fc.record({ title: fc.constantFrom('', 'New', 'Costs'), parts: fc.array(id, { maxLength: 4 }) });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (order) => {
        const result = arranged(sections, order);
        const all = result.map(({ text }) => text).join('\n');
        for (const sentence of ['First of all', 'Dense it is', 'Sparse it is', 'Costs little', 'Fails at times'])
          assert.equal(all.split(sentence).length, 2, `${sentence} in ${JSON.stringify(order)}`);
        const titles = result.map(({ title }) => title.toLowerCase());
        assert.equal(new Set(titles).size, titles.length);
      }),
    );
  });
});
