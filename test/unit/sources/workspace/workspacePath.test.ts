import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pathFilter, readWorkspacePath } from '../../../../src/sources/workspace/workspacePath.ts';

const listed = ['README.md', 'docs/Design.md', 'docs/guide/start.md', 'src/a.ts', 'a:b.md'];

describe('a path that a model gives', () => {
  it('is taken as meant when it is one of the listed', () => {
    for (const [asked, path] of [
      ['README.md', 'README.md'],
      ['./docs/Design.md', 'docs/Design.md'],
      ['docs\\guide\\start.md', 'docs/guide/start.md'],
      ['DOCS/design.md', 'docs/Design.md'],
      ['`src/a.ts`', 'src/a.ts'],
      ['a:b.md', 'a:b.md'],
    ] as const) {
      assert.deepEqual(readWorkspacePath(asked, listed), { kind: 'found', path });
    }
    assert.deepEqual(readWorkspacePath('src/a.ts#L10-L20', listed), {
      kind: 'found',
      path: 'src/a.ts',
      lines: { first: 10, last: 20 },
    });
    assert.deepEqual(readWorkspacePath('src/a.ts:7', listed), {
      kind: 'found',
      path: 'src/a.ts',
      lines: { first: 7, last: 7 },
    });
  });

  it('is refused when it points elsewhere, and answered with similar ones when it is unknown', () => {
    for (const asked of [
      '../README.md',
      'docs/../README.md',
      '/etc/passwd',
      'C:\\x',
      '~/x',
      'file:///etc/passwd',
      'docs\\..\\README.md',
      '\\\\server\\share',
      'a\0b',
      '%2e%2e/README.md',
      '../../x#L1',
    ]) {
      assert.equal(readWorkspacePath(asked, listed).kind, 'outside', asked);
    }
    assert.deepEqual(readWorkspacePath('start.md', listed), { kind: 'unknown', similar: ['docs/guide/start.md'] });
    assert.deepEqual(readWorkspacePath('zzz', listed), { kind: 'unknown', similar: [] });
  });

  it('never leads to anything that is not listed', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      'docs',
      'README.md',
      'src',
      'a.ts',
      '',
      '\\',
      '/',
      '#L1',
      ':',
      '%2e',
      'C:',
      '~',
      '\0',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((parts) => parts.join('/')),
          fc.array(piece).map((parts) => parts.join('')),
        ),
        (asked) => {
          const read = readWorkspacePath(asked, listed);
          if (read.kind === 'found') assert.ok(listed.includes(read.path));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('a part of the workspace', () => {
  const matching = (within: string): string[] | undefined => {
    const filter = pathFilter(within);
    return filter && listed.filter(filter);
  };
  it('is a folder, a file or a pattern', () => {
    assert.deepEqual(matching('docs/'), ['docs/Design.md', 'docs/guide/start.md']);
    assert.deepEqual(matching('README.md'), ['README.md']);
    assert.deepEqual(matching('*.md'), ['README.md', 'docs/Design.md', 'docs/guide/start.md', 'a:b.md']);
    assert.deepEqual(matching('docs/*.md'), ['docs/Design.md']);
    assert.deepEqual(matching('docs/**/*.md'), ['docs/Design.md', 'docs/guide/start.md']);
    assert.deepEqual(matching('.')?.length, 5);
    assert.deepEqual(matching('doc'), []);
    assert.equal(matching('../x'), undefined);
  });

  it('takes any pattern in time', () => {
    for (const within of ['*'.repeat(200), '**/'.repeat(60), '?*'.repeat(100), '[({'.repeat(50), 'a*'.repeat(100)])
      pathFilter(within)?.(`${'a'.repeat(200)}/b`);
  });
});
