import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResearchError } from '../../../src/research/errors.ts';
import {
  clearAssessment,
  memoryFolder,
  note,
  ofType,
  planOf,
  scriptedAnalyst,
  scriptedRun,
  scriptedTool,
} from '../../support/scriptedRun.ts';

const reasonOf = (reason: string) => (error: unknown) => ResearchError.is(error) && error.reason === reason;

describe('clarification', () => {
  const vague = {
    ...clearAssessment,
    needClarification: true,
    question: 'Which side of it?',
    options: [
      { label: 'Methods', recommended: true },
      { label: 'Tools', recommended: false },
    ],
    missingInfo: 'scope',
    scopeInferable: false,
    confidence: 0.5,
  };

  it('asks, takes an option by number, works it in, and asks no second time', async () => {
    const seen: (readonly unknown[])[] = [];
    const { result, events } = scriptedRun({
      analyst: scriptedAnalyst({
        assess: async ({ asked }) => {
          seen.push(asked);
          return { ...vague, refinedQuery: asked.length > 0 ? `Notes: ${asked[0]!.answer}` : '' };
        },
      }),
      answer: async () => '2',
    });
    await result;
    assert.equal(ofType(events, 'clarify/asked').length, 1);
    assert.deepEqual(
      ofType(events, 'clarify/answered').map(({ answer, skipped }) => ({ answer, skipped })),
      [{ answer: 'Tools', skipped: false }],
    );
    assert.equal(seen.length, 2);
  });

  it('takes "just start" in any language and states the assumption in the report', async () => {
    for (const skip of [null, 'just start', '直接开始研究', '']) {
      const { result, events } = scriptedRun({
        analyst: scriptedAnalyst({ assess: async () => vague }),
        answer: async () => skip,
      });
      const { report } = await result;
      assert.equal(ofType(events, 'clarify/answered')[0]!.skipped, true);
      assert.match(
        report,
        /Assumed: The question "Which side of it\?" was skipped; the recommended answer was taken: Methods/,
      );
    }
  });

  it('asks at most three times, then researches the best guess', async () => {
    let round = 0;
    const { result, events } = scriptedRun({
      analyst: scriptedAnalyst({
        assess: async () => ({ ...vague, topicClear: false, missingInfo: `topic ${(round += 1)}` }),
      }),
      answer: async () => 'hm',
    });
    const { report } = await result;
    assert.equal(ofType(events, 'clarify/asked').length, 3);
    assert.match(report, /The topic stayed vague/);
  });

  it('pauses when nobody can answer, and keeps the run', async () => {
    const folder = memoryFolder();
    const { result, events } = scriptedRun({
      folder,
      analyst: scriptedAnalyst({ assess: async () => vague }),
      answer: async () => {
        throw new ResearchError('needsAnswer', 'Nobody there.');
      },
    });
    await assert.rejects(result, reasonOf('needsAnswer'));
    assert.equal(events.at(-1)!.type, 'run/paused');
    assert.equal(folder.records.at(-1)!.status, 'waiting');
  });

  it('looks unknown terms up before it asks, each once', async () => {
    const queries: string[] = [];
    const lookups: unknown[] = [];
    const { result } = scriptedRun({
      tools: [scriptedTool((query) => (queries.push(query), { documents: [note(query)] }))],
      analyst: scriptedAnalyst({
        assess: async (input) => (
          lookups.push(input.lookups),
          { ...clearAssessment, unknownTerms: ['RLM', 'QZX', 'ABC'] }
        ),
        plan: async () => planOf(['Alpha']),
      }),
    });
    await result;
    assert.deepEqual(queries.slice(0, 3).sort(), ['ABC', 'QZX', 'RLM']);
    assert.deepEqual(
      (lookups[1] as { outcome: string }[]).map(({ outcome }) => outcome),
      ['found', 'found', 'found'],
    );
    assert.equal(lookups.length, 2);
  });

  it('ends a question that cannot be researched with its reason', async () => {
    const { result, events } = scriptedRun({
      analyst: scriptedAnalyst({ assess: async () => ({ ...clearAssessment, cannotDo: 'This is a poem.' }) }),
    });
    await assert.rejects(result, reasonOf('cannotDo'));
    assert.deepEqual(
      ofType(events, 'run/failed').map(({ reason, message }) => ({ reason, message })),
      [{ reason: 'cannotDo', message: 'This is a poem.' }],
    );
  });
});
