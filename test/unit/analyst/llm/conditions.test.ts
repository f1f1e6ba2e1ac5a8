import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distil } from '../../../../src/research/analyst/llm/distil.ts';
import { sectionsText } from '../../../../src/research/analyst/llm/sectionsText.ts';
import { hasQuote } from '../../../../src/research/evidence/support.ts';
import { type ConditionCase, conditionCases, heldOutConditionCases } from '../../../support/conditions.ts';
import { answer, scopeOver, section, source } from '../../../support/analystTestKit.ts';

interface Outcome {
  readonly name: string;
  /** Conditions that the writer's prompt lacks, and those that the quote lacks where a report shows it alone. */
  readonly unwritten: readonly string[];
  readonly unquoted: readonly string[];
}

/** A model that names the sentence's number and nothing else. */
async function outcomeOf({ name, text, quoted, conditions }: ConditionCase): Promise<Outcome> {
  const paper = source('Sa1b2c', text, { title: 'Notes' });
  const scope = scopeOver(
    (request) => {
      const prompt = request.messages.map(({ content }) => content).join('\n');
      const words = quoted.replace(/^(?:[-*]|\d\.) /, '');
      const at = prompt.indexOf(`} ${words}`);
      const number = at < 0 ? '' : prompt.slice(prompt.lastIndexOf('{', at) + 1, at);
      return answer(
        JSON.stringify({ off_topic: [], key_findings: [{ source: 'Sa1b2c', quote: number, claim: '' }], content: '' }),
      );
    },
    { sources: [paper], limits: { maxStructuredOutputRetries: 0 } },
  );
  const input = { section, question: 'What holds?', gaps: [], gathered: [], sources: [paper] };
  const distilled = await distil(input, scope).catch(() => undefined);
  const findings = distilled?.findings ?? [];
  for (const finding of findings) assert.ok(hasQuote(paper, finding.quote), finding.quote);
  const content = distilled?.content ?? '';
  const found = { ...section, status: 'completed' as const, content, findings, sourceIds: ['Sa1b2c'] };
  const written = sectionsText([found], 20_000, scope, 1);
  const quote = findings.map((finding) => `${finding.claim}\n${finding.quote}`).join('\n');
  return {
    name,
    unwritten: conditions.filter((condition) => !written.includes(condition)),
    unquoted: conditions.filter((condition) => !quote.includes(condition)),
  };
}

for (const [half, cases, leastQuoted] of [
  ['built with', conditionCases, 8],
  ['held out', heldOutConditionCases, 9],
] as const)
  test(`a figure reaches the writer with the condition that stands beside it (${half})`, async (context) => {
    const outcomes = await Promise.all(cases.map(outcomeOf));
    const isWhole = outcomes.filter(({ unquoted }) => unquoted.length === 0).length;
    const reached = outcomes.filter(({ unwritten }) => unwritten.length === 0).length;
    context.diagnostic(`${reached} of ${cases.length} in the prompt, ${isWhole} in the finding itself`);
    assert.deepEqual(
      outcomes.filter(({ unwritten }) => unwritten.length > 0),
      [],
    );
    assert.ok(isWhole >= leastQuoted, JSON.stringify(outcomes.filter(({ unquoted }) => unquoted.length > 0)));
  });
