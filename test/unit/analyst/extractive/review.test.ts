import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ReviewedSection, ReviewInput } from '../../../../src/research/analyst/analyst.ts';
import { ExtractiveAnalyst } from '../../../../src/research/analyst/extractive/extractiveAnalyst.ts';

const analyst = new ExtractiveAnalyst();

function section(
  id: string,
  quotes: number,
  sources: number,
  status: ReviewedSection['status'] = 'completed',
): ReviewedSection {
  const findings = Array.from({ length: quotes }, (_, index) => ({
    claim: `Retrieval statement ${id} ${index}.`,
    quote: `Retrieval statement ${id} ${index}.`,
    source: `S0000${index % Math.max(1, sources)}`,
  }));
  return {
    id,
    title: 'Limits and open problems',
    description: '',
    status,
    content: '',
    findings,
    sourceIds: Array.from({ length: sources }, (_, index) => `S0000${index}`),
  };
}

function review(sections: readonly ReviewedSection[], given: Partial<ReviewInput> = {}) {
  return analyst.review({ question: 'What are the limits of retrieval?', sections, round: 1, roundsLeft: 2, ...given });
}

test('sections with quotes from several sources are sufficient', async () => {
  const judged = await review([section('s1', 6, 3), section('s2', 5, 2)]);
  assert.equal(judged.isSufficient, true);
  assert.deepEqual(judged.sectionsToRetry, []);
  assert.ok(judged.overallScore >= 8);
});

test('a thin section goes back once, with another query', async () => {
  const judged = await review([section('s1', 6, 3), section('s2', 1, 1)]);
  assert.deepEqual(judged.sectionsToRetry, ['s2']);
  assert.match(judged.gaps[0]!.gap, /“.+”/);
  assert.deepEqual(
    (await review([section('s1', 6, 3), section('s2', 1, 1)], { round: 2, roundsLeft: 1 })).sectionsToRetry,
    [],
  );
});

test('no section goes back when no round is left, when nothing was found anywhere, or when it failed', async () => {
  assert.deepEqual((await review([section('s1', 6, 3), section('s2', 1, 1)], { roundsLeft: 0 })).sectionsToRetry, []);
  assert.deepEqual((await review([section('s1', 0, 2), section('s2', 0, 2)])).sectionsToRetry, []);
  assert.deepEqual((await review([section('s1', 6, 3), section('s2', 0, 0, 'failed')])).sectionsToRetry, []);
});

test('a quote counts in one section, as it stands in one', async () => {
  const shared = ['s1', 's2', 's3', 's4', 's5'].map((id) => ({ ...section('s0', 4, 2), id }));
  const judged = await review(shared);
  assert.deepEqual(
    judged.sectionCoverage.map(({ notes }) => notes.slice(0, 8)),
    ['4 quotes', '0 quotes', '0 quotes', '0 quotes', '0 quotes'],
  );
  assert.ok(judged.overallScore <= 3, String(judged.overallScore));
  assert.deepEqual(judged.sectionsToRetry, []);
});

test('what is missing is said', async () => {
  const judged = await review([section('s1', 6, 3), section('s2', 0, 0)]);
  assert.deepEqual(
    judged.sectionCoverage.map(({ status }) => status),
    ['sufficient', 'missing'],
  );
  assert.match(judged.sectionCoverage[1]!.notes, /^0 quotes/);
});

test('more quotes never lower the score, and it stays between 1 and 10', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(8), fc.nat(5), async (quotes, sources) => {
      const [less, more] = [
        await review([section('s1', quotes, sources)]),
        await review([section('s1', quotes + 1, sources)]),
      ];
      assert.ok(less.overallScore >= 1 && more.overallScore <= 10 && more.overallScore >= less.overallScore);
    }),
  );
});
