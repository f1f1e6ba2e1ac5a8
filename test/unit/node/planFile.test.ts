import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { readPlanFile, writePlanFile } from '../../../src/node/planFile.ts';
import { depths } from '../../../src/protocol/planBounds.ts';

const line = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom('# x', '## y', '- query: z', '- depth: deep', '\\', '\\# a', '---', '<b>', '[l](command:x)', '`c`'),
  )
  .map((text) => text.replace(/[\r\n\0\u2028\u2029]/g, ' ').trim());
const filled = line.filter((text) => text !== '');
const section = fc.record({
  id: fc.constant(''),
  title: filled,
  description: fc.array(line, { maxLength: 4 }).map((lines) => lines.join('\n').trim()),
  queries: fc.array(filled, { maxLength: 3 }),
  depth: fc.constantFrom(...depths),
  sources: fc.constantFrom(['arxiv'], ['arxiv', 'github']),
});

describe('a plan as a file', () => {
  it('is read as it was written, whatever its titles and descriptions are', () => {
    fc.assert(
      fc.property(
        fc.record({ question: line, title: line, focus: fc.array(filled, { minLength: 1, maxLength: 3 }) }),
        fc.array(section, { minLength: 1, maxLength: 30 }),
        ({ question, title, focus }, parts) => {
          const plan = { title, strategy: 'iterative' as const, focus, sections: parts };
          const read = readPlanFile(writePlanFile({ question, plan }), 'plan.md');
          assert.equal(read.question, question);
          assert.deepEqual(read.plan, {
            ...(title === '' ? {} : { title }),
            strategy: 'iterative',
            focus,
            sections: parts.map((part, index) => ({ ...part, id: `s${index + 1}` })),
          });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('may be written by hand', () => {
    const { question, plan } = readPlanFile(
      '---\nquestion: What is it?\n---\n## One\r\nText.\r\n- depth: deep\r\n## Two',
      'p',
    );
    assert.equal(question, 'What is it?');
    assert.deepEqual(plan.sections, [
      { id: 's1', title: 'One', description: 'Text.', queries: [], depth: 'deep' },
      { id: 's2', title: 'Two', description: '', queries: [] },
    ]);
  });

  for (const [name, text, why] of [
    ['an empty file', '', /no section/],
    ['prose', 'Just a text.', /no section/],
    ['31 sections', '## A\n'.repeat(31), /line 31.*at most 30/],
    ['an empty title', '## A\n##\n', /line 2.*no title/],
    ['a title of 10,000 characters', `## ${'x'.repeat(10_000)}`, /10000 characters; the limit is 300/],
    ['a description without end', `## A\n${'x '.repeat(10_000)}`, /over 4000/],
    ['an unknown depth', '## A\n- depth: bottomless', /line 2.*quick, standard, deep/],
    ['an unknown strategy', '---\nstrategy: guess\n---\n## A', /line 2.*no strategy/],
    ['a focus of numbers', '---\nfocus: [1]\n---\n## A', /line 2: focus must be a list of texts/],
    ['an unknown key', '---\n__proto__: 1\n---\n## A', /line 2/],
    ['an open front matter', '---\nquestion: x\n## A', /no end/],
    ['a binary file', '## A\0', /not a text/],
    ['a huge file', 'x'.repeat(600_000), /limit is 500000/],
  ] as const) {
    it(`is refused as wrong usage: ${name}`, () => {
      assert.throws(() => readPlanFile(text, 'plan.md'), { reason: 'badRequest', message: why });
    });
  }
});
