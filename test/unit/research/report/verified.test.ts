import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CitableEvidence } from '../../../../src/research/evidence/checker.ts';
import { groundOfFinding } from '../../../../src/research/evidence/grounds.ts';
import type { Judgement, Statement } from '../../../../src/research/evidence/statement.ts';
import {
  type RenderedReport,
  type ReportStatement,
  statementId,
} from '../../../../src/research/report/renderReport.ts';
import { judged } from '../../../../src/research/report/verified.ts';
import type { RunContext } from '../../../../src/research/run/runContext.ts';
import { source } from '../../../support/analystTestKit.ts';

const drip = source('S11111', `The lines are flushed every Monday. ${'The basin is filled at night. '.repeat(30)}`);
const traps = source('S22222', `Yellow traps are counted each Thursday morning. ${'Nets keep birds out. '.repeat(40)}`);
const findings = new Map([
  ['F101', { source: drip.id, quote: 'The lines are flushed every Monday.', claim: '' }],
  ['F201', { source: traps.id, quote: 'Yellow traps are counted each Thursday morning.', claim: '' }],
]);
const evidence = {
  get: (id: string) => [drip, traps].find((one) => one.id === id),
  byUrl: () => undefined,
  candidates: [drip, traps],
  findings,
} satisfies CitableEvidence;

const grounds = [groundOfFinding(findings.get('F101')!, drip)!];
const said: Omit<ReportStatement, 'id'> = {
  ...{ text: 'Somebody counts the yellow traps each Thursday morning.', grounds, ids: ['F101'], isCited: true },
  ...{ isDerived: false, verdict: 'unverified', section: 's1', offset: 0, citations: [1] },
};
const statement: ReportStatement = { ...said, id: statementId(said) };
const verdict = (name: Judgement['verdict']): Judgement => ({ verdict: name, words: '', correction: '' });

/** @param judge What the reader says of a statement beside other passages; `first`: beside its own. */
async function decided(judge: (one: Statement) => Judgement, first: Judgement = verdict('absent'), one = statement) {
  const asked: Statement[] = [];
  const reader = {
    outcome: () => new Map([[one.id, first]]),
    judge: async (_place: object, statements: readonly Statement[]) => {
      asked.push(...statements);
      return new Map(statements.map((asking) => [asking.id, judge(asking)]));
    },
  };
  const run = { drafts: { judged: async () => undefined, reader: () => reader } };
  const state = { today: '2026-02-03', language: 'en', sections: [], change: undefined };
  const { decide, disputes } = await judged(
    run as unknown as RunContext,
    state,
    { statements: [one] } as unknown as RenderedReport,
    evidence,
  );
  return { asked, disputes, decision: decide(one) };
}

describe('a statement that its passages don’t have', () => {
  it('cites the finding that supports it', async () => {
    const { asked, decision } = await decided(({ passages }) =>
      verdict(passages.every((one) => one.source === traps.id) ? 'supported' : 'absent'),
    );
    assert.equal(asked.length, 1);
    assert.deepEqual(decision, {
      verdict: 'supported',
      instead: [{ text: 'Somebody counts the yellow traps each Thursday morning [F201].', verdict: 'supported' }],
    });
  });

  it('is replaced by words of its passages where its correction is a piece of one, with its marks', async () => {
    for (const mark of ['# ', '## ', '- ', '> ', '| ', '1. ']) {
      const corrected = { ...verdict('partly'), correction: `${mark}Drip The lines are flushed.` };
      const { decision } = await decided(() => verdict('absent'), corrected);
      const [first] = decision.instead ?? [];
      assert.deepEqual(first, { text: '“The lines are flushed every Monday.” [F101].', verdict: 'quoted' }, mark);
    }
  });

  it('goes where no finding supports it', async () => {
    for (const other of ['absent', 'partly', 'contradicted', 'unverified'] as const)
      assert.deepEqual((await decided(() => verdict(other))).decision, { verdict: 'unverified', instead: [] });
  });
});

it('a statement of which sources say different things becomes a row of the table, with what each says', async () => {
  const noon = source('S33333', `The lines are flushed every Friday. ${'Rain water is stored. '.repeat(40)}`);
  const other = groundOfFinding({ source: noon.id, quote: 'The lines are flushed every Friday.', claim: '' }, noon)!;
  const text = 'The drip lines are flushed every Monday.';
  const both = { ...said, text, grounds: [...grounds, other], ids: ['F101', 'S33333'] };
  const { disputes, decision } = await decided(
    () => verdict('absent'),
    { ...verdict('disputed'), correction: 'The lines are flushed every Monday or every Friday.' },
    { ...both, id: statementId(both) },
  );
  assert.deepEqual(disputes, [
    {
      topic: text,
      values: [
        { text: 'The lines are flushed every Monday.', sources: ['S11111'] },
        { text: 'The lines are flushed every Friday.', sources: ['S33333'] },
      ],
    },
  ]);
  assert.deepEqual(decision.instead?.[0], {
    text: 'The lines are flushed every Monday or every Friday [F101][S33333].',
    verdict: 'corrected',
  });
});
