import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { droppedAddresses, mentionAt, withName } from '../../../src/panel/mention.ts';
import { isReportPath, rankedFiles } from '../../../src/host/documents/rankedFiles.ts';

describe('a mention', () => {
  it('is an @ that begins a word, up to the caret', () => {
    const cases: readonly (readonly [string, string | undefined])[] = [
      ['@', ''],
      ['@plan', 'plan'],
      ['see @docs/pl', 'docs/pl'],
      ['(@a', 'a'],
      ['比较，@a', 'a'],
      ['ann@example.org', undefined],
      ['see @plan now', undefined],
      ['@@a', undefined],
      ['', undefined],
      [`@${'x'.repeat(200)}`, undefined],
    ];
    for (const [text, query] of cases) assert.equal(mentionAt(text, text.length)?.query, query, text);
    assert.equal(mentionAt('@plan later', 3)?.query, 'pl');
  });

  it('becomes the name, with one space behind it', () => {
    const text = 'See @pl, please';
    assert.deepEqual(withName(text, mentionAt(text, 7)!, 'plan.md'), { text: 'See plan.md , please', caret: 12 });
    assert.deepEqual(withName('@pl x', mentionAt('@pl x', 3)!, 'a'), { text: 'a x', caret: 2 });
    fc.assert(
      fc.property(fc.string(), fc.nat(), (any, at) => {
        const mention = mentionAt(any, Math.min(at, any.length));
        return mention === undefined || withName(any, mention, 'n').text.length <= any.length + 2;
      }),
    );
  });
});

describe('what is dropped', () => {
  it('counts as addresses of files alone', () => {
    const transfer = (types: Readonly<Record<string, string>>) => ({ getData: (type: string) => types[type] ?? '' });
    const list = '#c\r\nfile:///a%20b.md\nhttps://x.org\njavascript:1\nvscode-remote://h/c.md';
    assert.deepEqual(droppedAddresses(transfer({ 'text/uri-list': list })), [
      'file:///a%20b.md',
      'vscode-remote://h/c.md',
    ]);
    assert.deepEqual(
      droppedAddresses(transfer({ 'application/vnd.code.uri-list': 'file:///d', 'text/uri-list': 'file:///e' })),
      ['file:///d'],
    );
    assert.deepEqual(droppedAddresses(transfer({ 'text/plain': 'file:///f' })), []);
  });
});

describe('paths for the letters after an @', () => {
  it('have all words; names that begin so, then what is open, then the shorter', () => {
    const paths = ['docs/plan.md', 'src/planner.ts', 'plans/readme.md', 'src/a/explanation.md', 'README.md'];
    const files = paths.map((path) => ({ path }));
    const ranked = (query: string, open: readonly string[] = []) =>
      rankedFiles(query, files, ({ path }) => open.includes(path), 10).map(({ path }) => path);
    assert.deepEqual(ranked('plan'), ['docs/plan.md', 'src/planner.ts', 'src/a/explanation.md', 'plans/readme.md']);
    assert.deepEqual(ranked('plan', ['src/planner.ts'])[0], 'src/planner.ts');
    assert.deepEqual(ranked('SRC/pl'), ['src/planner.ts', 'src/a/explanation.md']);
    assert.deepEqual(ranked('', ['docs/plan.md'])[0], 'docs/plan.md');
    assert.deepEqual(ranked('nothing'), []);
  });

  it('come last when they are reports, however well they match', () => {
    const isReport = (path: string) => isReportPath(path, './research/');
    const paths = ['research/2026-11-22-plan.md', 'research/2026-11-22-plan.evidence.md', 'docs/explanation.md'];
    const files = paths.map((path) => ({ path, isOpen: path === paths[0] }));
    const [first] = rankedFiles(
      'plan',
      files,
      ({ isOpen }) => isOpen,
      10,
      ({ path }) => isReport(path),
    );
    assert.equal(first?.path, 'docs/explanation.md');
    assert.deepEqual(paths.map(isReport), [true, true, false]);
    // The user's own notes, in the folder of the reports or named by a date.
    assert.deepEqual(['research/notes.md', 'diary/2026-11-22-monday.md'].map(isReport), [false, false]);
    assert.equal(isReportPath('2026-11-22-plan.md', ''), true);
  });
});
