import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseEvent } from '../../../src/protocol/events.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import {
  fakeClock,
  memoryFolder,
  note,
  ofType,
  planOf,
  scriptedAnalyst,
  scriptedTool,
} from '../../support/scriptedParts.ts';
import { scriptedRun } from '../../support/scriptedRun.ts';

const reasonOf = (reason: string) => (error: unknown) => ResearchError.is(error) && error.reason === reason;

describe('a run', () => {
  it('is known by its report’s title as a reader sees it, and by its cited sources', async () => {
    const analyst = scriptedAnalyst({
      plan: async () => ({ ...planOf(['Alpha', 'Beta', 'Gamma']), title: 'Trees < \\ lists' }),
    });
    const { result, folder } = scriptedRun({ analyst });
    await result;
    const { title, cited, outcome } = folder.records.at(-1)!;
    assert.deepEqual({ title, cited, outcome }, { title: 'Trees < \\ lists', cited: 3, outcome: 'complete' });
  });

  it('goes from the question to a saved, cited report', async () => {
    const { result, saved, events, folder } = scriptedRun();
    const { report, path, outcome, sources } = await result;
    assert.equal(outcome, 'complete');
    assert.equal(path, '/reports/2026-03-04-a-plan.md');
    assert.equal(saved[0]!.markdown, report);
    assert.equal(folder.report, report);
    assert.match(
      report,
      /^---\ntitle: "A plan"\nquestion: "What do the field notes say about reconnecting\?"\ncreated: "2026-03-04T10:00:00.000Z"\nstrategy: "sections"\n/,
    );
    assert.match(report, /\n## Alpha\n\nAlpha is described here in a full sentence\. \[\[1\]\]\(#ref-1\)\n/);
    assert.match(report, /\n## Conclusion and outlook\n\nThat was it\.\n/);
    assert.match(
      report,
      /\n## References\n\n- <a id="ref-1"><\/a>\[1\] Alpha\. notes\/alpha\.md#L1-L3\. Retrieved 2026-03-04\n- <a id="ref-2"><\/a>\[2\] Beta/,
    );
    assert.match(report, /\n## How this report was made\n/);
    assert.equal(sources.length, 3);
    assert.deepEqual(
      events.map((event) => event.seq),
      events.map((_, index) => index + 1),
    );
    for (const event of events) assert.ok(parseEvent(JSON.parse(JSON.stringify(event))), event.type);
    assert.equal(events[0]!.type, 'run/started');
    assert.equal(events.at(-1)!.type, 'run/finished');
    assert.deepEqual(
      folder.events.map((event) => event.seq),
      events.map((event) => event.seq),
    );
    assert.deepEqual(
      folder.records.map((record) => record.status),
      ['finished'],
    );
  });

  it('streams the report so that the deltas add up to it', async () => {
    const { result, events } = scriptedRun();
    const { report } = await result;
    let shown = '';
    for (const { offset, text } of ofType(events, 'report/delta')) shown = shown.slice(0, offset) + text;
    assert.ok(report.endsWith(shown));
    assert.ok(shown.startsWith('# A plan'));
    assert.equal(ofType(events, 'report/delta').at(-1)!.citations?.length, 3);
  });

  it('refuses an empty and an overlong question and makes no run', async () => {
    for (const question of ['', ' \n\t', 'x'.repeat(200_000)]) {
      const { result, events } = scriptedRun({ question });
      await assert.rejects(result, reasonOf('badRequest'));
      assert.equal(events.length, 0);
    }
  });

  it('takes questions of any script and names the file by the title', async () => {
    for (const [question, title, name] of [
      ['检索增强生成有哪些方法？', '检索增强生成的方法', '2026-03-04-检索增强生成的方法.md'],
      ['ما هو التوليد المعزز بالاسترجاع؟', 'التوليد المعزز', '2026-03-04-التوليد-المعزز.md'],
      ['🔥🔥🔥 RAG?', '🔥🔥', '2026-03-04-report.md'],
      ['../../etc', '../../etc/passwd', '2026-03-04-etc-passwd.md'],
      ['Überblick über Gärung', 'Crème brûlée: à la carte', '2026-03-04-creme-brulee-a-la-carte.md'],
    ] as const) {
      const { result, saved } = scriptedRun({
        question,
        analyst: scriptedAnalyst({
          plan: async () => ({ ...planOf(['Alpha']), title }),
          writeReport: async function* () {},
        }),
      });
      await result;
      assert.equal(saved[0]!.name, name);
    }
  });

  it('keeps hostile questions inside the front matter', async () => {
    const { result } = scriptedRun({ question: 'x"\n---\nevil: true\n\u2028 end' });
    const { report } = await result;
    assert.equal(report.split('\n---\n').length, 2);
    assert.ok(!/^evil/m.test(report));
  });
});

describe('report', () => {
  it('completes what the writer left out, and replaces the writer’s own references', async () => {
    const { result, events } = scriptedRun({
      analyst: scriptedAnalyst({
        async *writeReport({ sections }) {
          yield `# Own title\n\nSummary.\n\n### 2. Beta\n\nBeta says. [${sections[1]!.sourceIds[0]}]\n\n## References\n\n[1] A made up paper, 1999.\n`;
        },
      }),
    });
    const { report } = await result;
    assert.match(
      report,
      /# Own title\n\nSummary\.\n\n## Alpha\n\nAlpha is described[^\n]*\[\[1\]\]\(#ref-1\)\n\n## Beta\n\nBeta says\. \[\[2\]\]\(#ref-2\)\n\n## Gamma\n/,
    );
    assert.equal(report.match(/## References/g)?.length, 1);
    assert.ok(!report.includes('1999'));
    assert.match(report, /## Conclusion and outlook\n\nSections with findings: 3\. Sources: 3\.\n/);
    assert.ok(ofType(events, 'report/delta').some(({ offset }) => offset > 0));
  });

  it('keeps the whole sentences that were written when the writer breaks off, and loses nothing that was found', async () => {
    const { result } = scriptedRun({
      analyst: scriptedAnalyst({
        async *writeReport() {
          yield '# Half\n\nA summary stands here.\n\n## Alpha\n\nAlpha in own words. And then';
          throw new ResearchError('streamBroken', 'The stream broke.');
        },
      }),
    });
    const { report, outcome } = await result;
    assert.equal(outcome, 'partial');
    assert.match(
      report,
      /A summary stands here\.[\s\S]*Alpha in own words\.\n\nAlpha is described[\s\S]*Beta is described[\s\S]*Note: The report could not be completed: The stream broke/,
    );
    assert.ok(!report.includes('And then'));
  });

  it('is saved with the run when its folder cannot be written, and says so', async () => {
    const folder = memoryFolder();
    const { result, events } = scriptedRun({
      folder: { ...folder, location: '/runs/x' },
      sink: {
        save: () =>
          Promise.reject(
            new ResearchError('storage', 'Could not save: the disk is full.', { next: 'Free some space.' }),
          ),
      },
    });
    const { report, path } = await result;
    assert.equal(path, undefined);
    assert.ok(report.includes('Alpha is described'));
    assert.match(ofType(events, 'run/warning')[0]!.message, /disk is full.*saved in \/runs\/x.*Free some space/);
    assert.equal(ofType(events, 'report/finished')[0]!.path, undefined);
  });

  it('survives a run folder that can’t be written: one warning, a saved report', async () => {
    const full = (): Promise<never> => Promise.reject(new ResearchError('storage', 'The disk is full.'));
    const { result, events } = scriptedRun({
      folder: {
        saveRecord: full,
        appendEvent: full,
        saveSources: full,
        saveEvidence: full,
        appendCall: full,
        appendCheckpoint: full,
        saveReport: full,
        close: async () => undefined,
      },
    });
    const { path } = await result;
    assert.ok(path);
    assert.equal(ofType(events, 'run/warning').filter(({ code }) => code === 'storage').length, 1);
  });
});

describe('stop', () => {
  for (const phase of ['assess', 'plan', 'act', 'distil', 'review', 'writeReport'] as const) {
    it(`ends a run in ${phase}, even when the analyst does not listen`, async () => {
      const stop = new AbortController();
      const never = () => new Promise<never>(() => setTimeout(() => stop.abort(), 5));
      const over =
        phase === 'writeReport'
          ? {
              writeReport: async function* () {
                yield '# T\n\nText. More';
                await never();
              },
            }
          : { [phase]: never };
      const { result, events, saved } = scriptedRun({ signal: stop.signal, analyst: scriptedAnalyst(over) });
      await assert.rejects(result, reasonOf('abort'));
      assert.equal(events.at(-1)!.type, 'run/cancelled');
      assert.equal(saved.length, 0);
    });
  }

  it('ends a run that waits for an answer', async () => {
    const stop = new AbortController();
    const { result, events } = scriptedRun({
      signal: stop.signal,
      settings: { planApproval: 'always' },
      approve: () => (setImmediate(() => stop.abort()), new Promise(() => undefined)),
    });
    await assert.rejects(result, reasonOf('abort'));
    assert.equal(events.at(-1)!.type, 'run/cancelled');
  });

  it('finishes early with a cited report from what is there', async () => {
    const finish = new AbortController();
    const { result } = scriptedRun({
      finishSignal: finish.signal,
      analyst: scriptedAnalyst({
        act: async ({ turn, task }) => {
          if (turn === 1) finish.abort();
          return {
            said: '',
            calls: [{ id: `c${turn}`, name: 'search_notes', args: { query: `${task.title} ${turn}` } }],
          };
        },
      }),
    });
    const { report, outcome } = await result;
    assert.equal(outcome, 'partial');
    assert.match(report, /\[1\]/);
    assert.match(report, /Finished early/);
  });
});

describe('replay', () => {
  it('repeats a parallel run from its journal: no call again, the same report byte for byte', async () => {
    let searches = 0;
    const jittery = scriptedTool(async (query) => {
      searches += 1;
      for (let i = 0; i < Math.floor(Math.random() * 8); i += 1) await new Promise((resolve) => setImmediate(resolve));
      return { documents: [note(query), note('Shared')] };
    });
    const options = { tools: [jittery], settings: { planApproval: 'always' } } as const;
    const first = scriptedRun({ ...options, clock: fakeClock() });
    const { report } = await first.result;
    assert.equal(searches, 3);
    const second = scriptedRun({ ...options, clock: fakeClock(), journal: first.folder.calls });
    assert.equal((await second.result).report, report);
    assert.equal(searches, 3);
    const third = scriptedRun({
      ...options,
      clock: fakeClock(),
      journal: first.folder.calls.filter((line) => line.includes('/tool/')).slice(0, 1),
    });
    assert.equal((await third.result).report, report);
    assert.equal(searches, 5);
  });

  it('sets damaged and foreign journal lines aside', async () => {
    const first = scriptedRun();
    await first.result;
    const damaged = ['{"v":1,"key":', 'null', '[]', '{"v":9}', '', first.folder.calls[0]!.slice(0, -5)];
    const second = scriptedRun({ journal: damaged });
    assert.equal((await second.result).outcome, 'complete');
    assert.equal(second.folder.calls.filter((line) => line.includes('/tool/')).length, 3);
  });
});
