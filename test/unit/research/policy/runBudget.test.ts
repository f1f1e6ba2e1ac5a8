import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Phase } from '../../../../src/protocol/events.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import { prices as ofAnthropic } from '../../../../src/models/anthropic/prices.ts';
import { prices as ofOpenAi } from '../../../../src/models/openai/prices.ts';
import { costOf, priceOf, type PriceTable } from '../../../../src/research/settings/prices.ts';
import { RunBudget, type PlannedCall } from '../../../../src/research/policy/runBudget.ts';

const price = { in: 2, out: 8, cached: 0.5 };

/** One call of a random run: how far the server's count is from the estimate, and how much of the limit the answer fills. */
const calls = fc.array(
  fc.record({
    promptTokens: fc.integer({ min: 50, max: 20_000 }),
    maxTokens: fc.integer({ min: 100, max: 8_000 }),
    // Half of what was estimated to 30 % more (cl100k for Chinese).
    ratio: fc.double({ min: 0.4, max: 1.3, noNaN: true }),
    filled: fc.double({ min: 0, max: 1, noNaN: true }),
    cached: fc.double({ min: 0, max: 1, noNaN: true }),
    fails: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    /** The run is killed and resumed before it: what was open is lost, what was spent is read from its events. */
    resumes: fc.integer({ min: 0, max: 14 }).map((n) => n === 0),
  }),
  { minLength: 1, maxLength: 120 },
);
const shape = fc.record({
  calls,
  tokens: fc.integer({ min: 1_000, max: 400_000 }),
  cost: fc.double({ min: 0.001, max: 2, noNaN: true }),
  atOnce: fc.integer({ min: 1, max: 6 }),
});

