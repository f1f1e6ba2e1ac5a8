import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { settledLength, splitSentences } from '../../../../src/research/text/sentences.ts';

const split = (text: string) =>
  splitSentences(text)
    .map((sentence) => sentence.text.trim())
    .filter(Boolean);

describe('sentences', () => {
  it('end at full stops, but not at abbreviations, initials, decimals and list numbers', () => {
    assert.deepEqual(split('We use e.g. DPR, cf. Fig. 3. J. Smith et al. got 3.5 points. Then?! Yes. iOS too.'), [
      'We use e.g. DPR, cf. Fig. 3.',
      'J. Smith et al. got 3.5 points.',
      'Then?!',
      'Yes.',
      'iOS too.',
    ]);
    assert.deepEqual(split('1. First item. Second'), ['1. First item.', 'Second']);
    for (const whole of ['Das folgt aus § 174 Abs. 3 und Nr. 54 des Gesetzes.', 'Dr. Holt compared it vs. The Swan.'])
      assert.deepEqual(split(whole), [whole]);
    assert.deepEqual(split('It weighs 12 kg. The other speaks HTTP. It is so. Then it ends.').length, 4);
  });

  it('do not end at the ordinal of a date', () => {
    for (const whole of ['Der Bau des 16. Jahrhunderts steht noch.', 'Sie starb 19 v. Chr. in Rom.'])
      assert.deepEqual(split(whole), [whole]);
    assert.deepEqual(split('Die Abgabe ist am 31. März fällig. Danach nicht mehr.'), [
      'Die Abgabe ist am 31. März fällig.',
      'Danach nicht mehr.',
    ]);
    assert.deepEqual(split('There were 12. Many left.'), ['There were 12.', 'Many left.']);
  });

  it('end at the stops of other scripts, with no space after them', () => {
    assert.deepEqual(split('第一句。第二句！（见图）第三句？'), ['第一句。', '第二句！', '（见图）第三句？']);
    assert.deepEqual(split('هل هذا سؤال؟ نعم.'), ['هل هذا سؤال؟', 'نعم.']);
  });

  it('keep the markers that follow their stop', () => {
    assert.deepEqual(split('A claim. [S12345] [S6789a] Another claim [Sabcde]. End.'), [
      'A claim. [S12345] [S6789a]',
      'Another claim [Sabcde].',
      'End.',
    ]);
  });

  it('do not end in code, and do at headings, items and blank lines', () => {
    assert.deepEqual(split('Run `a. B. c` now\nand go on\n- item\n# Head\nText\n\nMore'), [
      'Run `a. B. c` now\nand go on',
      '- item',
      '# Head',
      'Text',
      'More',
    ]);
  });

  it('lose no character, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.constantFrom('. ', '! ', '`', '\n', '[S12345]', 'e.g.', '。', 'a', 'B', '"')),
        (text, bits) => {
          const all = text + bits.join('') + text;
          assert.equal(
            splitSentences(all)
              .map((sentence) => sentence.text)
              .join(''),
            all,
          );
          assert.ok(settledLength(all) <= all.length);
        },
      ),
    );
  });
});
