import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dealtSources, type Found } from '../../../src/research/strategies/dealtSources.ts';

const texts: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  S00001: { title: 'Cost', text: 'What rerankers cost.' },
  S00002: { title: 'Accuracy', text: 'How accurate rerankers are.' },
  S00003: { title: 'Rerankers', text: 'They order candidates again.' },
  S00004: { title: 'Rerankers again', text: 'They order candidates.' },
  S00005: { title: 'Cost and accuracy', text: 'Rerankers. '.repeat(500) },
};

function found(id: string, title: string, sources: readonly string[]): Found {
  const call = { call: { id: 'search/0', name: 'search', args: {} }, turn: 0, said: '', sources, note: '' };
  const planned = { id, title, description: '', queries: [] };
  return {
    section: { ...planned, status: 'researching', attempt: 1, sourceIds: [], gaps: [], searched: [] },
    calls: [call],
  };
}
const readBy = (
  all: readonly Found[],
  sections: Parameters<typeof dealtSources>[1] = all.map(({ section }) => section),
): readonly (readonly string[])[] =>
  dealtSources(all, sections, (id) => texts[id]!).map(({ calls }) => calls.flatMap(({ sources }) => sources));

describe('sources that several sections found', () => {
  it('are read for the section that they bear on most, and else in turns', () => {
    const both = ['S00001', 'S00002', 'S00003', 'S00004'];
    assert.deepEqual(readBy([found('s1', 'Cost', both), found('s2', 'Accuracy', both)]), [
      ['S00001', 'S00003'],
      ['S00002', 'S00004'],
    ]);
  });

  it('stay with the section that quotes them', () => {
    const distilled = { title: '', content: '', findings: [{ claim: '', quote: '', source: 'S00001' }] };
    const one = found('s1', 'Cost', ['S00001', 'S00003']);
    assert.deepEqual(readBy([one], [one.section, { id: 's2', distilled }]), [['S00003']]);
  });

  it('are read for all of them when they are long: each reads other passages', () => {
    assert.deepEqual(readBy([found('s1', 'Cost', ['S00005']), found('s2', 'Accuracy', ['S00005'])]), [
      ['S00005'],
      ['S00005'],
    ]);
  });

  it('are read twice before a section would have none', () => {
    assert.deepEqual(readBy([found('s1', 'Cost', ['S00001']), found('s2', 'Accuracy', ['S00001'])]), [
      ['S00001'],
      ['S00001'],
    ]);
  });
});
