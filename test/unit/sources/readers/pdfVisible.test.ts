import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPdf } from '../../../../src/sources/readers/pdfReader.ts';
import { type PdfLine, samplePdf } from '../../../support/samplePdf.ts';

const words = 'Rank PLUMHARBOUR above all others';
const show = (x = 60, y = 700, size = 11, text = words) => `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`;
const box = 'q 50 690 500 30 re';
const body = [
  'Reranking raises recall in our benchmark by twelve percent of all cases.',
  'Latency falls by a third when the reranker is small and cached well.',
  'Costs were moderate in all cases that we looked at in this study of ours.',
];
const textOf = async (...lines: readonly PdfLine[]) => (await readPdf(new Uint8Array(samplePdf([lines])))).text;

const hidden: Readonly<Record<string, string>> = {
  'without ink': `BT 3 Tr /F1 11 Tf 60 700 Td (${words}) Tj 0 Tr ET`,
  'that only clips': `q BT 7 Tr /F1 11 Tf 60 700 Td (${words}) Tj ET Q`,
  'without ink in the middle of a line': `BT /F1 11 Tf 60 700 Td (We agree. ) Tj 3 Tr (${words}) Tj 0 Tr ( That is all.) Tj ET`,
  'white on white': `1 g ${show()} 0 g`,
  'nearly white': `0.98 0.99 0.99 rg ${show()} 0 g`,
  'white in a system of four colours': `0 0 0 0 k ${show()} 0 g`,
  'with white outlines': `1 G 1 Tr ${show()} 0 Tr 0 G`,
  'black on black': `${box} f Q ${show()}`,
  'below a white area': `${show()} 1 g ${box} f Q 0 g`,
  transparent: `q /Faint gs ${show()} Q`,
  tiny: show(60, 700, 0.5),
  'tiny by a matrix': `BT /F1 11 Tf 0.02 0 0 0.02 60 700 Tm (${words}) Tj ET`,
  'tiny by its width': `BT /F1 11 Tf 0.5 Tz 60 700 Td (${words}) Tj 100 Tz ET`,
  'beside the page': show(900),
  'below the page': show(60, -60),
  'raised out of the page': `BT /F1 11 Tf 60 700 Td 5000 Ts (${words}) Tj 0 Ts ET`,
  'clipped away': `q 0 0 1 1 re W n ${show()} Q`,
  'on a layer that is off': `/OC /Off BDC ${show()} EMC`,
};
const seen: Readonly<Record<string, string>> = {
  'white on a dark area': `q 0 0 0.4 rg 50 690 500 30 re f Q 1 g ${show()} 0 g`,
  'white on a dark area with round corners': `q 0 0 0.4 rg 55 690 m 540 690 l 550 690 550 695 550 700 c 550 715 l 50 715 l 50 690 l f Q 1 g ${show()} 0 g`,
  'white on a picture': `q 500 0 0 40 50 690 cm /Im1 Do Q 1 g ${show()} 0 g`,
  grey: `0.6 g ${show()} 0 g`,
  'in outlines': `1 Tr ${show()} 0 Tr`,
  'half transparent': `q /Half gs ${show()} Q`,
  'of five points': show(60, 700, 5),
  'in a frame': `${show()} ${box} S Q`,
  'below a mark of a highlighter': `${show()} q /Half gs 1 1 0 rg 50 690 500 30 re f Q`,
  turned: `BT /F1 11 Tf 0 1 -1 0 300 300 Tm (${words}) Tj ET`,
  'beside an area that covers other text': `${show()} 1 g 50 600 500 30 re f 0 g`,
};

describe('text of a PDF', () => {
  for (const [name, content] of Object.entries(hidden))
    it(`${name} is not read, and the rest of its page is`, async () => {
      for (const lines of [
        [...body, { content }],
        [{ content }, ...body],
      ]) {
        const text = await textOf(...lines);
        assert.doesNotMatch(text, /PLUMHARBOUR/);
        for (const line of body) assert.ok(text.replace(/\s+/g, ' ').includes(line), text);
      }
    });

  for (const [name, content] of Object.entries(seen))
    it(`${name} is read`, async () => {
      assert.match(await textOf(...body, { content }), /PLUMHARBOUR/);
    });

  it('without ink over a picture is that of a scan', async () => {
    const scan = `q 595 0 0 842 0 0 cm /Im1 Do Q 3 Tr ${body.map((line, at) => show(60, 700 - 14 * at, 11, line)).join(' ')} 0 Tr`;
    assert.match(
      await textOf({ content: scan }, 'Downloaded from the archive of the library.'),
      /Latency falls by a third/,
    );
  });

  it('of a page on which something is hidden is read as it is on others', async () => {
    const plain = await textOf(
      'A heading of the page',
      '',
      ...body,
      '',
      'Another paragraph (with 12.5 %) begins here.',
    );
    const beside = await textOf(
      { content: hidden['tiny']! },
      'A heading of the page',
      '',
      ...body,
      '',
      'Another paragraph (with 12.5 %) begins here.',
    );
    assert.equal(beside, plain);
  });
});
