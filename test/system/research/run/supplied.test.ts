import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { ResearchError } from '../../../../src/research/errors.ts';
import type { TakePage } from '../../../../src/research/ports.ts';
import type { SuppliedPort } from '../../../../src/research/run/supplied.ts';
import type { ResearchTool } from '../../../../src/research/tools.ts';
import { goodReview, note, ofType, scriptedAnalyst, scriptedTool } from '../../../support/scriptedParts.ts';
import { scriptedRun } from '../../../support/scriptedRun.ts';

/** Pages that a run could not read and whose text the user gives. */

const url = 'https://paper.example/article';
const text = 'The harbour was dredged to a depth of 17 metres in 2031. So says the page behind the wall.';

const readPage: ResearchTool = {
  name: 'read_page',
  description: 'Reads a page.',
  parameters: z.object({ url: z.string() }),
  source: 'workspace',
  kind: 'read',
  opensPages: true,
  run: async () => {
    await new Promise((resolve) => setImmediate(resolve));
    throw new ResearchError('auth', 'The page at paper.example must be paid for.', { next: 'Use another page.' });
  },
};
const tools = [scriptedTool((query) => ({ documents: [note(query)] })), readPage];

/** Searches and opens the page in the section Alpha. */
const blocked = () =>
  scriptedAnalyst({
    act: async ({ task, turn }) => ({
      said: '',
      calls:
        turn > 0
          ? []
          : [
              { id: 'a', name: 'search_notes', args: { query: task.title } },
              ...(task.title === 'Alpha' ? [{ id: 'b', name: 'read_page', args: { url } }] : []),
            ],
    }),
  });

let reads = 0;
function port(onOffer?: (take: TakePage) => void): SuppliedPort {
  return {
    read: async (page) => {
      reads += 1;
      if (page.excerpt?.text === '') throw new ResearchError('badRequest', 'It has no text.', { next: 'x' });
      return {
        ...{ kind: 'attached', title: 'An article', authors: [], url: page.url, isPrivate: true },
        text: page.excerpt?.text ?? text,
      };
    },
    ...(onOffer && { offer: onOffer }),
  };
}
const given = { path: 'pasted', excerpt: { text, firstLine: 1 }, url };

