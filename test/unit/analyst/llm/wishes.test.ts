import assert from 'node:assert/strict';
import { test } from 'node:test';
import { critique } from '../../../../src/research/analyst/llm/critique.ts';
import { frame } from '../../../../src/research/analyst/llm/frame.ts';
import { writeReport } from '../../../../src/research/analyst/llm/report.ts';
import { writeSection } from '../../../../src/research/analyst/llm/writeSection.ts';
import type { WritingInput, WrittenSection } from '../../../../src/research/analyst/analyst.ts';
import { answer, facts, scopeOver } from '../../../support/analystTestKit.ts';

const wish = 'as one page for nurses, the risks first, in a table';
const input: WritingInput = {
  question: `Dense retrieval, ${wish}`,
  clarifiedQuestion: 'How does dense retrieval compare?',
  assumptions: ['They know statistics.'],
  title: 'Dense retrieval',
  objective: 'Decide on a retriever',
  limits: '',
  focus: ['Risks at night'],
  analysis: { queryType: 'general', outputFormat: 'prose', needsDiscovery: false, discoveryTarget: '', reasoning: '' },
};
const section: WrittenSection = {
  ...{ id: 's1', title: 'Recall', description: '', status: 'completed', content: '', sourceIds: ['Sa1b2c'] },
  findings: [{ claim: 'It reaches 44.5.', quote: 'On Natural Questions it reaches 44.5', source: 'Sa1b2c' }],
  text: 'It reaches 44.5 [Sa1b2c].',
};
const whole = { title: 'T', summary: 'S', analysis: 'A', conclusion: 'C' };

/** What the step sends as its first prompt. */
async function promptOf(step: (scope: ReturnType<typeof scopeOver>) => Promise<unknown>) {
  const scope = scopeOver(() => answer(JSON.stringify({ ...whole, reasoning: '', points: [] })), { sources: facts });
  await step(scope);
  const [system, user] = scope.calls[0]!.request.messages.map(({ content }) => content);
  return { system: system!, user: user! };
}

const { text, ...found } = section;
const revision = { text, points: ['Weigh it.'] };
const around = { discovered: [], contradictions: [] };
const steps: Readonly<Record<string, (scope: ReturnType<typeof scopeOver>) => Promise<unknown>>> = {
  section: (scope) => writeSection({ ...input, section: found, others: [] }, scope),
  rewrite: (scope) => writeSection({ ...input, section: found, others: [], revision }, scope),
  frame: (scope) => frame({ ...input, ...around, sections: [section] }, scope),
  'rewritten frame': (scope) =>
    frame({ ...input, ...around, sections: [section], revision: { frame: whole, points: ['Weigh it.'] } }, scope),
  critic: (scope) => critique({ ...input, sections: [section], frame: whole, contradictions: [], round: 1 }, scope),
  report: async (scope) => {
    for await (const _ of writeReport({ ...input, ...around, sections: [found], sources: facts }, scope));
  },
};

for (const [name, step] of Object.entries(steps))
  test(`what the person asked for on form and order comes first: ${name}`, async () => {
    const { system, user } = await promptOf(step);
    const [first] = system.split(/^- |^Evidence:|^Name a point/m);
    assert.match(first!, /person asked for on form, length, audience, order and emphasis comes/);
    for (const said of [wish, 'They know statistics.', 'Risks at night', 'Decide on a retriever'])
      assert.ok(user.includes(said), said);
  });
