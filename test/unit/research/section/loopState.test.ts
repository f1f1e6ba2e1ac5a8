import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type CallFate,
  endsBefore,
  fatesOf,
  firstState,
  type LoopRules,
  type LoopState,
  step,
  type TurnOutcome,
} from '../../../../src/research/section/loopState.ts';

const rules: LoopRules = { hasRules: true, endsByCode: true, hasEnough: () => false };
const first = firstState({ known: [], maxCalls: 4 });
const guided: LoopState = { ...first, lead: 'analyst' };

/** A turn of one call for each fate; usable ones find the next sources. */
function called(fates: readonly CallFate[], over: Partial<Extract<TurnOutcome, { kind: 'called' }>> = {}): TurnOutcome {
  const calls = fates.map((fate, index) => ({
    fate,
    answer: {
      call: { id: `c${index}`, name: fate === 'free' ? 'think' : 'search', args: {} },
      ...{ turn: 0, said: '', note: '' },
      sources: fate === 'usable' ? [`S${index}`] : [],
    },
  }));
  return { kind: 'called', calls, isSeed: false, hasRemarks: false, ...over };
}

function completed(): TurnOutcome {
  const call = { id: 'c', name: 'research_complete', args: {} };
  return {
    ...{ kind: 'called', isSeed: false, hasRemarks: false },
    calls: [{ fate: 'free', answer: { call, turn: 0, said: '', sources: [], note: '' } }],
  };
}

const after = (outcomes: readonly TurnOutcome[], from = first, its = rules): LoopState =>
  outcomes.reduce((state, outcome) => step(state, outcome, its), from);

describe('a turn of a researcher', () => {
  it('counts what was found, and gives the budget back what no tool was given', () => {
    const state = after([called(['usable', 'usable', 'unusable', 'free'])]);
    assert.deepEqual([...state.found], ['S0', 'S1']);
    assert.deepEqual([state.turn, state.callsLeft, state.usable, state.gathered.length], [1, 2, 2, 4]);
    assert.equal(state.isOver, false);
  });

  it('leaves the state before it as it was', () => {
    after([called(['usable'])]);
    assert.deepEqual(first, firstState({ known: [], maxCalls: 4 }));
  });

  it('is led by code until the analyst has made one', () => {
    assert.equal(after([called(['usable'], { isSeed: true })]).lead, 'code');
    assert.equal(after([called(['usable'], { isSeed: true }), called(['usable'])]).lead, 'analyst');
  });

  it('without a call is the last, unless the user says something new', () => {
    const state = after([{ kind: 'idle' }]);
    assert.equal(state.isOver, false);
    assert.ok(endsBefore(state, { isStopped: false, hasNew: false }, false));
    assert.ok(!endsBefore(state, { isStopped: false, hasNew: true }, false));
  });

  it('that says `research_complete` is the last', () => {
    const state = after([called(['usable']), completed()]);
    assert.ok(state.isDone && !state.isOver);
  });

  it('in which the section was stopped ends the loop with what was found', () => {
    const outcome = called(['usable', 'usable']) as Extract<TurnOutcome, { kind: 'called' }>;
    const cut = { ...outcome, calls: outcome.calls.map((call, index) => ({ ...call, cutOff: index === 1 })) };
    const state = after([cut]);
    assert.ok(state.isOver);
    assert.equal(state.gathered.length, 2);
  });
});

describe('the end of the research', () => {
  it('comes with the last call of the budget', () => {
    assert.ok(after([called(['usable', 'usable', 'usable', 'usable'])]).isOver);
  });

  it('comes, where no code ends it, when calls are refused', () => {
    const its = { ...rules, endsByCode: false };
    const state = after([called(['usable', 'usable', 'usable', 'usable'])], first, its);
    assert.ok(!state.isOver && !state.isDone);
    assert.ok(after([called(['refused'])], state, its).isOver);
  });

  it('comes when what a model asked for suffices; after the first searches what they name is opened', () => {
    const its = { ...rules, hasEnough: () => true };
    const seeded = after([called(['usable'], { isSeed: true })], first, its);
    assert.ok(seeded.isEnough && !seeded.isDone);
    assert.ok(after([called(['usable'])], seeded, its).isDone);
  });

  it('is not decided by code where the user has made a remark', () => {
    const its = { ...rules, hasEnough: () => true };
    const state = after([called(['usable'], { hasRemarks: true })], first, its);
    assert.ok(!state.isEnough && !state.isDone);
  });

  it('comes after two turns of a model that bring nothing new', () => {
    const known: LoopState = { ...guided, found: new Set(['S0']), callsLeft: 9 };
    assert.ok(!after([called(['usable'])], known).isDone);
    assert.ok(after([called(['usable']), called(['usable'])], known).isDone);
    const between = after([called(['usable']), called(['usable', 'usable']), called(['usable'])], known);
    assert.ok(!between.isDone);
  });

  it('comes with a narrow budget as soon as something was found', () => {
    const told = { isStopped: false, hasNew: false };
    assert.ok(!endsBefore(first, told, true));
    assert.ok(endsBefore(after([called(['usable'])]), told, true));
  });

  it('comes with a stop of the section', () => {
    assert.ok(endsBefore(first, { isStopped: true, hasNew: false }, false));
  });
});

describe('a model that makes no usable call', () => {
  const bad = called(['unusable']);

  it('is helped out by rules after three turns, which have one', () => {
    const two = after([bad, bad]);
    assert.equal(two.lead, 'analyst');
    const three = step(two, bad, rules);
    assert.ok(three.lead === 'rules' && !three.isOver);
    assert.ok(step(three, called(['usable']), rules).isOver);
  });

  it('is helped out when it says that it is done', () => {
    assert.equal(after([bad, completed()]).lead, 'rules');
  });

  it('ends the loop where there are no rules, or where calls were usable before', () => {
    assert.ok(after([bad, bad, bad], first, { ...rules, hasRules: false }).isOver);
    assert.ok(after([called(['usable']), bad, bad, bad]).isOver);
  });

  it('may think in between', () => {
    assert.equal(after([bad, called(['free']), bad]).unusableTurns, 2);
  });

  it('is helped out at once when it refuses', () => {
    const state = after([{ kind: 'refused' }]);
    assert.ok(state.lead === 'rules' && !state.isOver && !state.isDone);
  });
});

describe('the budget of calls', () => {
  const search = { id: '1', name: 'search', args: {} };

  it('counts neither thoughts nor the end, and refuses what is over it', () => {
    const calls = [search, { ...search, name: 'think' }, search, { ...search, name: 'research_complete' }, search];
    assert.deepEqual(fatesOf(calls, 2), ['sent', 'free', 'sent', 'free', 'refused']);
    assert.deepEqual(fatesOf(calls.slice(0, 2), 0), ['refused', 'free']);
  });
});
