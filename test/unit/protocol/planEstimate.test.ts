import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EstimateBasis } from '../../../src/protocol/plan.ts';
import { estimatePlan } from '../../../src/protocol/planEstimate.ts';
import { isCostly } from '../../../src/research/policy/budget.ts';

const basis: EstimateBasis = {
  ...{ analyst: 'llm', depth: 'standard', price: null, topics: 1 },
  sources: ['arxiv', 'blogs', 'github', 'hackernews', 'huggingface', 'scholarly', 'web', 'workspace'],
  ...{ atOnce: 5, maxToolCalls: 10, reviewRounds: 2, maxIterations: 5, maxSupervisorIterations: 6 },
};
const atDepth = (depth: EstimateBasis['depth']): EstimateBasis => ({
  ...basis,
  depth,
  verification: depth === 'deep' ? 'thorough' : 'standard',
});
const sectionsOf = (count: number, over: object = {}) => Array.from({ length: count }, () => ({ ...over }));

describe('the estimate of a plan', () => {
  it('stops no quick or standard run of the usual size, with any strategy', () => {
    for (const strategy of ['sections', 'iterative', 'supervisor', 'short'] as const)
      for (const depth of ['quick', 'standard'] as const)
        for (let count = 1; count <= 7; count += 1) {
          const estimate = estimatePlan({ strategy, sections: sectionsOf(count) }, atDepth(depth));
          assert.ok(!isCostly(estimate), `${strategy} ${depth} ${count}: ${JSON.stringify(estimate)}`);
        }
  });

  it('stops a deep run from 61 calls on', () => {
    const deep = (count: number) =>
      estimatePlan({ strategy: 'sections', sections: sectionsOf(count) }, atDepth('deep'));
    assert.ok(deep(3).calls <= 60 && !isCostly(deep(3)));
    assert.ok(deep(7).calls > 60 && isCostly(deep(7)));
  });

  it('stops what is far larger, and a dear model before a cheap one', () => {
    const of = (count: number, over: Partial<EstimateBasis>) =>
      isCostly(
        estimatePlan({ strategy: 'sections', sections: sectionsOf(count) }, { ...atDepth('standard'), ...over }),
      );
    assert.ok(of(15, {}));
    assert.ok(of(10, atDepth('deep')));
    assert.ok(of(6, { price: { in: 5, out: 25 } }));
    assert.ok(!of(6, { price: { in: 1.25, out: 10 } }));
  });

  it('counts the searches of the web that a model makes, in the sections that search there', () => {
    for (const strategy of ['sections', 'iterative', 'supervisor'] as const) {
      const own = { ...basis, searchedByModel: ['web'] };
      const of = (over: object, its: EstimateBasis) => estimatePlan({ strategy, sections: sectionsOf(4, over) }, its);
      const more = of({}, own).calls - of({}, basis).calls;
      assert.ok(more >= (strategy === 'supervisor' ? 1 : 4), `${strategy}: ${more} more`);
      assert.ok(of({}, own).tokens > of({}, basis).tokens);
      if (strategy !== 'supervisor')
        assert.deepEqual(of({ sources: ['arxiv'] }, own), of({ sources: ['arxiv'] }, basis));
    }
  });

  it('counts the checks of its texts: one of each, three where they are thorough, none of a run without', () => {
    const of = (verification: EstimateBasis['verification'], strategy: 'sections' | 'short' = 'sections') =>
      estimatePlan({ strategy, sections: sectionsOf(strategy === 'short' ? 1 : 4) }, { ...basis, verification });
    const more = (...which: Parameters<typeof of>) => of(...which).calls - of('off', which[1]).calls;
    // Four sections, one of them written again, and what frames them.
    assert.equal(more('standard'), 6);
    assert.equal(more('thorough'), 18);
    assert.equal(more('standard', 'short'), 1);
    assert.deepEqual(of(undefined), of('off'));
    const { tokens } = of('standard');
    assert.ok((tokens - of('off').tokens) / tokens < 0.25);
  });
});
