import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { extractiveAnalyst } from '../../../../src/research/analyst/extractive/extractiveAnalyst.ts';
import { searchShare } from '../../../../src/research/policy/budget.ts';
import { questionKindsOf } from '../../../../src/research/policy/questionKinds.ts';
import { SourceChoice } from '../../../../src/research/policy/sourceChoice.ts';
import { memoryFolder, ofType } from '../../../support/scriptedParts.ts';
import { scriptedRun } from '../../../support/scriptedRun.ts';
import { trialSource, trialSources, trialToolsOf } from '../../../support/trialSource.ts';

const question = 'How do retrieval methods improve the answers of language models? A survey of papers and evaluation.';
const kinds = ['science', 'news', 'opinion'] as const;
const limit = 10;

async function researched(strategy: 'iterative' | 'sections', count: number, settings = {}) {
  const definitions = trialSources(count, kinds);
  const run = scriptedRun({
    question,
    analyst: extractiveAnalyst,
    tools: await trialToolsOf(definitions),
    settings: { strategy, 'limits.maxToolCallsPerResearcher': limit, ...settings },
  });
  const result = await run.result;
  const finished = ofType(run.events, 'tool/finished');
  const asked = new Set(finished.filter(({ name }) => name.startsWith('search_')).map(({ name }) => name.slice(7)));
  const relevant = definitions.filter(({ goodFor }) => goodFor.includes('science')).map(({ name }) => name);
  return { ...run, result, finished, asked, relevant, definitions };
}

for (const strategy of ['sections', 'iterative'] as const) {
  describe(`without a model, strategy ${strategy}`, () => {
    for (const count of [2, 4, 14]) {
      it(`asks every fitting source of ${count}, reads what they name, and ends in a report`, async () => {
        const { result, events, finished, asked, relevant, definitions } = await researched(strategy, count);
        assert.notEqual(result.report, '');
        assert.deepEqual(ofType(events, 'run/failed'), []);
        assert.deepEqual(
          relevant.filter((name) => !asked.has(name)),
          [],
        );
        const read = finished.filter(({ name }) => name.startsWith('read_'));
        assert.ok(read.length > 0 && read.every(({ sources }) => sources.length === 1), 'pages are opened');
        assert.match(result.report, /retrieval methods improve the answers/, 'and quoted');

        const bySection = Map.groupBy(ofType(events, 'tool/started'), ({ section, call }) =>
          [section, ...call.split('/').slice(0, 3)].join(),
        );
        for (const calls of bySection.values()) {
          assert.ok(calls.filter(({ name }) => name.startsWith('search_')).length <= searchShare(limit));
          assert.ok(calls.length <= limit);
        }
        const told = ofType(events, 'run/warning').filter(({ code }) => code === 'sources.notAsked');
        const unasked = definitions.filter(({ name }) => !asked.has(name));
        assert.equal(told.length, unasked.length > 0 ? 1 : 0);
        for (const { label } of unasked) {
          assert.match(told[0]!.message, new RegExp(`${label}\\b`));
          assert.match(result.report, new RegExp(`Not asked within .*${label}\\b`));
        }
      });
    }
  });
}

test('what a small budget did not reach is said in the run and in the report', async () => {
  const settings = {
    'limits.maxToolCallsPerResearcher': 2,
    'limits.maxIterations': 1,
    'limits.maxReviewIterations': 0,
  };
  const { events, result, asked } = await researched('iterative', 14, settings);
  assert.ok(asked.size < 14);
  const [warning] = ofType(events, 'run/warning').filter(({ code }) => code === 'sources.notAsked');
  assert.match(warning!.message, /^Not asked within the limit of tool calls: Trial trial\d+/);
  assert.ok(result.report.includes(warning!.message.slice(0, 60)));
});

for (const strategy of ['sections', 'iterative'])
  test(`a run (${strategy}) that begins again sends nothing twice, though other sources would be chosen now`, async () => {
    const definitions = trialSources(14, kinds);
    const tools = await trialToolsOf(definitions);
    const settings = { strategy, 'limits.maxToolCallsPerResearcher': limit };
    const first = memoryFolder();
    await scriptedRun({ question, analyst: extractiveAnalyst, tools, settings, folder: first }).result;
    let calls = 0;
    const counted = tools.map((tool) => ({
      ...tool,
      run: (...given: Parameters<typeof tool.run>) => (
        (calls += 1),
        console.log(tool.name, given[0]),
        tool.run(...given)
      ),
    }));
    const again = scriptedRun({
      question,
      analyst: extractiveAnalyst,
      tools: counted,
      settings,
      journal: first.calls,
      events: first.events.filter(({ type }) => type === 'tool/finished'),
    });
    await again.result;
    assert.equal(calls, 0);
  });

