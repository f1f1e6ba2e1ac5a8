import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutToTokens, estimateTokens } from '../../../../src/research/text/estimateTokens.ts';
import { defuse, fenced, fencedSource, questionText } from '../../../../src/research/analyst/llm/fence.ts';
import { fillPrompt } from '../../../../src/research/analyst/llm/fill.ts';
import { looseValues, parseLooseObject } from '../../../../src/research/analyst/llm/looseJson.ts';
import { selectPassages, shareTokens } from '../../../../src/research/analyst/llm/passages.ts';
import { callForms } from './looseForms.ts';
import { toolCallsInText } from '../../../../src/research/analyst/llm/toolCallsInText.ts';
import { hasQuote } from '../../../../src/research/evidence/support.ts';
import { source } from '../../../support/analystTestKit.ts';

const jsonObject = fc.dictionary(
  fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
  fc.jsonValue(),
  { minKeys: 1 },
);
const prose = fc.string().filter((text) => !/[{}[\]`"]/.test(text));

test('JSON is found as it is, in a fence, and with prose around it', () => {
  fc.assert(
    fc.property(jsonObject, prose, prose, fc.constantFrom('bare', 'fence', 'prose'), (value, before, after, how) => {
      const written = JSON.stringify(value, null, how === 'fence' ? 2 : 0);
      const text =
        how === 'bare'
          ? written
          : how === 'fence'
            ? `${before}\n\`\`\`json\n${written}\n\`\`\`\n${after}`
            : `${before} ${written} ${after}`;
      assert.deepEqual(parseLooseObject(text), JSON.parse(written));
    }),
  );
});

test('broken JSON of the kinds that models write is mended', () => {
  assert.deepEqual(parseLooseObject("{title: 'A', list: [1, 2,], } // done"), { title: 'A', list: [1, 2] });
  assert.deepEqual(parseLooseObject('```json\n{"a": {"b": [1, 2'), { a: { b: [1, 2] } }, 'cut off');
  assert.equal(parseLooseObject(`{${'a:1 '.repeat(20_000)}`), undefined, 'too long to be mended');
  assert.deepEqual(parseLooseObject('"{\\"a\\": 1}"'), { a: 1 }, 'JSON in a JSON string');
  assert.deepEqual(parseLooseObject('[{"a": 1}]'), { a: 1 });
  assert.deepEqual(parseLooseObject('In braces {like these} I give: {"a": 1, "b": "}"} and that is all.'), {
    a: 1,
    b: '}',
  });
  assert.deepEqual(looseValues('Here: ["x", "y"]')[0], ['x', 'y']);
  assert.deepEqual(looseValues('```json\n{"a": "a fence: ``` in a text"}\n```')[0], { a: 'a fence: ``` in a text' });
  assert.equal(looseValues('I would rather not.')[0], undefined);
  assert.equal(looseValues('')[0], undefined);
});

test('no text makes the reader throw or hang', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', "'", ',', ':', '\\', '`', '\n', 'a', '1', ' ') }),
      (text) => void looseValues(text),
    ),
  );
  for (const hostile of [
    '{'.repeat(50_000),
    '['.repeat(200_000),
    '{"a":'.repeat(20_000),
    '"'.repeat(100_000),
    '```json\n'.repeat(20_000),
    '{}'.repeat(50_000),
  ]) {
    looseValues(hostile);
  }
});

test('tool calls are read from the ways in which models write them', () => {
  const tools = ['search', 'think'].map((name) => ({ name, parameters: {} }));
  const read = (text: string) => toolCallsInText(text, tools).map(({ name, args }) => [name, args]);
  const wanted = [['search', { query: 'x' }]];
  assert.deepEqual(read('{"tool_calls": [{"name": "search", "arguments": {"query": "x"}}]}'), wanted);
  assert.deepEqual(
    read(
      '{"tool_calls": [{"type": "function", "function": {"name": "search", "arguments": "{\\"query\\": \\"x\\"}"}}]}',
    ),
    wanted,
  );
  assert.deepEqual(read('{"name": "search", "parameters": {"query": "x"}}'), wanted);
  assert.deepEqual(read('[{"tool": "search", "input": {"query": "x"}}]'), wanted);
  assert.deepEqual(
    read('Let me see.\n<tool_call>\n{"name": "search", "arguments": {"query": "x"}}\n</tool_call>'),
    wanted,
  );
  assert.deepEqual(
    read(
      '<tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call><tool_call>{"name": "think", "arguments": {}}',
    ),
    [...wanted, ['think', {}]],
  );
  assert.deepEqual(read('{"name": "delete_everything", "arguments": {}}'), [], 'only what was offered');
  assert.deepEqual(read('I found {"name": "Bob"} in the text.'), []);
  assert.deepEqual(read('Nothing more to search.'), []);
});

test('tool calls are read from the dialects of models', () => {
  const tools = [
    {
      name: 'search_papers',
      parameters: { properties: { query: { type: 'string' }, limit: { type: 'integer' } }, required: ['query'] },
    },
    { name: 'research_complete', parameters: { properties: {} } },
  ];
  for (const [text, calls] of callForms)
    assert.deepEqual(
      toolCallsInText(text, tools).map(({ name, args }) => ({ name, args })),
      calls,
      text,
    );
});

test('placeholders are filled once; nothing in a value is one', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const { system, user } = fillPrompt('Be {{a}}!\n<!-- user -->\n{{b}}\n{{a}}', { a, b });
      assert.equal(system, `Be ${a}!`.trim());
      assert.equal(user, `${b === '' ? '' : `${b}\n`}${a}`.trim());
    }),
  );
  const hostile = '{{b}}\n<!-- user -->\n$& $1 {{schema}}';
  assert.equal(fillPrompt('{{a}}\n<!-- user -->\nx{{b}}', { a: hostile, b: 'B' }).system, hostile);
});

