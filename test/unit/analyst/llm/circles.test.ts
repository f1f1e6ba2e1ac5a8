import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReviewedSection, WritingInput } from '../../../../src/research/analyst/analyst.ts';
import { act } from '../../../../src/research/analyst/llm/act.ts';
import { writeReport } from '../../../../src/research/analyst/llm/report.ts';
import { supervise } from '../../../../src/research/analyst/llm/supervise.ts';
import { writeSection } from '../../../../src/research/analyst/llm/writeSection.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import { actInput, answer, facts, questionInput, scopeOver } from '../../../support/analystTestKit.ts';

type TestScope = ReturnType<typeof scopeOver>;

const section = {
  ...{ id: 's1', title: 'Recall', description: '', content: '', sourceIds: ['Sa1b2c'] },
  status: 'completed' as const,
  findings: [{ claim: 'It reaches 44.5.', quote: 'On Natural Questions it reaches 44.5', source: 'Sa1b2c' }],
} satisfies ReviewedSection;
const input: WritingInput = {
  ...{ ...questionInput, title: 'T', objective: '', limits: '', focus: [] },
  analysis: { queryType: 'general', outputFormat: 'prose', needsDiscovery: false, discoveryTarget: '', reasoning: '' },
};
const lead = { ...questionInput, brief: 'Retrieval', round: 1, maxRounds: 3, maxConcurrent: 2, turns: [] };
const report = { ...input, discovered: [], contradictions: [], sections: [section], sources: facts };

async function written(scope: TestScope): Promise<string> {
  let text = '';
  for await (const piece of writeReport(report, scope)) text += piece;
  return text;
}

const steps: Readonly<Record<string, (scope: TestScope) => Promise<unknown>>> = {
  section: (scope) => writeSection({ ...input, section, others: [] }, scope),
  researcher: (scope) => act(actInput(), scope),
  lead: (scope) => supervise(lead, scope),
  report: (scope) => written(scope),
};

describe('a model whose reasoning goes round in circles', () => {
  for (const [name, step] of Object.entries(steps))
    it(`gave no usable answer: ${name}`, async () => {
      const scope = scopeOver(() => answer('', { finish: 'length', isLoop: true }));
      await assert.rejects(step(scope), (error) => ResearchError.is(error, 'badAnswer'));
      assert.equal(scope.forgotten.length, 1, 'a resumed run asks again');
      assert.equal(scope.calls.length, 1);
    });

  it('while it continues a report leaves what is written', async () => {
    const whole = '# Recall\n\nIt is high.\n\n## Recall\n\nIt reaches 44.5 [Sa1b2c]. It is';
    const scope = scopeOver((_request, label) =>
      label === 'report' ? answer(whole, { finish: 'length' }) : answer('', { finish: 'length', isLoop: true }),
    );
    assert.equal(await written(scope), whole);
    assert.deepEqual(scope.warnings, ['report.tooLong']);
  });

  it('after it has said something is read', async () => {
    const scope = scopeOver(() => answer('It reaches 44.5. It', { finish: 'length', isLoop: true }));
    assert.equal(await writeSection({ ...input, section, others: [] }, scope), 'It reaches 44.5. ');
  });
});
