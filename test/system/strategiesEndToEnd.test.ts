import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runInHost, startCommand } from '../support/commandLine.ts';
import { type CommandPlace, makeCommandPlace } from '../support/commandPlace.ts';
import { startModelServer } from '../support/modelServer.ts';
import { requestsOf } from '../support/modelScenarios.ts';
import { sampled } from '../support/sampled.ts';
import { ofType } from '../support/scriptedParts.ts';

const questions = {
  list: 'Which techniques for retrieval-augmented generation are there?',
  comparison: 'Compare dense retrieval and sparse retrieval',
  deepDive: 'Explain reranking for retrieval-augmented generation in detail',
} as const;

describe('three strategies on three questions', () => {
  let place: CommandPlace;
  before(async () => void (place = await makeCommandPlace({ 'deepResearch.planApproval': 'never' })));
  after(() => place.remove());

  const common = () => [
    '--workspace',
    place.workspace,
    '--run-dir',
    place.runs,
    '--settings',
    place.settings,
    '--yes',
    '--events',
  ];

  const runs = (['sections', 'iterative', 'supervisor'] as const).flatMap((strategy) =>
    Object.entries(questions).flatMap(([kind, question]) =>
      [false, true].map((withModel) => ({ strategy, kind, question, withModel })),
    ),
  );
  for (const { strategy, kind, question, withModel } of sampled(runs, (run) => [
    `${run.strategy}, ${run.withModel}`,
    run.kind,
  ])) {
    if (!withModel)
      it(`${strategy}, ${kind}, without a model: a cited report`, async () => {
        const { code, events, stderr } = await runInHost([question, '--strategy', strategy, ...common()]);
        assert.equal(code, 0, stderr);
        checkRun(events, strategy);
      });
    else
      it(`${strategy}, ${kind}, with a model: a cited report`, async () => {
        const server = await startModelServer();
        const { code, events, stderr } = await runInHost([
          question,
          '--strategy',
          strategy,
          '--base-url',
          server.url,
          '--model',
          'imitation-1',
          ...common(),
        ]);
        await server.close();
        assert.equal(code, 0, stderr);
        checkRun(events, strategy);
        if (strategy === 'iterative') {
          assert.equal(requestsOf(server.requests, 'reflect').length, 2);
          assert.ok(ofType(events, 'round/updated').some(({ round }) => round === 2));
        }
        if (strategy === 'supervisor') {
          assert.equal(requestsOf(server.requests, 'brief').length, 1);
          const topics = new Set(ofType(events, 'topic/updated').map(({ id }) => id)).size;
          assert.equal(topics, kind === 'comparison' ? 2 : 1);
        }
      });
  }

  it('auto takes sections without a model: retrieval needs no second round', async () => {
    for (const [kind, strategy] of [
      ['list', 'sections'],
      ['comparison', 'sections'],
      ['deepDive', 'sections'],
    ] as const) {
      const { events, stderr } = await runUntil('"run/strategy"', [questions[kind], ...common()]);
      assert.equal(ofType(events, 'run/strategy')[0]?.strategy, strategy, stderr);
    }
  });

  it('--max-iterations means the rounds of the strategy; the flag wins over the environment, the environment over the setting', async () => {
    const limited = path.join(place.runs, 'limited.json');
    fs.writeFileSync(
      limited,
      JSON.stringify({
        ...(JSON.parse(fs.readFileSync(place.settings, 'utf8')) as object),
        'deepResearch.limits.maxIterations': 7,
      }),
    );
    const rounds = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
      const server = await startModelServer();
      const all = [
        questions.deepDive,
        '--strategy',
        'iterative',
        '--base-url',
        server.url,
        '--model',
        'imitation-1',
        '--workspace',
        place.workspace,
        '--run-dir',
        place.runs,
        '--settings',
        limited,
        '--yes',
        '--events',
      ];
      const { events } = await runUntil('"round/updated"', [...all, ...args], { env });
      await server.close();
      return ofType(events, 'round/updated')[0]?.maxRounds;
    };
    assert.equal(await rounds(['--max-iterations', '1'], { DEEP_RESEARCH_MAX_ITERATIONS: '3' }), 1);
    assert.equal(await rounds([], { DEEP_RESEARCH_MAX_ITERATIONS: '3' }), 3);
    assert.equal(await rounds([], { DEEP_RESEARCH_MAX_ITERATIONS: '' }), 7);
  });
});

/** A run that is stopped as soon as it has said what is looked for. */
async function runUntil(said: string, ...args: Parameters<typeof startCommand>) {
  const command = startCommand(...args);
  await command.seen(said);
  command.child.kill('SIGTERM');
  return command.done;
}

function checkRun(events: Awaited<ReturnType<typeof runInHost>>['events'], strategy: string): void {
  const last = events.at(-1)!;
  assert.ok(last.type === 'run/finished' && last.path !== undefined);
  assert.equal(ofType(events, 'run/strategy')[0]?.strategy, strategy);
  const report = fs.readFileSync(last.path, 'utf8');
  const cited = ofType(events, 'report/finished')[0]!.citations.cited;
  assert.ok(cited >= 2, `cites ${cited} sources`);
  assert.equal([...report.matchAll(/^- <a id="ref-\d+"><\/a>\[\d+\] /gm)].length, cited);
  const searches = ofType(events, 'tool/started').map(({ name, args }) => `${name} ${args.toLowerCase()}`);
  assert.equal(new Set(searches).size, searches.length, 'no search was issued twice');
}
