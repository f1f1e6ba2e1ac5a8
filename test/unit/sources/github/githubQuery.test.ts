import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { buildGithubQuery } from '../../../../src/sources/github/githubQuery.ts';

const build = (text: string, more: Partial<Parameters<typeof buildGithubQuery>[1]> = {}) =>
  buildGithubQuery(text, { kind: 'repositories', language: 'en', qualifiers: [], ...more });

describe('a query for GitHub', () => {
  it('keeps the words about the subject, phrases and known qualifiers', () => {
    assert.deepEqual(build('What are the best open source vector databases?')?.attempts, [
      'vector databases',
      'databases',
    ]);
    assert.deepEqual(
      build('"knowledge graph" memory stars:>100 topic:rag')?.attempts[0],
      '"knowledge graph" memory stars:>100 topic:rag',
    );
    assert.equal(build('C++ F# .NET gRPC')?.attempts[0], 'C++ F# NET gRPC');
  });

  it('always says which kind of issue it wants', () => {
    assert.equal(build('crash', { kind: 'issues' })?.attempts[0], 'crash is:issue');
    assert.equal(build('crash is:pr', { kind: 'issues' })?.attempts[0], 'crash is:pr');
    assert.equal(build('crash type:pr', { kind: 'issues' })?.attempts[0], 'crash type:pr');
  });

  it('takes unknown syntax for words', () => {
    assert.equal(build('foo:bar OR NOT (baz)')?.attempts[0], 'foo bar baz');
    assert.equal(build('"unclosed phrase')?.attempts[0], 'unclosed phrase');
    assert.equal(build('AND OR NOT'), undefined);
    assert.equal(build('  '), undefined);
    assert.equal(build('topic:rag')?.attempts[0], 'topic:rag');
  });

  it('prefers Latin terms of another script, else takes it as it is', () => {
    const mixed = build('RAG 检索增强生成 框架', { language: 'zh' });
    assert.equal(mixed?.attempts[0], 'RAG');
    assert.match(mixed?.notes[0] ?? '', /left out 检索增强生成/);
    assert.equal(build('检索增强', { language: 'zh' })?.attempts[0], '检索增强');
  });

  it('is never over the limit nor malformed, whatever the input', () => {
    const piece = fc.constantFrom(
      '"',
      '""',
      'repo:a/b',
      'is:issue',
      'language:"C++',
      ':',
      '-',
      'AND',
      'OR',
      'NOT',
      '(',
      ')',
      '知识',
      'rag',
      'x'.repeat(70),
      '\n',
      '>',
      'stars:',
      'in:name',
      '\\',
      'foo:bar',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 600 }),
          fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(' ')),
          fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
        ),
        fc.constantFrom('repositories' as const, 'issues' as const),
        (text, kind) => {
          for (const attempt of buildGithubQuery(text, { kind, language: 'en', qualifiers: [] })?.attempts ?? []) {
            const free = attempt.replace(/(^|\s)-?[a-z-]+:("[^"]*"|\S+)/gi, ' ').trim();
            assert.ok(free.length <= 256, attempt);
            assert.equal((attempt.match(/"/g) ?? []).length % 2, 0, attempt);
            assert.doesNotMatch(attempt, /\p{Cc}/u);
            assert.doesNotMatch(free, /(^|\s)(AND|OR|NOT)(\s|$)|[()\\<>:]/, attempt);
            assert.ok(attempt !== '');
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
