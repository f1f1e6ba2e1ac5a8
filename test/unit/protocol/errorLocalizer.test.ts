import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tables } from '../../../scripts/l10n.ts';
import { fillText } from '../../../src/protocol/fillText.ts';
import { errorLocalizer } from '../../../src/protocol/errorLocalizer.ts';

const bundleOf = (errors: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(errors).map(([text, translation]) => [`${text}/error`, translation]));

describe('the localizer of errors', () => {
  const localize = errorLocalizer({
    ...bundleOf({
      "{0} can't be reached: {1}.": '无法连接 {0}：{1}。',
      'the connection was refused': '连接被拒绝',
      'Check the network.': '请检查网络。',
      '{0} refused the key{1}.': '{0} 拒绝了密钥{1}。',
      '{0} rejected the key': '{0} 拒绝了密钥',
      'It said: "{0}"': '对方的说明：“{0}”',
      '{0}.': '{0}。',
      '{0}: {1}.': '{0}：{1}。',
    }),
    works: '正常',
  });

  const cases = {
    'finds a text by its template, and localises the values': [
      "a.example:1 can't be reached: the connection was refused.",
      '无法连接 a.example:1：连接被拒绝。',
    ],
    'finds each of several sentences': [
      "a.example can't be reached: ECONNRESET. Check the network.",
      '无法连接 a.example：ECONNRESET。请检查网络。',
    ],
    'leaves what a service said as it said it': [
      'a.example refused the key (HTTP 401). It said: "No such key: 1."',
      'a.example 拒绝了密钥 (HTTP 401)。对方的说明：“No such key: 1.”',
    ],
    'completes a sentence that may end with a quote': ['Tavily rejected the key: bad.', 'Tavily 拒绝了密钥：bad。'],
    'leaves a text alone that it does not know': ['Something else: entirely.', 'Something else: entirely.'],
    'knows no other texts of the bundle': ['works', 'works'],
  } as const;
  for (const [what, [english, shown]] of Object.entries(cases)) it(what, () => assert.equal(localize(english), shown));

  it('separates sentences by a space in a language that has spaces', () => {
    const german = errorLocalizer(bundleOf({ 'It broke.': 'Es ging kaputt.', 'Try again.': 'Erneut versuchen.' }));
    assert.equal(german('It broke. Try again.'), 'Es ging kaputt. Erneut versuchen.');
  });

  it('reads values in values so deep, whatever a server says', () => {
    const nested = `${'a: '.repeat(300)}b${'.'.repeat(300)}`;
    assert.match(localize(`a.example can't be reached: ${nested}`), /^无法连接 a\.example：/);
  });

  it('leaves a text alone that is too long for a message', () => {
    const text = `a.example can't be reached: ${'x'.repeat(4_000)}.`;
    assert.equal(localize(text), text);
  });
});

for (const [language, { errors }] of Object.entries(tables)) {
  it(`every error is recognised by its template in ${language}`, () => {
    const localize = errorLocalizer(bundleOf(errors));
    const values = Array.from({ length: 6 }, (_, index) => `v${index}`);
    const [known, knownTranslation] = Object.entries(errors).find(([text]) => /^[a-z][^.{}]+$/.test(text))!;
    const wrong = Object.entries(errors).flatMap(([text, translation]) => {
      // Of punctuation alone: counts only around what is known.
      if (!/\p{L}/u.test(text.replaceAll(/\{\d\}/g, ''))) return [];
      // One that begins with two places counts only around what is known.
      const isLoose = /^\{\d\} \{\d\}/.test(text);
      const given = isLoose ? values.with(1, known) : values;
      const localised = isLoose ? values.with(1, knownTranslation) : values;
      const [shown, expected] = [localize(fillText(text, given)), fillText(translation, localised)];
      return shown === expected ? [] : [{ text, shown, expected }];
    });
    assert.deepEqual(wrong, []);
  });
}