describe('a page that could not be read', () => {
  it('is named once, with its reason and the section that wanted it', async () => {
    const { result, events } = scriptedRun({ tools, analyst: blocked() });
    const { warnings } = await result;
    assert.deepEqual(
      ofType(events, 'page/unread').map((event) => [event.url, event.section, event.why]),
      [[url, 's1', 'The page at paper.example must be paid for.']],
    );
    assert.deepEqual(
      warnings.map(({ kind }) => kind),
      ['page.unread'],
    );
  });

  it('is taken in while its section is researched, as the source of its address', async () => {
    let take: TakePage | undefined;
    const analyst = blocked();
    const seen = new Map<string, readonly (string | undefined)[]>();
    const { result, events } = scriptedRun({
      tools,
      supplied: port((offered) => (take = offered)),
      analyst: {
        ...analyst,
        act: async (input, scope) => {
          if (input.task.title === 'Alpha' && input.turn === 1) await take!(given);
          return analyst.act(input, scope);
        },
        distil: async (input, scope) => {
          seen.set(input.section.id, [...(seen.get(input.section.id) ?? []), ...input.sources.map((one) => one.url)]);
          return analyst.distil(input, scope);
        },
      },
    });
    const { report, sources } = await result;
    assert.match(report, /dredged to a depth of 17 metres in 2031\. \[\[\d\]\]\(#ref-\d\)/);
    assert.ok(seen.get('s1')?.includes(url));
    // It was wanted in one section: the others do without.
    assert.equal(seen.get('s2')?.includes(url), false);
    const [supplied] = ofType(events, 'page/supplied');
    assert.equal(sources.find(({ id }) => id === supplied?.source)?.url, url);
  });

  it('is taken in after its section was done: the section is condensed again before the report', async () => {
    let take: TakePage | undefined;
    const { result, events } = scriptedRun({
      tools,
      supplied: port((offered) => (take = offered)),
      analyst: { ...blocked(), review: async () => (await take!(given), goodReview) },
    });
    assert.match((await result).report, /dredged to a depth of 17 metres/);
    const ofAlpha = ofType(events, 'section/updated').filter(({ id }) => id === 's1');
    assert.equal(ofAlpha.at(-1)?.attempt, 2);
    assert.equal(ofAlpha.at(-1)?.status, 'completed');
    assert.ok(ofType(events, 'section/updated').every(({ id, attempt }) => id === 's1' || attempt <= 1));
  });

  it('is taken in by all sections when none of them wanted it', async () => {
    let take: TakePage | undefined;
    const { result } = scriptedRun({
      supplied: port((offered) => (take = offered)),
      analyst: scriptedAnalyst({ review: async () => (await take!(given), goodReview) }),
    });
    assert.equal((await result).report.match(/depth of 17 metres/g)?.length, 3);
  });

  it('comes too late once the report is being written', async () => {
    let take: TakePage | undefined;
    let failure: unknown;
    const analyst = scriptedAnalyst();
    const { result } = scriptedRun({
      supplied: port((offered) => (take = offered)),
      analyst: {
        ...analyst,
        async *writeReport(input, scope) {
          failure = await take!(given).catch((error: unknown) => error);
          yield* analyst.writeReport(input, scope);
        },
      },
    });
    assert.doesNotMatch((await result).report, /17 metres/);
    assert.ok(ResearchError.is(failure, 'finish'));
  });

  it('whose text can not be used leaves the run as it was, and says why', async () => {
    let take: TakePage | undefined;
    const failures: unknown[] = [];
    const { result, events } = scriptedRun({
      tools,
      supplied: port((offered) => (take = offered)),
      analyst: {
        ...blocked(),
        review: async () => {
          const empty = { ...given, excerpt: { text: '', firstLine: 1 } };
          failures.push(await take!(empty).catch((error: unknown) => error));
          return goodReview;
        },
      },
    });
    await result;
    assert.ok(ResearchError.is(failures[0], 'badRequest'));
    assert.deepEqual(ofType(events, 'page/supplied'), []);
  });

  for (const status of ['cancelled', 'failed'] as const)
    it(`is there again when the run is resumed (${status}), without its file, and is not announced twice`, async () => {
      const stop = new AbortController();
      let take: TakePage | undefined;
      const first = scriptedRun({
        tools,
        signal: stop.signal,
        supplied: port((offered) => (take = offered)),
        analyst: { ...blocked(), review: async () => (await take!(given), stop.abort(), goodReview) },
      });
      await assert.rejects(first.result);
      reads = 0;
      const { folder } = first;
      const second = scriptedRun({
        tools,
        analyst: blocked(),
        journal: folder.calls,
        checkpoints: folder.checkpoints,
        events: folder.events,
        supplied: port(),
        resume: { created: '2026-03-04T10:00:00.000Z', status, changes: [] },
      });
      assert.match((await second.result).report, /dredged to a depth of 17 metres/);
      assert.equal(reads, 0);
      assert.deepEqual(ofType(second.events, 'page/supplied'), []);
      assert.deepEqual(ofType(second.events, 'page/unread'), []);
    });

  it('can be given when the run is resumed', async () => {
    const stop = new AbortController();
    const first = scriptedRun({
      tools,
      signal: stop.signal,
      analyst: { ...blocked(), review: async () => (stop.abort(), goodReview) },
    });
    await assert.rejects(first.result);
    const { folder } = first;
    const second = scriptedRun({
      tools,
      analyst: blocked(),
      journal: folder.calls,
      checkpoints: folder.checkpoints,
      events: folder.events,
      supplied: { ...port(), pages: [given] },
      resume: { created: '2026-03-04T10:00:00.000Z', status: 'cancelled', changes: [] },
    });
    assert.match((await second.result).report, /dredged to a depth of 17 metres/);
    assert.equal(ofType(second.events, 'page/supplied').length, 1);
  });

  it('is one of forty at most', async () => {
    let take: TakePage | undefined;
    const failures: unknown[] = [];
    const { result } = scriptedRun({
      supplied: port((offered) => (take = offered)),
      analyst: scriptedAnalyst({
        review: async () => {
          for (let index = 0; index < 45; index += 1)
            await take!({ ...given, url: `${url}/${index}` }).catch((error: unknown) => failures.push(error));
          return goodReview;
        },
      }),
    });
    await result;
    assert.equal(failures.length, 5);
  });
});