describe('the choice of sources', () => {
  const finished = (name: string, sources: readonly string[], error?: string) => ({
    type: 'tool/finished' as const,
    call: 'x',
    name,
    ms: 1,
    sources: [...sources],
    ...(error ? { error } : {}),
  });
  const names = (tools: readonly { readonly source: string }[]) => tools.map(({ source }) => source);

  it('prefers what is good for the question, then what answered, and tries the others last', async () => {
    const choice = new SourceChoice(
      await trialToolsOf([
        trialSource('talk', { goodFor: ['opinion'] }),
        trialSource('dumb'),
        trialSource('rich'),
        trialSource('late', { goodFor: ['science', 'software'] }),
      ]),
    );
    assert.deepEqual(names(choice.choose('papers on proteins', 4)), ['dumb', 'rich', 'late', 'talk']);
    for (const name of ['search_dumb', 'search_late']) choice.see(finished(name, []));
    choice.see(finished('search_rich', ['S1', 'S2']));
    assert.deepEqual(names(choice.choose('papers on proteins', 1)), ['rich']);
  });

  it('comes back to one that found nothing when the others were asked often', async () => {
    const choice = new SourceChoice(await trialToolsOf([trialSource('rich'), trialSource('dumb')]));
    choice.see(finished('search_rich', ['S1']));
    choice.see(finished('search_dumb', []));
    const chosen = Array.from({ length: 40 }, () => {
      const [tool] = choice.choose('papers', 1);
      choice.see(finished(tool!.name, tool!.source === 'rich' ? ['S1'] : []));
      return tool!.source;
    });
    const rich = chosen.filter((name) => name === 'rich').length;
    assert.ok(rich > 25 && rich < 40, `${rich} of 40`);
  });

  it('leaves one that fails for the end', async () => {
    const choice = new SourceChoice(
      await trialToolsOf([trialSource('down'), trialSource('talk', { goodFor: ['opinion'] })]),
    );
    choice.see(finished('search_down', [], 'It can not be reached.'));
    assert.deepEqual(names(choice.choose('papers', 2)), ['talk', 'down']);
  });

  it('lets researchers that start together begin with different sources', async () => {
    const choice = new SourceChoice(await trialToolsOf(trialSources(6, ['science'])));
    const chosen = [1, 2, 3].flatMap(() => names(choice.choose('papers', 2)));
    assert.equal(new Set(chosen).size, 6);
  });

  for (const [kinds, queries] of [2, 4, 6, 10].flatMap((count) => [1, 3].map((many) => [count, many] as const)))
    it(`reaches ${Math.min(kinds, 7)} of ${kinds} fitting sources in each section, with ${queries} queries`, async () => {
      const one = await trialToolsOf([
        ...Array.from({ length: kinds }, (_, index) => trialSource(`fits${index}`)),
        ...[1, 2, 3].map((index) => trialSource(`talk${index}`, { goodFor: ['opinion'] })),
      ]);
      // Every third source has a second search tool, every third one a third.
      const tools = one.flatMap((tool) =>
        ['', '_more', '_most']
          .slice(0, tool.kind === 'search' ? 1 + (Number(/\d+$/.exec(tool.name)) % 3) : 1)
          .map((ending) => ({ ...tool, name: tool.name + ending })),
      );
      const choice = new SourceChoice(tools);
      const texts = Array.from({ length: queries }, (_, index) => `papers on proteins ${index}`);
      for (const section of [1, 2, 3, 4]) {
        const count = Math.min(searchShare(limit), Math.max(5, choice.fitting(texts, tools)));
        const dealt = choice.deal(texts, count).flat();
        const reached = new Set(names(dealt).filter((name) => name.startsWith('fits')));
        assert.equal(reached.size, Math.min(kinds, searchShare(limit)), `section ${section}`);
        for (const { name, source } of dealt) choice.see(finished(name, /[13579]$/.test(source) ? ['S1'] : []));
      }
    });

  it('asks what is on this machine with each query as far as every fitting source keeps its call', async () => {
    const { endpoint: _none, ...near } = trialSource('near', { goodFor: ['science', 'notes'] });
    const texts = ['papers on proteins', 'papers on genes', 'papers on cells'];
    for (const [fitting, nearCalls] of [
      [2, 3],
      [4, 3],
      [6, 1],
    ] as const) {
      const others = Array.from({ length: fitting }, (_, index) => trialSource(`fits${index}`));
      const choice = new SourceChoice(await trialToolsOf([near, ...others]));
      const dealt = names(choice.deal(texts, 7).flat());
      assert.equal(new Set(dealt).size, fitting + 1);
      assert.equal(dealt.filter((name) => name === 'near').length, nearCalls);
    }
  });

  it('asks what is on this machine first', async () => {
    const { endpoint: _none, ...near } = trialSource('near', { goodFor: ['notes'] });
    const choice = new SourceChoice(await trialToolsOf([trialSource('far'), near]));
    assert.deepEqual(names(choice.choose('papers', 2)), ['near', 'far']);
  });
});

test('the kind of a question shows in its words', () => {
  assert.deepEqual([...questionKindsOf('Which papers measure dense retrieval?')], ['science']);
  assert.ok(questionKindsOf('Which library for vector search, in Rust?').has('software'));
  assert.ok(questionKindsOf('What do people think of it, is it worth it?').has('opinion'));
  assert.deepEqual([...questionKindsOf('Katzen')], []);
  assert.equal(questionKindsOf(`${'a '.repeat(1_000_000)} paper`).size, 0);
});
