import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { arxivIdOf } from '../../../../src/research/evidence/paperIdentity.ts';
import { addressIdentity } from '../../../../src/research/evidence/addressIdentity.ts';
import { writeInlines } from '../../../../src/markdown/writeInlines.ts';
import { literalNodes, safeUrl } from '../../../../src/research/evidence/neutralize.ts';
import { holdsQuote, normalizeForQuote } from '../../../../src/research/evidence/quotes.ts';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import type { FoundDocument } from '../../../../src/research/ports.ts';

const found = (over: Partial<FoundDocument>): FoundDocument => ({
  kind: 'web',
  title: 'T',
  authors: [],
  text: 'Text.',
  ...over,
});

describe('identity', () => {
  it('is one for all addresses of an arXiv paper', () => {
    for (const url of [
      'https://arxiv.org/abs/2005.11401',
      'http://arxiv.org/abs/2005.11401v4',
      'https://www.arxiv.org/pdf/2005.11401v2.pdf',
      'https://export.arxiv.org/html/2005.11401v1',
      'https://huggingface.co/papers/2005.11401',
      'https://doi.org/10.48550/arXiv.2005.11401',
    ]) {
      assert.equal(addressIdentity(url), 'arxiv:2005.11401', url);
    }
    assert.equal(arxivIdOf('hep-th/9901001v2'), 'hep-th/9901001');
    assert.equal(arxivIdOf('not an id'), undefined);
  });

  it('is one for all addresses of a repository and of a page', () => {
    for (const url of [
      'https://github.com/Owner/Name',
      'https://github.com/owner/name.git',
      'https://github.com/owner/name/tree/main',
      'https://github.com/owner/name/blob/main/README.md#usage',
    ]) {
      assert.equal(addressIdentity(url), 'github:owner/name', url);
    }
    assert.equal(addressIdentity('https://github.com/o/n/issues/12#issuecomment-1'), 'github:o/n#12');
    for (const url of [
      'http://www.Example.org/a/?utm_source=x&b=2&a=1#frag',
      'https://example.org/a?a=1&b=2',
      'https://m.example.org/a/index.html?b=2&a=1',
    ]) {
      assert.equal(addressIdentity(url)?.replace('m.', ''), 'url:https://example.org/a?a=1&b=2', url);
    }
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'nonsense', ''])
      assert.equal(addressIdentity(url), undefined);
  });
});

describe('registry', () => {
  it('opens an address in the spelling in which the user, a result or its text named it', () => {
    const registry = new EvidenceRegistry();
    registry.asked('What does https://asked.example/Über?b=2&a=1 say?');
    const text = 'See https://evil.example/collect?d= or (https://other.example/in-text).';
    registry.add(found({ url: 'https://evil.example/page', text, facts: ['https://fact.example/a'] }), 'now');
    const own = 'https://own.example/page and https://own.example/p?utm_campaign=zephyr';
    registry.add(found({ file: { path: 'a.md', firstLine: 1, lastLine: 9 }, text: own }), 'now');
    registry.add(found({ url: 'https://arxiv.org/abs/2005.11401', ids: { doi: '10.5555/a.b' } }), 'now');
    for (const [given, named] of [
      ['https://evil.example/%70%61ge', 'https://evil.example/page'],
      ['https://evil.example/page/?utm_source=7731', 'https://evil.example/page'],
      ['https://evil.example/collect?%64=', 'https://evil.example/collect?d='],
      ['https://evil.example/collect', undefined],
      ['https://evil.example/collect?d=7731', undefined],
      ['https://evil.example/pag', undefined],
      ['https://evil.example/10.5555/a.b', 'https://arxiv.org/abs/2005.11401'],
      ['https://other.example/in%2Dtext', 'https://other.example/in-text'],
      ['https://other.example/', undefined],
      ['https://own.example/pag%65', 'https://own.example/page'],
      ['https://own.example/p', undefined],
      ['https://fact.example/%61', 'https://fact.example/a'],
      ['https://asked.example/%C3%9Cber?a=1&b=2', 'https://asked.example/Über?b=2&a=1'],
      ['https://arxiv.org/pdf/2005.11401', 'https://arxiv.org/pdf/2005.11401'],
      ['nonsense', undefined],
    ] as const)
      assert.equal(registry.named(given), named, given);
  });

  it('gives the same work the same id, in any order of arrival', () => {
    const documents = [
      found({ ids: { arxiv: '2005.11401v4' }, text: 'Abstract.' }),
      found({ url: 'https://github.com/o/n' }),
      found({ file: { path: 'a.md', firstLine: 1, lastLine: 9 } }),
      found({ title: 'Nothing but a title' }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(documents, { minLength: 4 }), (order) => {
        const registry = new EvidenceRegistry();
        const ids = new Map(order.map((document) => [document, registry.add(document, 'now').source.id]));
        const plain = new EvidenceRegistry();
        for (const document of documents) assert.equal(plain.add(document, 'now').source.id, ids.get(document));
      }),
    );
  });

  it('merges a work that comes in twice and keeps every word that may have been quoted', () => {
    const registry = new EvidenceRegistry();
    const first = registry.add(found({ ids: { arxiv: '2005.11401' }, text: 'The abstract.', facts: ['cs.CL'] }), 'now');
    const second = registry.add(
      found({
        url: 'https://arxiv.org/pdf/2005.11401v3',
        text: 'Another text.',
        authors: ['A'],
        facts: ['3 versions'],
      }),
      'later',
    );
    assert.equal(second.isNew, false);
    assert.equal(second.source.id, first.source.id);
    assert.ok(second.source.text.includes('The abstract.') && second.source.text.includes('Another text.'));
    assert.deepEqual(second.source.facts, ['cs.CL', '3 versions']);
    assert.equal(registry.all().length, 1);
    assert.equal(registry.byUrl('http://arxiv.org/abs/2005.11401')?.id, first.source.id);
    assert.ok(!registry.toJson().includes('The abstract.'));
  });
});

