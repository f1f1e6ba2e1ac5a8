import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agrees, fitsOf, isMisfit } from '../../../../src/research/evidence/fitting.ts';
import { source } from '../../../support/analystTestKit.ts';

const question = 'How much mercury is in tuna?';
const plan = 'Mercury in tuna Concentrations of methylmercury by species';
const about = [
  'Methylmercury concentrations in canned tuna were highest in albacore. Consumption of seafood is limited for children.',
  'Children and pregnant women limit their consumption of seafood, as methylmercury in tuna differs by species.',
  'Species of seafood differ: concentrations of methylmercury in albacore are three times those in skipjack tuna.',
  'Skipjack tuna had low concentrations of methylmercury; consumption by children is safe twice a week.',
].map((text, index) => source(`Sa000${index}`, text, { title: 'Seafood' }));
const planet = source('Sb0000', 'How much of Mercury a visitor to the Tuna Heads planetarium sees in its dome.', {
  title: 'Night of the planets',
});

describe('how a source fits among those of its section', () => {
  it('is a misfit when it shares the words of the question and nothing else', () => {
    const fits = fitsOf([...about, planet], question, plan);
    assert.ok(isMisfit(fits.get(planet.id), 0.25), JSON.stringify(fits.get(planet.id)));
    for (const { id } of about) assert.ok(!isMisfit(fits.get(id), 0.4), JSON.stringify(fits.get(id)));
    assert.ok(about.some(({ id }) => agrees(fits.get(id))));
  });

  it('is never said of what the user has or named', () => {
    const file = { ...planet, file: { path: 'notes.md', firstLine: 1, lastLine: 3 } };
    for (const own of [file, { ...planet, isGiven: true }])
      assert.ok(!isMisfit(fitsOf([...about, own], question, plan).get(own.id), 0.4));
  });

  it('is never said of a page that was opened, though excerpts resemble each other more', () => {
    const page = { ...planet, text: `${planet.text} `.repeat(30) };
    assert.ok(!isMisfit(fitsOf([...about, page], question, plan).get(page.id), 0.4));
  });

  it('is not said of a source in another language, nor of a few', () => {
    const german = source(
      'Sc0000',
      'Quecksilber im Thunfisch: Schwangere sollten mit Mercury in Tuna vorsichtig sein.',
      {
        title: 'Fisch',
      },
    );
    assert.equal(fitsOf([...about, german], question, plan).get(german.id), undefined);
    assert.equal(fitsOf([...about.slice(0, 2), planet], question, plan).size, 0);
  });

  it('holds for texts without a word, and for copies', () => {
    const empty = ['', '…', '12 34', ''].map((text, index) => source(`Sd000${index}`, text, { title: '' }));
    assert.equal(fitsOf(empty, '', '').size, 0);
    const copies = fitsOf([...about, ...about.map((one) => ({ ...one, id: `${one.id}f` }))], question, plan);
    for (const fit of copies.values()) assert.ok(Number.isFinite(fit.agreement) && !isMisfit(fit, 0.4));
  });
});
