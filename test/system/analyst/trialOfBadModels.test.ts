import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tried } from '../../../src/research/analyst/llm/trial.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import { estimateRequest } from '../../../src/research/text/estimateTokens.ts';
import { scopeOver } from '../../support/analystTestKit.ts';
import { badModels } from '../../support/badModels.ts';
import { lyingModels } from '../../support/lyingModels.ts';
import { openChat } from '../../support/modelTestKit.ts';
import { startModelServer } from '../../support/modelServer.ts';

/** What the trial shows of each imitated bad model. All others do its small tasks right and lead: what they write is checked. */
const outcomes: Readonly<Record<string, string>> = {
  // They answer, and not what was asked.
  empty: 'quotes 0',
  whitespace: 'quotes 0',
  looping: 'quotes 0',
  'garbage bytes': 'quotes 0',
  'another language': 'quotes 0',
  'prose instead of JSON': 'quotes 0',
  'JSON cut off': 'quotes 3',
  'prompt repeated': 'quotes 0',
  'assistant chatter': 'quotes 0',
  'valid JSON of another step': 'quotes 0',
  'keys twice, the second empty': 'quotes 0',
  // They refuse.
  'content filter': 'none',
  'finish: content_filter': 'none',
  // No answer arrives: the step behind it meets the same.
  'stalls from the second answer on': 'timeout',
  'stream broken': 'streamBroken',
};

describe('the trial of an imitated model', () => {
  for (const model of [...badModels, ...lyingModels]) {
    const expected = outcomes[model.name] ?? 'leads 10';
    it(`shows in two calls of 600 tokens: ${model.name}, ${expected}`, async () => {
      const script = model.script();
      const both = Promise.withResolvers<void>();
      const firstEnd = async () => {
        while (server.requests[0]!.endedAt === undefined) await new Promise(setImmediate);
      };
      // Of one slot the second answer begins beside the first, and is asked for again when that is free.
      const inOrder = [() => both.promise, () => both.resolve(), firstEnd];
      const server = await startModelServer({
        isTried: true,
        ...model.server,
        script: (request) => ({
          ...script(request),
          ...(model.server?.slots && { until: Promise.resolve(inOrder.shift()?.()) }),
        }),
      });
      const port = openChat(server.url);
      // Those that fall silent: a run hears that, and this scope does not.
      const silent = new AbortController();
      if (model.settings) setTimeout(() => silent.abort(new ResearchError('timeout', 'Silent.')), 1_000);
      const scope = scopeOver((request) => port.complete(request, {}, silent.signal));
      try {
        const shown = await tried([], scope, 'run').then(
          (found) => (found ? `${found.trust} ${found.right}` : 'none'),
          (error: unknown) => ResearchError.from(error).reason,
        );
        assert.equal(shown, expected);
        assert.equal(scope.calls.length, 2);
        assert.ok(scope.calls.reduce((sum, { request }) => sum + estimateRequest(request), 0) <= 600);
      } finally {
        await server.close();
      }
    });
  }

  it('has an outcome for models that exist', () => {
    const names = new Set([...badModels, ...lyingModels].map(({ name }) => name));
    assert.deepEqual(
      Object.keys(outcomes).filter((name) => !names.has(name)),
      [],
    );
  });
});
