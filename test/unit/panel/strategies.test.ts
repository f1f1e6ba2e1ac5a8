import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roundFacts, strategyLine } from '../../../src/panel/statusLook.ts';
import { steps } from '../../../src/panel/steps.ts';
import { Texts } from '../../../src/protocol/texts.ts';
import { topicRounds } from '../../../src/panel/topicRounds.ts';
import { panelStrings } from '../../../src/protocol/strings.ts';
import { delegated, inRounds, viewOf } from '../../support/panelStates.ts';

const texts = new Texts(panelStrings, 'en');

describe('the line that names the strategy', () => {
  it('says Auto until a strategy is chosen, then which one runs and why', () => {
    assert.equal(strategyLine({ strategy: 'auto', strategyWhy: '' }, texts), 'Strategy: Auto');
    assert.equal(
      strategyLine({ strategy: 'short', strategyWhy: 'One researcher and a short report.' }, texts),
      'Strategy: Short. One researcher and a short report.',
    );
  });

  it('names a strategy without a reason alone, and is empty for one that this version does not know', () => {
    assert.equal(strategyLine({ strategy: 'supervisor', strategyWhy: '' }, texts), 'Strategy: Supervisor');
    for (const strategy of ['', 'swarm', 'toString'])
      assert.equal(strategyLine({ strategy, strategyWhy: 'Because.' }, texts), '');
  });

  it('shows the reason without characters that hide or reorder', () => {
    assert.equal(strategyLine({ strategy: 'sections', strategyWhy: 'a\u202eb' }, texts), 'Strategy: Sections. ab');
  });
});

describe('what a round brought', () => {
  const round = { round: 1, maxRounds: 5, queries: [], sources: 0 };

  it('is nothing while it searches', () => {
    assert.deepEqual(roundFacts({ ...round, status: 'retrieving' }, texts), []);
  });

  it('counts new sources, and says when there was none', () => {
    assert.deepEqual(roundFacts({ ...round, status: 'reading', sources: 1 }, texts), ['1 new source']);
    assert.deepEqual(roundFacts({ ...round, status: 'completed' }, texts), ['no new sources']);
  });

  it('gives the score, and that it is enough', () => {
    assert.deepEqual(roundFacts({ ...round, status: 'completed', sources: 3, score: 8, sufficient: true }, texts), [
      '3 new sources',
      'rated 8 out of 10',
      'sufficient for the report',
    ]);
  });
});

describe('the tree of topics', () => {
  const view = viewOf(delegated);

  it('has the rounds for parents, with their topics in the order in which they were delegated', () => {
    const tree = topicRounds(view.topics, view.sections).map(({ round, topics }) => [
      round,
      topics.map(({ id }) => id),
    ]);
    assert.deepEqual(tree, [
      [1, ['t1', 't2']],
      [2, ['t3', 't4']],
    ]);
  });

  it('shows of a topic its full text and what its researcher does', () => {
    const [third] = topicRounds(view.topics, view.sections)[1]!.topics;
    assert.match(third!.description, /^Find out what is known about price/);
    assert.match(third!.activity, /^Searching GitHub/);
    assert.deepEqual(third!.thoughts, ['Two repositories publish figures; one more search.']);
  });

  it('shows a topic that no section event named yet', () => {
    const [first] = topicRounds(view.topics, [])[0]!.topics;
    assert.equal(first!.status, 'completed');
    assert.equal(first!.activity, '');
  });
});

describe('the stepper', () => {
  const labels = (strategy: string) =>
    steps({ ...viewOf(delegated.slice(0, 1)), strategy, phasesSeen: [] }).map(({ label }) => label);

  it('leaves out what a strategy does without', () => {
    assert.ok(labels('sections').includes('phase.review'));
    assert.ok(!labels('supervisor').includes('phase.review'));
    assert.deepEqual(labels('short'), ['phase.understand', 'phase.research', 'phase.report']);
  });

  it('keeps every step for a strategy that this version does not know', () => {
    for (const strategy of ['', 'toString', 'swarm']) assert.deepEqual(labels(strategy), labels('sections'));
  });

  it('goes back to the research when another round begins', () => {
    const view = viewOf([
      ...inRounds,
      { type: 'run/phase', phase: 'review' },
      { type: 'run/phase', phase: 'research' },
    ]);
    assert.equal(steps(view).find(({ state }) => state === 'current')?.label, 'phase.research');
  });
});