describe('a budget', () => {
  it('is never overshot by more than 5 % or one call, keeps a tenth for the report, and holds over resumes', () => {
    let refusedRuns = 0;
    fc.assert(
      fc.property(shape, ({ calls: all, tokens, cost, atOnce }) => {
        const spent = { tokens: 0, cost: 0 };
        let largest = { tokens: 0, cost: 0 };
        let reports = 0;
        const open = () =>
          new RunBudget(
            { tokens, cost },
            () => ({ ...spent }),
            () => (refusedRuns += 1),
          );
        let budget = open();
        let inFlight: (() => void)[] = [];
        const send = (call: (typeof all)[number], phase: Phase): boolean => {
          const { promptTokens, maxTokens, ratio } = call;
          const planned: PlannedCall = { model: 'm', phase, promptTokens, maxTokens, price };
          let settle: ReturnType<RunBudget['reserve']>;
          try {
            settle = budget.reserve(planned);
          } catch (error) {
            assert.ok(ResearchError.is(error, 'budget'));
            return false;
          }
          const tokensIn = Math.round(promptTokens * ratio);
          const out = Math.round(maxTokens * call.filled);
          const usage = { in: tokensIn, out, cached: Math.round(tokensIn * call.cached), estimated: false };
          const most = {
            tokens: promptTokens * 1.3 + maxTokens,
            cost: costOf({ in: promptTokens * 1.3, out: maxTokens, cached: 0 }, price),
          };
          largest = { tokens: Math.max(largest.tokens, most.tokens), cost: Math.max(largest.cost, most.cost) };
          inFlight.push(() => {
            settle(call.fails ? undefined : usage);
            if (call.fails) return;
            spent.tokens += tokensIn + out;
            spent.cost += costOf(usage, price);
          });
          return true;
        };
        const within = (share: number, what: string) => {
          assert.ok(
            spent.tokens <= Math.max(tokens * share * 1.05, tokens * share + largest.tokens),
            `${what}: ${spent.tokens} of ${tokens} tokens`,
          );
          assert.ok(
            spent.cost <= Math.max(cost * share * 1.05, cost * share + largest.cost),
            `${what}: ${spent.cost} of ${cost}`,
          );
        };
        for (const call of all) {
          if (call.resumes) {
            inFlight = [];
            budget = open();
          }
          send(call, 'research');
          if (inFlight.length >= atOnce) for (const end of inFlight.splice(0)) end();
        }
        for (const end of inFlight.splice(0)) end();
        within(0.9, 'the research');
        // What is left for the report is at least a tenth, less what one call took beyond its reservation.
        const left = budget.tokensLeft('report');
        for (let tries = 0; tries < 40 && reports < 3; tries += 1) {
          const size = Math.floor(left / (3 + tries));
          const report = {
            ...all[0]!,
            promptTokens: Math.max(1, Math.floor(size * 0.6)),
            maxTokens: Math.max(1, Math.floor(size * 0.4)),
            fails: false,
          };
          if (send(report, 'report')) reports += 1;
          for (const end of inFlight.splice(0)) end();
        }
        within(1, 'the run');
      }),
      { numRuns: 600 },
    );
    assert.ok(refusedRuns > 100, 'the budgets of many runs were reached');
  });

  it('keeps to its exact limit when the server counts no more than was reserved', () => {
    fc.assert(
      fc.property(shape, ({ calls: all, tokens }) => {
        let spent = 0;
        const budget = new RunBudget(
          { tokens, cost: Infinity },
          () => ({ tokens: spent, cost: 0 }),
          () => undefined,
        );
        for (const { promptTokens, maxTokens, filled } of all) {
          try {
            const settle = budget.reserve({ model: 'm', phase: 'research', promptTokens, maxTokens, price: undefined });
            const usage = { in: promptTokens, out: Math.round(maxTokens * filled), cached: 0, estimated: false };
            settle(usage);
            spent += usage.in + usage.out;
          } catch (error) {
            assert.ok(ResearchError.is(error, 'budget'));
          }
        }
        assert.ok(spent <= tokens * 0.9);
      }),
      { numRuns: 300 },
    );
  });

  it('reserves more once a model has counted more, and once its answers have exceeded their limit', () => {
    const budget = new RunBudget(
      { tokens: 20_000, cost: Infinity },
      () => ({ tokens: 0, cost: 0 }),
      () => undefined,
    );
    const call: PlannedCall = { model: 'm', phase: 'plan', promptTokens: 5_000, maxTokens: 2_000, price: undefined };
    budget.reserve(call)({ in: 10_000, out: 9_000, cached: 0, estimated: false });
    assert.throws(
      () => budget.reserve(call),
      (error) => ResearchError.is(error, 'budget'),
    );
    budget.reserve({ ...call, model: 'another' })();
  });
});

describe('the price of a model', () => {
  it('is the published one of its name or of its snapshot, and of no other model', () => {
    const of = (model: string, published: PriceTable = ofOpenAi) => priceOf(model, {}, published)?.in;
    assert.equal(of('gpt-5-mini'), 0.25);
    assert.equal(of('gpt-5-mini-2025-08-07'), 0.25);
    assert.equal(of('gpt-4o-2024-11-20'), 2.5);
    assert.equal(of('gpt-5.9'), undefined);
    assert.equal(of('gpt-5-codex-x'), undefined);
    assert.equal(of('claude-sonnet-4-5-20250929', ofAnthropic), 3);
    assert.equal(of('gpt-5-mini', {}), undefined, 'a gateway has prices of its own');
  });

  it("is the user's own, by the longest beginning of the name", () => {
    const own = { qwen: { in: 1, out: 2 }, 'Qwen-Plus': { in: 3, out: 4 }, 'gpt-5-mini': { in: 9, out: 9 } };
    assert.equal(priceOf('qwen-plus-2025', own, {})?.in, 3);
    assert.equal(priceOf('qwen-max', own, {})?.in, 1);
    assert.equal(priceOf('gpt-5-mini', own, ofOpenAi)?.in, 9);
  });

  it('counts cached tokens by their own price', () => {
    assert.equal(costOf({ in: 1_000_000, out: 500_000, cached: 400_000 }, price), 0.6 * 2 + 0.4 * 0.5 + 4);
    assert.equal(costOf({ in: 1_000_000, out: 0, cached: 400_000 }, { in: 2, out: 8 }), 2);
  });
});
