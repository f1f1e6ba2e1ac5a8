import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Source } from '../../../../src/research/evidence/source.ts';
import { hasEnough } from '../../../../src/research/policy/sectionSufficiency.ts';

const source = (index: number, text: string, kind = 'arxiv'): Source => ({
  ...{ id: `S${(0xa0000 + index).toString(16)}`, kind, identity: `x:${index}`, title: `Source ${index}`, authors: [] },
  ...{ text, retrievedAt: '2026-03-04T10:00:00.000Z', facts: [], alreadyCited: false },
});
const about = (count: number, kinds: readonly string[] = ['arxiv']) =>
  Array.from({ length: count }, (_, index) =>
    source(index, 'Dense retrieval finds passages by their embeddings.', kinds[index % kinds.length]),
  );
const subjects = ['Dense retrieval', 'dense passage retrieval embeddings'];
const works = (ids: Iterable<string>): number => new Set(ids).size;
const state = { subjects, isSentBack: false, isGuided: false, works };

describe('what a researcher has found', () => {
  it('is enough from a number of sources on that goes with the depth', () => {
    assert.ok(!hasEnough({ ...state, sources: about(2) }, 'quick'));
    assert.ok(hasEnough({ ...state, sources: about(3) }, 'quick'));
    assert.ok(!hasEnough({ ...state, sources: about(4) }, 'standard'));
    assert.ok(hasEnough({ ...state, sources: about(5) }, 'standard'));
  });

  it('is enough for a deep study only after a model has seen results, from sources of two kinds', () => {
    assert.ok(!hasEnough({ ...state, sources: about(12, ['arxiv', 'web']) }, 'deep'));
    const guided = { ...state, isGuided: true };
    assert.ok(!hasEnough({ ...guided, sources: about(12) }, 'deep'));
    assert.ok(hasEnough({ ...guided, sources: about(8, ['arxiv', 'web']) }, 'deep'));
  });

  it('counts only sources that bear on the section', () => {
    const weather = Array.from({ length: 9 }, (_, index) => source(100 + index, 'It rains in the mountains.'));
    assert.ok(!hasEnough({ ...state, sources: [...about(2), ...weather] }, 'standard'));
    assert.ok(!hasEnough({ ...state, subjects: [''], sources: about(9) }, 'quick'), 'without a subject none does');
  });

  it('is not enough while it is fewer than three works, unless all of it is the folder', () => {
    const sources = about(6);
    assert.ok(!hasEnough({ ...state, sources, works: () => 2 }, 'standard'));
    assert.ok(hasEnough({ ...state, sources, works: () => 3 }, 'standard'));
    const passages = sources.map((one) => ({ ...one, file: { path: 'notes.md', firstLine: 1, lastLine: 2 } }));
    assert.ok(hasEnough({ ...state, sources: passages, works: () => 1 }, 'standard'));
  });

  it('closes a gap with two sources', () => {
    assert.ok(hasEnough({ ...state, isSentBack: true, isGuided: true, sources: about(2) }, 'standard'));
  });
});
