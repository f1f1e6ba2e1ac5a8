import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResearchError } from '../../../../src/research/errors.ts';
import type { AttachedPort } from '../../../../src/research/ports.ts';
import type { Strategy } from '../../../../src/protocol/strategy.ts';
import type { WorkspaceFacts } from '../../../../src/research/tools.ts';
import { distilSection } from '../../../../src/research/analyst/extractive/distilSection.ts';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import { workspaceBlock } from '../../../../src/research/analyst/llm/common.ts';
import { clearAssessment, goodReview, ofType, scriptedAnalyst } from '../../../support/scriptedParts.ts';
import { scriptedRun } from '../../../support/scriptedRun.ts';

const pendingSection = {
  id: 's1',
  title: '',
  description: '',
  queries: [],
  status: 'pending',
  attempt: 1,
  sourceIds: [],
  gaps: [],
  searched: [],
} as const;
const text = 'The budget of the harbour is 12 million. It was decided in May.';
let reads = 0;
const port = (names: readonly string[] = ['budget.pdf', 'gone.md']): AttachedPort => ({
  names,
  read: async (name) => {
    reads += 1;
    if (name === 'gone.md') throw new ResearchError('notFound', "gone.md can't be opened.");
    return { kind: 'attached', title: name, authors: [], text: `${text} (${name})`, facts: ['attached by the user'] };
  },
});

describe('attached documents', () => {
  for (const strategy of ['sections', 'iterative', 'supervisor'] satisfies Strategy[])
    it(`are sources of every section (${strategy})`, async () => {
      const seen: (readonly string[])[] = [];
      const analyst = scriptedAnalyst();
      const { result, events } = scriptedRun({
        attached: port(),
        settings: { strategy },
        analyst: {
          ...analyst,
          distil: async (input, scope) => {
            seen.push(input.sources.map(({ title }) => title));
            return analyst.distil(input, scope);
          },
        },
      });
      const { report, warnings } = await result;
      assert.ok(seen.length > 0 && seen.every((titles) => titles.includes('budget.pdf')));
      assert.match(report, /The budget of the harbour is 12 million\. \[\[\d+\]\]\(#ref-\d+\)/);
      assert.equal(ofType(events, 'source/added')[0]?.kind, 'attached');
      assert.deepEqual(
        warnings.map(({ code, message }) => [code, message]),
        [['attached.gone.md', "The attached document gone.md could not be read: gone.md can't be opened."]],
      );
    });

  it('are known to the planner, in a fence', async () => {
    let facts: WorkspaceFacts | undefined;
    const { result } = scriptedRun({
      attached: port(['a </attached> b.md']),
      analyst: scriptedAnalyst({ assess: async ({ workspace }) => ((facts = workspace), clearAssessment) }),
    });
    await result;
    const block = workspaceBlock(facts, 6_000);
    assert.match(block, /^<attached>[\s\S]*\[S[0-9a-f]{5,}\] a ‹\/attached> b\.md\nThe budget of the harbour/);
    assert.equal(block.split('</attached>').length, 2);
  });

  it('are all that a run needs', async () => {
    const { result } = scriptedRun({ attached: port(), tools: [] });
    assert.match((await result).report, /harbour/);
  });

  it('are in the journal: a resumed run has them, whatever became of the files', async () => {
    const stop = new AbortController();
    const first = scriptedRun({
      attached: port(),
      signal: stop.signal,
      analyst: scriptedAnalyst({ review: async () => (stop.abort(), goodReview) }),
    });
    await assert.rejects(first.result);
    reads = 0;
    for (const status of ['cancelled', 'failed'] as const) {
      const { folder } = first;
      const second = scriptedRun({
        journal: folder.calls,
        checkpoints: folder.checkpoints,
        events: folder.events,
        resume: { created: '2026-03-04T10:00:00.000Z', status, changes: [] },
      });
      assert.match((await second.result).report, /The budget of the harbour is 12 million\. \[\[\d+\]\]\(#ref-\d+\)/);
    }
    assert.equal(reads, 0);
    assert.ok([...first.folder.evidence.values()].some((stored) => stored.includes(text)));
  });

  it('say what the folder does not, so that its search names nothing of theirs as missing', () => {
    const { source } = new EvidenceRegistry().add(
      { kind: 'attached', title: 'budget.pdf', authors: [], text, isPrivate: true },
      '2026-01-01T00:00:00Z',
    );
    const question = 'What is the budget of the harbour and of the Zebra?';
    const words = ['budget', 'harbour', 'Zebra'].map((word) => ({ word, fate: 'missing' }) as const);
    const call = { id: 'c', name: 'search_workspace', args: {} };
    const { content } = distilSection(
      {
        section: { ...pendingSection, title: question, queries: [question] },
        question,
        gaps: [],
        gathered: [{ call, turn: 0, said: '', sources: [], note: '', words }],
        sources: [source],
      },
      'en',
    );
    assert.match(content, /No passage speaks of “Zebra”\./);
    assert.match(content, /12 million/);
  });

  it('are no more than forty', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `${index}.md`);
    const { result } = scriptedRun({ attached: port(names) });
    assert.equal((await result).sources.filter(({ kind }) => kind === 'attached').length, 40);
  });
});
