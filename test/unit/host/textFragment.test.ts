import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressAt, withTextFragment } from '../../../src/host/reports/textFragment.ts';

const page = 'https://page.example/a?b=%2F';

describe('the address of a passage', () => {
  const stored = 'Abstract.\n\n[Page 1]\n\nGates are old.\n\n[Page 12]\n\nLocks lift boats.\n\n[Page 13]\n\nThe end.';

  it('leads to the page of a PDF, whatever its address ends in', () => {
    for (const address of ['https://a.example/x.pdf', 'https://a.example/x.pdf?download=1'])
      assert.equal(addressAt(`${address}#top`, stored, 'Locks lift boats.', 'Locks'), `${address}#page=12`);
    // It may be of a page about the PDF, where the words are.
    const other = addressAt('https://a.example/1#top', stored, 'Locks lift boats.', 'Locks');
    assert.equal(other, 'https://a.example/1#page=12:~:text=Locks');
    assert.match(addressAt('https://a.example/x.pdf', stored, stored, 'Locks lift'), /#page=12$/, 'of its words');
  });

  it('leads to the words where no page is known', () => {
    for (const passage of ['Abstract.', 'Other words', ''])
      assert.equal(
        addressAt('https://a.example/x.pdf', stored, passage, 'Some words'),
        'https://a.example/x.pdf#:~:text=Some%20words',
      );
  });

  it('leads to a paper of arXiv in the form that was read', () => {
    const paper = 'https://arxiv.org/abs/hep-th/9901001v2';
    const form = (name: string) => paper.replace('abs', name);
    assert.equal(addressAt(paper, stored, 'The end.', 'The end.'), `${form('pdf')}#page=13`);
    assert.equal(addressAt(paper, stored, 'Abstract.', 'An abstract'), `${paper}#:~:text=An%20abstract`);
    const page = 'Abstract.\n\n## 1 Gates\n\nGates are old.';
    assert.equal(addressAt(paper, page, 'Gates are old.', 'Gates are'), `${form('html')}#:~:text=Gates%20are`);
    assert.equal(addressAt(paper, 'Abstract.', 'Abstract.', 'An abstract'), `${paper}#:~:text=An%20abstract`);
  });
});

describe('the address of a page with a quotation', () => {
  it('has a short one whole, with the signs escaped that mean something there', () => {
    assert.equal(
      withTextFragment(page, 'A well-known lock, built in 984 & rebuilt'),
      `${page}#:~:text=A%20well%2Dknown%20lock%2C%20built%20in%20984%20%26%20rebuilt`,
    );
  });

  it('has of a long one, or of one that crosses blocks, its first and last words', () => {
    const long = 'One two three four five six seven eight nine ten eleven twelve.';
    const range = 'One%20two%20three%20four%20five,eight%20nine%20ten%20eleven%20twelve.';
    assert.equal(withTextFragment(page, long), `${page}#:~:text=${range}`);
    assert.equal(
      withTextFragment(page, 'The lower gate.\n\nThe upper gate.'),
      `${page}#:~:text=The%20lower%20gate.,The%20upper%20gate.`,
    );
  });

  it('has no mark of Markdown, and of a row its first and last cell', () => {
    const directive = (quote: string) => withTextFragment(page, quote).slice(`${page}#:~:text=`.length);
    for (const line of ['- The gate', '12. The gate', '## The gate', '> - [ ] The gate', '```js\nThe gate\n```'])
      assert.equal(directive(line), 'The%20gate');
    assert.equal(directive('| Iron \\| Steel Gates | 29 m | 1972 |'), 'Iron%20%7C%20Steel%20Gates,1972');
    assert.equal(directive('| Iron Gates | – |'), 'Iron%20Gates');
  });

  it('cuts a text without spaces between its words', () => {
    const line =
      '船闸是通航建筑物，由闸室和闸门组成，水靠重力在闸室之间流动，船舶因此可以升降，这种方法在中国宋代已经使用。';
    const [, directive = ''] = withTextFragment(page, line).split('#:~:text=');
    const [first = '', last = ''] = directive.split(',').map(decodeURIComponent);
    assert.ok(line.startsWith(first) && line.endsWith(last), directive);
    assert.ok(
      [first, last].every((term) => term.length >= 12 && term.length < 20),
      directive,
    );
  });

  it('keeps a fragment that is there, and is as it was without words', () => {
    assert.equal(withTextFragment(`${page}#top`, 'A lock'), `${page}#top:~:text=A%20lock`);
    assert.equal(withTextFragment(page, ' – '), page);
    assert.equal(withTextFragment(`${page}#:~:text=x`, 'A lock'), `${page}#:~:text=x`);
  });
});