describe('quotes', () => {
  const text = normalizeForQuote(
    'We find that *dense retrieval* — “DPR” — beats BM25 by 9-19% in\ntop-20 accuracy. See [the code](https://x.example).',
  );
  it('are found whatever their marks, dashes and line breaks', () => {
    assert.ok(holdsQuote('dense retrieval - "DPR" - beats BM25 by 9–19% in top-20 accuracy', text));
    assert.ok(holdsQuote('We find that … beats BM25', text));
    assert.ok(holdsQuote('See the code', text));
  });
  it('are not found when a figure or the sense differs', () => {
    assert.ok(!holdsQuote('dense retrieval - "DPR" - beats BM25 by 9-29% in top-20 accuracy', text));
    assert.ok(!holdsQuote('sparse methods are always better than dense ones', text));
    assert.ok(!holdsQuote('', text));
  });
});

describe('neutralised text', () => {
  it('keeps no markup in a line and no other scheme in an address', () => {
    const line = writeInlines(literalNodes('A [x](javascript:y) `z` <b>\u202E\n two'));
    assert.equal(line, 'A \\[x\\](`javascript:y`) \\`z\\` &lt;b> two');
    assert.equal(safeUrl('javascript:alert(1)'), undefined);
    assert.equal(safeUrl('https://user:pass@x.example/'), undefined);
    assert.equal(safeUrl('https://x.example/a b(c)<d>'), 'https://x.example/a%20b%28c%29%3Cd%3E');
  });
});

describe('works', () => {
  const words = (prefix: string, from: number): string =>
    Array.from({ length: 80 }, (_, index) => `${prefix}${(from + index) * 7}`).join(' ');

  it('are one for a file, a repository with its issues, and copies of one text', () => {
    const registry = new EvidenceRegistry();
    const add = (document: Partial<FoundDocument>): string => registry.add(found(document), 'now').source.id;
    const ids = [
      add({ file: { path: 'a.md', firstLine: 1, lastLine: 9 } }),
      add({ file: { path: 'a.md', firstLine: 20, lastLine: 29 }, text: 'Other lines.' }),
      add({ file: { path: 'b.md', firstLine: 1, lastLine: 9 }, text: 'Another file.' }),
      add({ ids: { repo: 'o/n', issue: 12 }, text: 'An issue.' }),
      add({ ids: { repo: 'O/N' }, text: 'A repository.' }),
      add({ url: 'https://one.example/post', text: words('term', 0) }),
      add({ url: 'https://two.example/copy', text: `Menu and imprint. ${words('term', 0)}` }),
      add({ url: 'https://three.example/other', text: words('term', 500) }),
    ];
    assert.equal(new Set(ids).size, 8);
    assert.equal(registry.works(ids), 5);
    assert.deepEqual(
      [1, 4, 6].map((index) => registry.workOf(ids[index]!)),
      [ids[0], ids[3], ids[5]],
    );
  });

  it('become one when a record shows that two are the same, in any order of arrival', () => {
    const documents = [
      found({ ids: { arxiv: '1706.03762' }, text: 'The preprint.', facts: ['cs.CL'] }),
      found({ ids: { doi: '10.5555/3295222.3295349' }, text: 'The record.', facts: ['7 citations'] }),
      found({ ids: { doi: '10.5555/3295222.3295349', arxiv: '1706.03762' }, text: 'Both.' }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(documents, { minLength: 3 }), (order) => {
        const registry = new EvidenceRegistry();
        const ids = order.map((document) => registry.add(document, 'now').source.id);
        const [only, ...others] = registry.all();
        assert.equal(others.length, 0);
        assert.equal(registry.works(ids), 1);
        for (const id of ids) assert.equal(registry.get(id), only);
        for (const text of ['The preprint.', 'The record.', 'Both.']) assert.ok(only!.text.includes(text));
        assert.deepEqual(new Set(only!.facts), new Set(['cs.CL', '7 citations']));
      }),
    );
  });

  it('do not grow by a text that is known in almost the same words', () => {
    const registry = new EvidenceRegistry();
    const abstract = `${words('term', 0)} end`;
    registry.add(found({ ids: { doi: '10.1/a' }, text: abstract }), 'now');
    const { source, changed } = registry.add(
      found({
        ids: { doi: '10.1/a' },
        text: `Abstract: ${words('term', 0)}\n\n${words('new', 9)}`,
        standing: 'retracted',
      }),
      'now',
    );
    assert.equal(source.text, `${abstract}\n\n${words('new', 9)}`);
    assert.equal(changed, true);
    assert.equal(source.standing, 'retracted');
  });
});