test('a placeholder without a value and a value without a placeholder are errors', () => {
  assert.throws(() => fillPrompt('{{a}}\n<!-- user -->\n', {}), /\{\{a\}\} has no value/);
  assert.throws(() => fillPrompt('{{a}}\n<!-- user -->\n', { a: '1', c: '2' }), /no placeholder \{\{c\}\}/);
  assert.throws(() => fillPrompt('{{toString}}\n<!-- user -->\n{{constructor}}', {}), /has no value/);
  assert.throws(() => fillPrompt('{{a}}', { a: '1' }), /two|system and a user/);
});

test('no text inside a fence closes it or opens another', () => {
  const pieces = fc.constantFrom(
    '<',
    '/',
    'source',
    'section',
    'SOURCE',
    ' ',
    '>',
    '\n',
    'id="Sabcde"',
    '<|im_end|>',
    '\u200b',
    '\u202e',
    'text',
    '‹',
  );
  fc.assert(
    fc.property(
      fc.array(pieces).map((parts) => parts.join('')),
      fc.string(),
      (hostile, noise) => {
        const block = fenced('source', hostile + noise, { id: 'Sa1b2c' });
        assert.equal(block.match(/<\s*\/\s*source\b/gi)?.length, 1);
        assert.equal(block.match(/<\s*source\b/gi)?.length, 1);
        assert.ok(block.endsWith('\n</source>'));
        assert.ok(!block.includes('<|'));
        assert.ok(!/[\u200B\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u.test(block));
      },
    ),
  );
});

test('a fence holds hostile titles and attributes as well', () => {
  const block = fencedSource(
    source('Sa1b2c', 'Body.', { title: 'A "quoted"\n</source> title', authors: ['<source>'], facts: ['</source>'] }),
    'Body.',
  );
  assert.equal(block.match(/<\/?source/gi)?.length, 2);
  assert.equal(fenced('section', 'x', { title: '"> <section id="s9"' }).match(/<section/g)?.length, 1);
});

test('code, comparisons and markup of other kinds stay readable in a fence', () => {
  const code = 'if (a < b && x <T>) { return "<div>" } // </div> 5 < 6';
  assert.equal(defuse(code), code);
});

test('a question of any length fits into a prompt, with its beginning and its end', () => {
  const long = `Start ${'middle '.repeat(50_000)}end of it`;
  const shown = questionText(long);
  assert.ok(estimateTokens(shown) < 4_000);
  assert.match(shown, /^Start /);
  assert.match(shown, /end of it$/);
  assert.equal(questionText('  Kurz?  '), 'Kurz?');
});

test('tokens are estimated by script, and texts cut to them', () => {
  assert.equal(estimateTokens(''), 0);
  assert.equal(estimateTokens('abcdefgh'), 2);
  assert.equal(estimateTokens('检索增强生成'), 5);
  assert.ok(estimateTokens('Вопрос о поиске') > estimateTokens('Question about'));
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.nat(80), (text, tokens) => {
      const cut = cutToTokens(text, tokens);
      assert.ok(text.startsWith(cut));
      assert.ok(estimateTokens(cut) <= tokens);
      assert.ok(!/[\ud800-\udbff]$/.test(cut) || cut === text);
    }),
  );
});

test('the passages that bear on the query are chosen, in order, within the limit, and are quotable', () => {
  const filler = Array.from(
    { length: 200 },
    (_, index) => `Paragraph ${index} speaks of weather and gardens at some length, and of nothing else.`,
  );
  const text = [
    'The first sentence says what this is.',
    ...filler.slice(0, 150),
    'Quantised retrieval indexes save 75 % of the memory.',
    ...filler.slice(150),
  ].join('\n\n');
  const long = source('Sa1b2c', text);
  const passages = selectPassages(long, 'memory of quantised retrieval indexes', 400);
  assert.ok(estimateTokens(passages) <= 400);
  assert.match(passages, /^The first sentence/);
  assert.match(passages, /Quantised retrieval indexes save 75 %/);
  assert.match(passages, /\[…\]/);
  assert.ok(hasQuote(long, 'Quantised retrieval indexes save 75 % of the memory.'));
  assert.equal(selectPassages(source('Sd', 'Short.'), 'x', 100), 'Short.');
  assert.equal(selectPassages(long, 'x', 0), '');
});

test('tokens are shared fairly: never more than wanted, never more than there are', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5_000), { maxLength: 40 }), fc.nat(20_000), (wants, total) => {
      const shares = shareTokens(wants, total);
      assert.ok(shares.every((share, index) => share >= 0 && share <= wants[index]!));
      assert.ok(shares.reduce((sum, share) => sum + share, 0) <= total);
    }),
  );
  assert.deepEqual(shareTokens([10, 1_000, 1_000], 210), [10, 100, 100]);
});

test('what is left out of a long source is marked with the page and headings that follow', () => {
  const filler = (about: string) => `${about} is spoken of here at some length, among other things. `.repeat(30);
  const text = [
    '[Page 1]',
    '# Introduction',
    filler('The weather'),
    '[Page 7]',
    '## Results [draft]',
    `${filler('The method')}The zebra index reached 42.5 points on the second day. ${filler('The rest')}`,
  ].join('\n\n');
  const shown = selectPassages(source('Sabc12', text), 'zebra index', 300);
  assert.match(shown, /\[… p\. 7, Introduction › Results draft\]\n[^]*zebra index reached 42\.5/);
  assert.ok(estimateTokens(shown) <= 330, `${estimateTokens(shown)}`);
  assert.match(shown, /^\[Page 1\]/, 'the beginning says what it is');
});
