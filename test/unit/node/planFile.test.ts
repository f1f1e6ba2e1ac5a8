import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { oneLine, stripHidden } from '../../../src/markdown/hidden.ts';
import { readPlanFile, writePlanFile } from '../../../src/node/planFile.ts';
import { depths } from '../../../src/protocol/planBounds.ts';
import { assertAllowed, hostileMarkdown } from '../../support/hostileMarkdown.ts';

const line = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom('# x', '## y', '- query: z', '- depth: deep', '\\', '\\# a', '---', '<b>', '[l](command:x)', '`c`'),
  )
  .map(oneLine);
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

  it('shows the words of a model as text to every reader, and gives them back', () => {
    const titled = hostileMarkdown.map((text) => oneLine(text).slice(0, 300).trim().toWellFormed()).filter(Boolean);
    fc.assert(
      fc.property(titled, hostileMarkdown, titled, (title, text, query) => {
        const description = stripHidden(text);
        const sections = [{ id: 's1', title, description, queries: [query] }];
        const written = writePlanFile({ question: query, plan: { title, focus: [query], sections } });
        assertAllowed(written.replace(/^---\n[^]*?\n---\n/, ''));
        const { question, plan } = readPlanFile(written, 'plan.md');
        assert.deepEqual([question, plan.title, plan.focus], [query, title, [query]]);
        const [section] = plan.sections;
        assert.deepEqual([plan.sections.length, section?.title, section?.queries], [1, title, [query]]);
        assert.equal(section?.description, description.split('\n').map(oneLine).join('\n').trim());
      }),
      {
        numRuns: 500,
        examples: [
          ['word', '_www.evil.com_ _mailto:a@example.org_', 'word'],
          ['![x](https://evil.example)', '42%@3.5', '*'],
        ],
      },
    );
  });

  it('has nothing that is drawn, run or followed', () => {
    const hostile =
      '![x](https://evil.example/p.png) <img src=x onerror=y> [c](command:x) {{< include /etc/passwd >}} `r system("id") #` $\\href{javascript:x}{y}$';
    const description = ['d', '```{r}', 'system("id")', '```', '~~~mermaid', '    code', '# not a title'].join('\n');
    const sections = [{ id: 's1', title: hostile, description, queries: [hostile] }];
    const written = writePlanFile({ question: hostile, plan: { title: 'T', focus: [hostile], sections } });
    assert.doesNotMatch(written, /!\[|<|(?<!\\)\]\(|\{\{|`r |\$\\h|^ {4}|^```|^~~~/m);
    assert.match(written, /^\\`\\`&#96;\\\{r}$/m);
    assert.match(written, /^\\# not a title$/m);
  });

  it('is inert in its front matter too, and keeps the lines of a question', () => {
    const question = 'Is <b> [x](command:y)?\n\n- a\n- b';
    const sections = [{ id: 's1', title: 'A', description: '' }];
    const written = writePlanFile({ question, plan: { sections } });
    assert.doesNotMatch(written, /<|[^\\]\]\(/);
    assert.equal(readPlanFile(written, 'plan.md').question, question);
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

  it('keeps the backslashes of what is written by hand', () => {
    const text = '---\nquestion: What matches \\d+\\.\\d+?\n---\n## C:\\(x)\nText \\*.\n- query: \\d+\\.\\d+\n';
    const { question, plan } = readPlanFile(text, 'p');
    assert.equal(question, 'What matches \\d+\\.\\d+?');
    const [section] = plan.sections;
    assert.deepEqual(
      [section?.title, section?.description, section?.queries],
      ['C:\\(x)', 'Text \\*.', ['\\d+\\.\\d+']],
    );
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
