import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stripHidden } from '../../../src/markdown/hidden.ts';

const needed = [
  ...[
    'می\u200Cخواهم',
    'نوشته\u200Cها',
    'क्\u200Dष',
    'क्\u200Cष',
    'র\u200D\u09CDয',
    'ක්\u200Dර',
    'അവന്\u200D',
    'ᠮᠣᠩ\u180Bᠭ',
  ],
  ...['👨\u200D👩\u200D👧', '❤\uFE0F', '❤\uFE0F\u200D🔥', '🏳\uFE0F\u200D🌈', '1\uFE0F\u20E3', '👩🏽\u200D💻', '☎\uFE0F'],
  ...['👁\uFE0F\u200D🗨\uFE0F', '🧑🏻\u200D❤\uFE0F\u200D💋\u200D🧑🏼'],
];

test('joiners and selectors stay where a script or an emoji needs them', () => {
  for (const text of needed) assert.equal(stripHidden(text), text);
});

test('they go where nothing needs them, as bits between letters, behind digits, or behind what is itself removed', () => {
  const hidden = {
    ...{ 'a\u200Db': 'ab', 'م\u200Dم': 'مم', 'क\u200Cक': 'कक', '1\uFE0F2\uFE0E': '12', '😀\uFE0F\uFE0E': '😀' },
    ...{
      'a\uFE0F\u200D👨': 'a👨',
      '👨\u200D🃶': '👨',
      '\u180B\u200Cم': 'م',
      '葛\u{E0100}': '葛',
      'x\u{E0041}\u{E007F}': 'x',
    },
    ...{ '\u3164x\u115F\u1160\uFFA0': 'x', 'a\u034Fb\u2064': 'ab', '\uFFF9a\uFFFAb\uFFFB': 'ab', '\u17B4x\u180E': 'x' },
    ...{ '\u00ADx\u2800': 'x', '\u{1D173}x\u{1BCA0}': 'x', '\u202Ex\u2066\u061C': 'x', '\uD800x\u0000': 'x' },
  };
  for (const [text, seen] of Object.entries(hidden)) assert.equal(stripHidden(text), seen, JSON.stringify(text));
});

test('a text that was stripped once holds nothing more to strip', () => {
  const pieces = [
    '👨',
    '\u200D',
    '\u200C',
    '\uFE0F',
    '🃶',
    'a',
    '1',
    '\u20E3',
    'م',
    'क',
    '\u094D',
    '\u180B',
    'ᠮ',
    '❤',
    '🏽',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 9 }), (parts) => {
      const once = stripHidden(parts.join(''));
      assert.equal(stripHidden(once), once);
    }),
    { numRuns: 3_000 },
  );
});
