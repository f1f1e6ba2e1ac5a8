import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outlineReport } from '../../../../../src/research/analyst/llm/outlineReport.ts';

const planned = [
  { id: 's1', title: 'Techniques for RAG' },
  { id: 's2', title: 'Evaluation and results' },
];

describe('outline of a written report', () => {
  it('takes the first heading for the title even when it resembles a section', () => {
    const outlined = outlineReport(
      '# Main techniques for RAG\n\nSummary.\n\n## Techniques for RAG\n\nA.\n\n## Evaluation and results\n\nB.\n\n## Conclusion\n\nC.\n',
      planned,
    );
    assert.equal(outlined.title, 'Main techniques for RAG');
    assert.equal(outlined.summary.trim(), 'Summary.');
    assert.deepEqual(
      [...outlined.sections].map(([id, body]) => [id, body.trim()]),
      [
        ['s1', 'A.'],
        ['s2', 'B.'],
      ],
    );
    assert.equal(outlined.conclusion?.trim(), 'C.');
  });

  it('knows numbered, bold, shortened and deeper headings', () => {
    const outlined = outlineReport(
      '# T\n\n### 1. **Techniques for RAG**\n\nA.\n\n### 1.1 Detail\n\nMore.\n\n#### 2) Evaluation and results of it all\n\n## Evaluation\n\nB.\n',
      planned,
    );
    assert.match(outlined.sections.get('s1') ?? '', /A\.[\s\S]*### 1\.1 Detail[\s\S]*More\./);
    assert.equal(outlined.sections.get('s2')?.trim(), 'B.');
  });

  it('leaves references out and keeps other parts where they stood', () => {
    const outlined = outlineReport(
      '## Key facts\n\nK.\n\n## Techniques for RAG\n\nA.\n\n## Side note\n\nN.\n\n## 参考文献\n\n[1] x\n',
      planned,
    );
    assert.deepEqual(
      outlined.before.map(({ heading }) => heading),
      ['Key facts'],
    );
    assert.deepEqual(
      outlined.after.map(({ heading }) => heading),
      ['Side note'],
    );
    assert.equal(outlined.title, '');
  });

  it('sees no heading inside a code block', () => {
    const outlined = outlineReport(
      '# T\n\n## Techniques for RAG\n\n```sh\n# Evaluation and results\n```\nend\n',
      planned,
    );
    assert.match(outlined.sections.get('s1') ?? '', /# Evaluation and results\n```\nend/);
    assert.equal(outlined.sections.has('s2'), false);
  });

  it('is total for any text', () => {
    for (const text of ['', '#', '# ', '```', '\n\n\n', '#######', '# \u0000']) assert.ok(outlineReport(text, planned));
  });
});
