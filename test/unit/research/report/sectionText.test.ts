import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { SectionText, sectionText } from '../../../../src/research/report/sectionText.ts';

it('takes a heading of its own away, and puts other headings below the section’s', () => {
  assert.equal(
    sectionText('How it works', '\n\n## How it works:\n\nIt works.\n\n## Dense\n\nMore.\n##### Deep\n'),
    ['It works.', '', '### Dense', '', 'More.', '#### Deep'].join('\n'),
  );
  assert.equal(sectionText('Costs', '# A title\n\nText #1 here.'), 'Text #1 here.');
});

it('gives the same however the text was cut into pieces', () => {
  const words = fc.constantFrom('# ', '## Costs', '### Sub', '\n', '\n\n', 'A sentence. ', '#', '- item', '   ');
  fc.assert(
    fc.property(fc.array(words, { maxLength: 20 }), fc.array(fc.nat(8), { maxLength: 30 }), (parts, cuts) => {
      const text = parts.join('');
      const section = new SectionText('Costs');
      let out = '';
      let at = 0;
      for (const cut of cuts) {
        out += section.push(text.slice(at, at + cut));
        at += cut;
      }
      out += section.push(text.slice(at)) + section.end();
      assert.equal(out.trim(), sectionText('Costs', text));
    }),
  );
});
