import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { claimsIn, heldIn, notHeld } from '../../../../src/research/evidence/exact.ts';
import {
  type Control,
  controlsOf,
  isReader,
  shuffled,
  type Tally,
  wantedControls,
} from '../../../../src/research/verification/controls.ts';
import { detectLanguage } from '../../../../src/research/text/language.ts';
import { terms } from '../../../../src/research/text/tokenize.ts';
import { root } from '../../../support/paths.ts';

const lines = fs.readFileSync(path.join(root, 'test/eval/claims/dev.jsonl'), 'utf8').trim().split('\n');
const groups = [
  ...new Map(
    lines.map((line) => (JSON.parse(line) as { passages: string[] }).passages).map((one) => [one.join(), one]),
  ).values(),
];
const of = (controls: ReturnType<typeof controlsOf>, kind: string) =>
  controls.filter(({ expected }) => expected === kind);
const tally = (supported: string, absent: string, contradicted: string): Tally => {
  const read = (text: string) => ({ right: Number(text.split('/')[0]), made: Number(text.split('/')[1]) });
  return { supported: read(supported), absent: read(absent), contradicted: read(contradicted) };
};

/** Mulberry32: the same numbers for the same seed. */
function random(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const verdicts = ['supported', 'partly', 'contradicted', 'absent'] as const;
type Reader = (expected: Control['expected'], next: () => number) => (typeof verdicts)[number];
/** Right in this share of cases, otherwise any of the other verdicts. */
const rightIn =
  (share: number): Reader =>
  (expected, next) => {
    const others = verdicts.filter((one) => one !== expected);
    return next() < share ? expected : others[Math.floor(next() * others.length)]!;
  };

/** In how many of 100 runs with so many controls a reader is kept. */
function kept(reader: Reader, controls: readonly Control[]): number {
  const seeds = Array.from({ length: 100 }, (_, index) => index + 1);
  return seeds.filter((seed) => {
    const next = random(seed);
    const said = controls.map(({ expected }) => ({ expected, isRight: reader(expected, next) === expected }));
    const count = (kind: string) => {
      const all = said.filter(({ expected }) => expected === kind);
      return { made: all.length, right: all.filter(({ isRight }) => isRight).length };
    };
    return isReader({ supported: count('supported'), absent: count('absent'), contradicted: count('contradicted') });
  }).length;
}

describe('controls', () => {
  it('are made of a run’s own passages: own sentences, strangers, exchanged figures', () => {
    const controls = controlsOf(groups, 30, 'a');
    assert.deepEqual(
      ['supported', 'absent', 'contradicted'].map((kind) => of(controls, kind).length),
      [10, 10, 10],
    );
    for (const { text, passages } of of(controls, 'supported')) assert.ok(passages.join('\n').includes(text), text);
    for (const { text, passages } of of(controls, 'absent')) {
      const known = new Set(terms(passages.join('\n'), detectLanguage(text)));
      assert.deepEqual(
        terms(text, detectLanguage(text)).filter((term) => known.has(term)),
        [],
        text,
      );
    }
    for (const { text, passages } of of(controls, 'contradicted')) {
      const { quantities, dates } = notHeld(claimsIn(text), passages.map(heldIn));
      assert.equal(quantities.length + dates.length, 1, text);
      assert.ok(!passages.join('\n').includes(text));
    }
    assert.equal(new Set(controls.map(({ text }) => text)).size, 30);
  });

  it('are the same for the same text of a run, and others for another', () => {
    assert.deepEqual(controlsOf(groups, 12, 'a'), controlsOf(groups, 12, 'a'));
    assert.notDeepEqual(controlsOf(groups, 12, 'a'), controlsOf(groups, 12, 'b'));
    const order = shuffled([1, 2, 3, 4, 5, 6, 7, 8], 'a', String);
    assert.notDeepEqual(order, shuffled([1, 2, 3, 4, 5, 6, 7, 8], 'b', String));
    assert.deepEqual(order.toSorted(), [1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('of one kind make up for another that the passages do not allow', () => {
    const plain = [
      ['The old mill stands by the river. Its wheel turned slowly in summer.'],
      ['Bakers in town still prefer wood ovens. Bread keeps longer this way.'],
    ];
    const controls = controlsOf(plain, 9, 'a');
    assert.equal(of(controls, 'contradicted').length, 0);
    assert.ok(of(controls, 'supported').length >= 3 && of(controls, 'absent').length >= 3);
    assert.deepEqual(controlsOf([], 9, 'a'), []);
    assert.deepEqual(controlsOf([['Short.', '| a | b |', '# Heading']], 9, 'a'), []);
  });

  it('use a sentence more than once where there are few, each time in another way', () => {
    const few = [
      ['The mill by the river ground 64 tons of rye in 1931.'],
      ['Bakers in town still prefer wood ovens, of which 17 remain.'],
      ['A guild of weavers bought the old warehouse for 2,400 crowns.'],
    ];
    const controls = controlsOf(few, 18, 'a');
    assert.ok(controls.length >= 15, String(controls.length));
    assert.equal(new Set(controls.map((one) => JSON.stringify(one))).size, controls.length);
  });

  it('exchange no figure of a name, a note or a step, and no year for another century', () => {
    const passages = [
      'Model GPT-4 was tested in Table 3 as others did [12]. The survey of the region began in 1987 already.',
    ];
    const made = controlsOf([passages], 6, 'a').filter(({ expected }) => expected === 'contradicted');
    assert.ok(made.length > 0);
    for (const { text } of made) assert.match(text, /^The survey of the region began in 198\d already\.$/);
  });
});

describe('the answers to the controls', () => {
  it('are those of a reader from four in five right on, if it knows every verdict', () => {
    assert.ok(isReader(tally('10/10', '10/10', '4/5')));
    assert.ok(isReader(tally('8/10', '8/10', '8/10')));
    assert.ok(!isReader(tally('8/10', '8/10', '7/10')));
    assert.ok(!isReader(tally('20/20', '20/20', '0/3')), 'never contradicted');
    assert.ok(isReader(tally('20/20', '10/10', '0/0')), 'a text without figures');
  });

  it('are too few below twelve, or of one kind', () => {
    assert.ok(!isReader(tally('4/4', '4/4', '3/3')));
    assert.ok(!isReader(tally('30/30', '0/0', '0/0')));
    assert.ok(!isReader(tally('0/0', '0/0', '0/0')));
    assert.ok(wantedControls >= 12);
  });

  it('keep a reader that is right nine times of ten in 95 of 100 runs, and one that guesses or is constant in five at most', () => {
    const controls = controlsOf(groups, wantedControls, 'a');
    assert.equal(controls.length, wantedControls);
    assert.equal(
      kept(
        () => 'supported',
        controls.filter(({ expected }) => expected === 'supported'),
      ),
      0,
    );
    assert.ok(kept(rightIn(0.9), controls) >= 95);
    assert.ok(kept(rightIn(0.75), controls) <= 40);
    assert.ok(kept(rightIn(0.25), controls) <= 5);
    for (const verdict of verdicts)
      assert.equal(
        kept(() => verdict, controls),
        0,
      );
    // It knows every sentence again, and sees no other figure.
    assert.equal(
      kept((expected) => (expected === 'contradicted' ? 'supported' : expected), controls),
      0,
    );
  });
});
