import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Admission } from '../../../../src/research/evidence/admission.ts';
import type { FoundDocument } from '../../../../src/research/ports.ts';

const none = { 'sources.include': [], 'sources.exclude': [], 'sources.since': '' };
const local = new Set(['workspace']);
const document = (more: Partial<FoundDocument>): FoundDocument => ({
  kind: 'web',
  title: 'A page',
  authors: [],
  text: 'Text.',
  ...more,
});
const admits = (settings: Partial<ConstructorParameters<typeof Admission>[0]>, more: Partial<FoundDocument>): boolean =>
  new Admission({ ...none, ...settings }, local).sort([document(more)]).admitted.length === 1;

/** What a person writes, an address, and whether it lies there. */
const places: readonly (readonly [place: string, url: string, lies: boolean])[] = [
  ['arxiv.org', 'https://arxiv.org/abs/1', true],
  ['arxiv.org', 'https://export.arxiv.org/abs/1', true],
  ['arxiv.org', 'https://notarxiv.org/abs/1', false],
  ['arxiv.org', 'https://arxiv.org.evil.example/abs/1', false],
  ['ArXiv.ORG', 'http://ARXIV.org', true],
  ['*.example.org', 'https://a.b.example.org/x', true],
  ['*.example.org', 'https://example.org/x', true],
  ['.edu', 'https://cs.stanford.edu/a', true],
  ['edu', 'https://cs.stanford.edu/a', true],
  ['edu', 'https://edu.example.org/a', false],
  ['www.example.org', 'https://example.org/', true],
  ['example.org', 'https://www.example.org/', true],
  ['https://github.com/acme', 'https://github.com/acme/tool', true],
  ['https://github.com/acme', 'https://github.com/acme', true],
  ['https://github.com/acme', 'https://github.com/acmecorp/tool', false],
  ['github.com/acme/', 'https://github.com/ACME/tool', true],
  ['github.com/acme/*', 'https://github.com/acme/tool', true],
  ['github.com/acme', 'https://github.com/other/acme', false],
  ['example.org:8080', 'https://example.org/a', true],
  ['http://example.org', 'https://example.org/a', true],
  ['münchen.de', 'https://xn--mnchen-3ya.de/rat', true],
  ['xn--mnchen-3ya.de', 'https://münchen.de/rat', true],
  ['münchen.de', 'https://munchen.de/rat', false],
  ['example.org.', 'https://example.org/a', true],
  ['example.org', 'https://example.org./a', true],
  [' example.org ', 'https://example.org/a', true],
  ['example.org/a b', 'https://example.org/a%20b/c', true],
  ['example.org/%61', 'https://example.org/a', true],
  ['example.org', 'https://evil.example/?u=example.org', false],
  ['example.org', 'https://evil.example/example.org', false],
  ['example.org', 'https://example.org@evil.example/', false],
  ['user@example.org', 'https://example.org/', true],
  ['example.org?x=1', 'https://example.org/', true],
  ['example.org#top', 'https://example.org/page', true],
  ['blog.example.org', 'https://example.org/blog', false],
  ['co.uk', 'https://www.bbc.co.uk/news', true],
  ['192.0.2.1', 'http://192.0.2.1/a', true],
  ['192.0.2.1', 'http://3221225985/a', true],
  ['example.org/docs', 'https://example.org/docs.html', false],
  ['example.org/docs/', 'https://example.org/docs?x=1', true],
  ['ftp://example.org', 'https://example.org/', true],
  ['example', 'https://example.org/', false],
  ['例え.jp', 'https://xn--r8jz45g.jp/', true],
  ['www2.example.org', 'https://www2.example.org/a', true],
  ['m.example.org', 'https://example.org/a', false],
  ['EXAMPLE.org/Docs', 'https://example.org/docs/x', true],
  ['example.org//docs', 'https://example.org/docs', false],
  ['*.co', 'https://example.com/', false],
];

describe('a site that a person names', () => {
  for (const [place, url, lies] of places)
    it(`"${place}" ${lies ? 'has' : 'does not have'} ${url}`, () => {
      assert.equal(admits({ 'sources.include': [place] }, { url }), lies);
      assert.equal(admits({ 'sources.exclude': [place] }, { url }), !lies);
    });

  it('that is no site has nothing', () => {
    for (const place of ['/', ':', '#', 'https://', '@', '*.', '.'])
      assert.equal(admits({ 'sources.exclude': [place] }, { url: 'https://example.org/' }), true, place);
  });

  it('costs no more than its length, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.webUrl(), (place, url) => {
        admits({ 'sources.exclude': [place] }, { url });
      }),
    );
    for (const piece of ['a.', '@', '/', '*.', ':', 'ä'])
      admits({ 'sources.exclude': [piece.repeat(100_000)] }, { url: 'https://example.org/' });
  });
});

describe('the results of a run', () => {
  it('are those of the included sites that are not excluded', () => {
    const settings = { 'sources.include': ['example.org'], 'sources.exclude': ['example.org/ads'] };
    assert.equal(admits(settings, { url: 'https://example.org/a' }), true);
    assert.equal(admits(settings, { url: 'https://example.org/ads/1' }), false);
    assert.equal(admits(settings, {}), false);
    assert.equal(admits({ 'sources.exclude': ['example.org'] }, {}), true);
  });

  it('are not older than asked; a month or a year counts by its last day', () => {
    const since = { 'sources.since': '2025-06-15' };
    const dates: readonly (readonly [string | undefined, boolean])[] = [
      ['2025-06-14', false],
      ['2025-06-15', true],
      ['2025-06-15T23:00:00Z', true],
      ['2025-06', true],
      ['2025-05', false],
      ['2025', true],
      ['2024', false],
      ['2025/6/1', false],
      [undefined, true],
      ['yesterday', true],
    ];
    for (const [date, expected] of dates)
      assert.equal(admits(since, date === undefined ? {} : { date }), expected, date);
  });

  it("always hold the user's own files", () => {
    const settings = { 'sources.include': ['example.org'], 'sources.since': '2025-01-01' };
    assert.equal(admits(settings, { kind: 'workspace', date: '2001-01-01' }), true);
  });

  it('are counted once each when they are left out', () => {
    const admission = new Admission({ ...none, 'sources.exclude': ['b.org'], 'sources.since': '2025-01-01' }, local);
    const old = document({ url: 'https://a.org/old', date: '2020-01-01' });
    const there = document({ url: 'https://b.org/' });
    const { admitted, leftOut } = admission.sort([old, there, document({ url: 'https://a.org/new' })]);
    admission.sort([old]);
    admission.count(leftOut);
    assert.deepEqual([admitted.length, leftOut.map(({ why }) => why)], [1, ['date', 'site']]);
    assert.deepEqual(admission.counts, { date: 1, site: 1 });
  });
});
