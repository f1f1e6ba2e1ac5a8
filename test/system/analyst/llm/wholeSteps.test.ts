import assert from 'node:assert/strict';
import { test } from 'node:test';
import { llmAnalyst } from '../../../../src/research/analyst/llm/llmAnalyst.ts';
import { startModelServer, type ModelServer, type Plainness } from '../../../support/modelServer.ts';
import { openChat } from '../../../support/modelTestKit.ts';
import {
  actInput,
  facts,
  gathered,
  questionInput,
  reviewed,
  scopeOver,
  searchTool,
  section,
} from '../../../support/analystTestKit.ts';

/** Every step over real HTTP, against a server that tells the steps apart by the requests alone. */
const analyst = llmAnalyst;
const plainServers: readonly (readonly Plainness[])[] = [
  [],
  ['noResponseFormat', 'proseFirst'],
  ['noJsonSchema', 'fenced', 'noStream'],
  ['noTools', 'noSystemRole', 'noUsage', 'noStreamOptions', 'reasoning'],
];

for (const plain of plainServers) {
  test(`all steps work with a server that is ${plain.length === 0 ? 'complete' : plain.join(', ')}`, async (t) => {
    const server: ModelServer = await startModelServer({ plain });
    t.after(() => server.close());
    const chat = openChat(server.url);
    const scope = () => scopeOver(chat, { sources: facts });
    const analysis = {
      queryType: 'general',
      outputFormat: 'prose',
      needsDiscovery: false,
      discoveryTarget: '',
      reasoning: '',
    } as const;

    const assessment = await analyst.assess({ question: questionInput.question, asked: [], lookups: [] }, scope());
    assert.equal(assessment.needClarification, false);
    assert.equal(assessment.focus.length, 3);
    assert.equal(assessment.confidence, 0.95);

    assert.equal((await analyst.analyze(questionInput, scope())).queryType, 'general');

    const plan = await analyst.plan(
      { ...questionInput, analysis, focus: assessment.focus, discovered: [], wanted: { min: 3, max: 7 } },
      scope(),
    );
    assert.deepEqual(
      plan.sections.map(({ id }) => id),
      ['s1', 's2', 's3'],
    );
    assert.ok(plan.sections.every((planned) => planned.queries.length > 0));

    const turn = await analyst.act(actInput(), scope());
    assert.deepEqual(
      turn.calls.map((call) => call.name),
      [searchTool.name],
    );
    const later = await analyst.act(actInput({ turn: 1, gathered: [gathered(0, ['Sa1b2c', 'Sd3e4f'])] }), scope());
    assert.deepEqual(
      later.calls.map((call) => call.name),
      ['think', 'research_complete'],
    );

    const discovery = await analyst.discover(
      { ...questionInput, target: 'retrievers', gathered: [gathered(0, ['Sa1b2c', 'Sd3e4f'])] },
      scope(),
    );
    assert.deepEqual(
      discovery.entities.map((entity) => entity.source),
      ['Sa1b2c', 'Sd3e4f'],
    );

    const distilled = await analyst.distil(
      {
        section,
        question: questionInput.question,
        gaps: [],
        gathered: [gathered(0, ['Sa1b2c', 'Sd3e4f'])],
        sources: facts,
      },
      scope(),
    );
    assert.equal(distilled.findings.length, 4);
    assert.match(distilled.content, /\[Sa1b2c\]/);

    const review = await analyst.review(
      { question: questionInput.question, sections: [reviewed('s1')], round: 1, roundsLeft: 2 },
      scope(),
    );
    assert.equal(review.isSufficient, true);
    assert.deepEqual(
      review.sectionCoverage.map(({ id }) => id),
      ['s1'],
    );

    let report = '';
    for await (const piece of analyst.writeReport(
      {
        ...questionInput,
        title: 'RAG',
        objective: '',
        limits: '',
        focus: [],
        analysis,
        discovered: [],
        sections: [reviewed('s1')],
        contradictions: [],
        sources: facts,
      },
      scope(),
    ))
      report += piece;
    assert.match(report, /^# .+\n\n.+\[Sd3e4f\][^]*## Section s1\n\n[^]*## Conclusion/);

    const about = { ...questionInput, title: 'RAG', objective: '', limits: '', focus: [], analysis };
    const text = await analyst.writeSection({ ...about, section: reviewed('s1'), others: [] }, scope());
    assert.match(text, /\[Sd3e4f\]/);
    const parts = { ...about, sections: [{ ...reviewed('s1'), text }], contradictions: [] };
    const framed = await analyst.frame({ ...parts, discovered: [] }, scope());
    assert.match(framed.summary, /\[Sd3e4f\]/);
    assert.deepEqual(await analyst.critique({ ...parts, frame: framed, round: 1 }, scope()), []);

    const passages = [facts[1]!.text];
    const statements = ['Dense retrieval outperforms BM25 by 9 to 19 points.', 'It needs about 95,000 training pairs.'];
    const judged = await analyst.verify(
      { statements: statements.map((words, index) => ({ number: index + 1, text: words, passages })), most: Infinity },
      scope(),
    );
    assert.deepEqual(
      [...judged.values()].map(({ verdict }) => verdict),
      ['supported', 'contradicted'],
    );

    const steps = new Set(server.requests.map((request) => request.step));
    assert.deepEqual(
      [...steps].sort(),
      [
        ...['act', 'analyze', 'assess', 'critique', 'discover', 'distil', 'frame'],
        ...['plan', 'report', 'review', 'section', 'verify'],
      ],
      'each step was recognised as itself',
    );
    assert.ok(
      server.requests.every(({ step, prompt }) => prompt.includes('2026-02-03') !== (step === 'verify')),
      'every prompt has the date of the run, but for that of a reader who knows nothing of it',
    );
    if (plain.includes('proseFirst')) {
      const second = server.requests.find((request) => request.step === 'assess' && request.messages.length > 2);
      assert.match(second?.messages.at(-1)?.content ?? '', /can't be used: It holds no JSON object/);
    }
  });
}
