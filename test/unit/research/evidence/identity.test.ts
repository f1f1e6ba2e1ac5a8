import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { familyOf, identitiesOf } from '../../../../src/research/evidence/identity.ts';
import type { FoundDocument } from '../../../../src/research/ports.ts';
import { root } from '../../../support/paths.ts';

/** Labelled pairs of `test/fixtures/identity/pairs.txt`; the rules were written with one half of them. */
interface Pair {
  readonly label: string;
  readonly line: string;
  readonly isUnread: boolean;
  readonly got: string;
}

function documentOf(text: string): FoundDocument {
  const given = /^\w+=/.test(text) ? fieldsOf(text) : { url: text };
  const { doi, arxiv, repo, issue, also, url, title = '', author, file } = given as Record<string, string | undefined>;
  const [, filePath, firstLine, lastLine] = /^(.*)#(\d+)-(\d+)$/.exec(file ?? '') ?? [];
  return {
    kind: 'web',
    title,
    authors: author === undefined ? [] : [author],
    ...(url === undefined ? {} : { url }),
    ...(filePath === undefined
      ? {}
      : { file: { path: filePath, firstLine: Number(firstLine), lastLine: Number(lastLine) } }),
    ids: {
      ...(doi === undefined ? {} : { doi }),
      ...(arxiv === undefined ? {} : { arxiv }),
      ...(repo === undefined ? {} : { repo }),
      ...(issue === undefined ? {} : { issue: Number(issue) }),
      ...(also === undefined ? {} : { pages: [also] }),
    },
    text: 'Text.',
  };
}

function fieldsOf(text: string): Record<string, string> {
  const fields = text.split(/;(?=(?:doi|arxiv|repo|issue|file|url|also|title|author)=)/);
  return Object.fromEntries(
    fields.map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
  );
}

function relation(a: FoundDocument, b: FoundDocument): string {
  const [ofA, ofB] = [identitiesOf(a), identitiesOf(b)];
  if (ofA.some((identity) => ofB.includes(identity))) return 'same';
  return familyOf(ofA[0]!) === familyOf(ofB[0]!) ? 'family' : 'different';
}

const pairs: readonly Pair[] = fs
  .readFileSync(path.join(root, 'test/fixtures/identity/pairs.txt'), 'utf8')
  .split('\n')
  .filter((line) => /^(?:same|family|different) \|/.test(line))
  .map((line) => {
    const [label = '', a = '', b = ''] = line.split(' | ');
    const isUnread = createHash('sha256').update(line).digest()[0]! % 2 === 1;
    return { label, line, isUnread, got: relation(documentOf(a), documentOf(b)) };
  });

describe('labelled pairs of documents', () => {
  it('are 200 at least, half of them unread while the rules were written', () => {
    assert.ok(pairs.length >= 200);
    assert.ok(Math.abs(pairs.filter(({ isUnread }) => isUnread).length - pairs.length / 2) < pairs.length / 10);
  });

  for (const half of ['read', 'unread']) {
    it(`are told apart in the ${half} half`, () => {
      const own = pairs.filter(({ isUnread }) => isUnread === (half === 'unread'));
      assert.deepEqual(
        own.filter(({ label, got }) => label !== got).map(({ line, got }) => `${got}: ${line}`),
        [],
      );
    });
  }
});
