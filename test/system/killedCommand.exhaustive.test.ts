import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ResearchEventType } from '../../src/protocol/events.ts';
import { type Command, startCommand } from '../support/commandLine.ts';
import type { Step } from '../support/modelRequest.ts';
import { discoverList, either, sendBackInFirstRound, unknownTerm, whenever } from '../support/modelScenarios.ts';
import { type ModelRequest, type ModelServer, type Script, startModelServer } from '../support/modelServer.ts';
import { numbered, PaidOnce } from '../support/paidOnce.ts';
import { copyWorkspace, removeFolder, root, temporaryFolder } from '../support/paths.ts';
import { sampled } from '../support/sampled.ts';
import { imitatedSettings, type SourceServer, startSourceServer } from '../support/sourceServer.ts';

/** A place in a run at which its process is killed. */
type Point =
  /** The `nth` request of a step is at the model server (from 1, over all lives of the run). */
  | readonly [step: Step, nth: number]
  /** The `nth` look-up is at an imitated source. */
  | readonly ['lookup', nth: number]
  /** The process tells of an event of this type: it dies in the same instant. */
  | ResearchEventType;

interface Story {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly depth?: 'deep';
  readonly script?: Script;
  /** Different calls of it look the same up, which one process does once: the sources' log does not tell them apart. */
  readonly asksAlike?: true;
  /** Its sections are told of what the others have found by then: a matter of who was faster. killedAnywhere compares the text. */
  readonly races?: true;
  readonly points: readonly Point[];
}

const question = 'How do retrieval-augmented generation systems work?';
const stories: readonly Story[] = [
  {
    name: 'three researchers at a time',
    arguments: ['--strategy', 'sections'],
    races: true,
    // Its researchers ask the model where to search next, however much the plan's queries have found.
    depth: 'deep',
    points: [
      ['assess', 1],
      'run/strategy',
      ['plan', 1],
      ['lookup', 2],
      ['act', 1],
      ['act', 3],
      ['distil', 2],
      // Sections are written while others are researched.
      'report/delta',
      ['review', 1],
      ['frame', 1],
      ['critique', 1],
      'report/finished',
      'run/finished',
    ],
  },
  {
    name: 'an unknown term, a list, and a section that is sent back',
    arguments: ['--strategy', 'sections'],
    script: either(unknownTerm('CRAG'), discoverList(), sendBackInFirstRound()),
    asksAlike: true,
    points: [
      ['lookup', 1],
      ['assess', 2],
      ['act', 2],
      ['discover', 1],
      ['distil', 1],
      'review/finished',
      ['review', 2],
    ],
  },
  {
    name: 'rounds',
    arguments: ['--strategy', 'iterative'],
    asksAlike: true,
    points: [['lookup', 1], ['distil', 2], ['reflect', 1], ['distil', 4], 'report/finished'],
  },
  {
    name: 'a supervisor and its researchers',
    arguments: ['--strategy', 'supervisor'],
    points: [
      ['brief', 1],
      ['supervise', 2],
      ['lookup', 1],
      ['distil', 1],
      ['supervise', 3],
    ],
  },
  {
    name: 'no model',
    arguments: ['--provider', 'extractive'],
    points: ['plan/approved', ['lookup', 1], ['lookup', 4], 'report/delta', 'report/finished'],
  },
];

const kills = stories.flatMap(({ name, points }) => points.map((point) => ({ name, point })));
/** Each story, and each kind of moment, wherever it comes. */
const chosen = sampled(kills, ({ name, point }) => [name, typeof point === 'string' ? point : point[0]]);

describe('a command that is killed', () => {
  let runs: string;
  let workspace: string;
  before(() => {
    runs = temporaryFolder('runs');
    workspace = copyWorkspace('examples');
  });
  after(() => {
    removeFolder(runs);
    removeFolder(workspace);
  });

  for (const story of stories) {
    const isExact = !story.asksAlike && !story.races;
    const points = chosen.flatMap(({ name, point }) => (name === story.name ? [point] : []));
    it(`resumes after each kill, pays for nothing twice and writes the same ${isExact ? 'report' : 'sections'}: ${story.name}`, async (test) => {
      const script = either(
        ...(story.script ? [story.script] : []),
        whenever({ tokenDelayMs: 4 }, { step: 'section' }),
      );
      const server = await startModelServer({ delayMs: 40, script: numbered(script) });
      const sources = await startSourceServer({ scripts: { arxiv: slowly(), github: slowly() } });
      try {
        const undisturbed = { ...(await finish(start(story, server, sources))), asked: [...server.requests] };
        const saved = reports().length;
        // Answers of a day are shared by all runs; this one shall ask the services itself.
        removeFolder(path.join(runs, '.network'));
        const begun = { asked: server.requests.length, lookedUp: sources.requests.length };
        const witness = new PaidOnce(server, story.asksAlike ? undefined : sources);
        let run: string | undefined;
        for (const point of points) {
          const command = start(story, server, sources, run, typeof point === 'string' ? point : undefined);
          if (typeof point !== 'string') await reach(point, begun, server, sources, command);
          if (typeof point !== 'string') command.child.kill('SIGKILL');
          const { code, stderr } = await command.done;
          assert.equal(code, null, `killed at ${String(point)}: ${stderr}`);
          run = newestRun();
          await witness.killed(path.join(runs, run));
        }
        const { report } = await finish(start(story, server, sources, run));
        // Whether a section asks where to search next hangs on what it was told of.
        await witness.assertPaidOnce(undisturbed.asked, ({ step }) => isExact || step !== 'act');
        // Where it matters who was first, any two runs differ in what a prompt shows.
        if (isExact) assert.equal(alike(report), alike(undisturbed.report));
        else assert.deepEqual(headings(report), headings(undisturbed.report));
        const told = fs
          .readFileSync(path.join(runs, run!, 'events.ndjson'), 'utf8')
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { readonly seq: number }).seq);
        assert.deepEqual(
          told,
          told.map((_, index) => index + 1),
          'its events go on where they stopped',
        );
        assert.match(report, new RegExp(`^run: "?${run}"?$`, 'm'));
        assert.equal(reports().length, saved + 1, 'one report');
        test.diagnostic(
          `${server.requests.length - begun.asked} requests, ${witness.lost} of them in flight at a kill`,
        );
      } finally {
        await server.close();
        await sources.close();
      }
    });
  }
  const reports = () =>
    fs.readdirSync(path.join(workspace, 'research')).filter((name) => !name.endsWith('.evidence.md'));

  function start(
    story: Story,
    server: ModelServer,
    sources: SourceServer,
    resume?: string,
    killAt?: ResearchEventType,
  ): Command {
    const settings = path.join(runs, 'settings.json');
    fs.writeFileSync(
      settings,
      JSON.stringify({
        ...imitatedSettings(sources),
        ...(story.depth && { depth: story.depth }),
      }),
    );
    const model = story.arguments.includes('extractive') ? [] : ['--base-url', server.url, '--model', 'imitation-1'];
    const what = [
      ...(resume === undefined ? [question] : ['--resume', resume]),
      ...['--workspace', workspace, ...story.arguments, ...model],
    ];
    const preload = pathToFileURL(path.join(root, 'test', 'support', 'killAtEvent.mjs')).href;
    return startCommand(
      [...what, '--run-dir', runs, '--settings', settings, '--yes', '--events'],
      killAt === undefined ? {} : { env: { NODE_OPTIONS: `--import ${preload}`, DEEP_RESEARCH_KILL_AT: killAt } },
    );
  }

  async function finish(command: Command) {
    const { code, events, stderr } = await command.done;
    assert.equal(code, 0, stderr);
    const last = events.at(-1)!;
    assert.ok(last.type === 'run/finished' && last.path !== undefined, last.type);
    return { report: fs.readFileSync(last.path, 'utf8') };
  }

  function newestRun(): string {
    return fs
      .readdirSync(runs)
      .filter((name) => name.startsWith('2'))
      .sort()
      .at(-1)!;
  }
});

async function reach(
  [what, nth]: Exclude<Point, string>,
  begun: { readonly asked: number; readonly lookedUp: number },
  server: ModelServer,
  sources: SourceServer,
  command: Command,
): Promise<void> {
  const early = command.done.then(({ stderr }) =>
    Promise.reject(new Error(`It ended before ${what} ${nth}: ${stderr}`)),
  );
  const isOfStep = (request: ModelRequest) => request.index >= begun.asked && request.step === what;
  const there =
    what === 'lookup'
      ? sources.waitFor(() => sources.requests.length >= begun.lookedUp + nth)
      : server.waitFor(
          (request) =>
            isOfStep(request) &&
            server.requests.filter((other) => isOfStep(other) && other.index <= request.index).length === nth,
        );
  await Promise.race([there, early]);
}

/** Long enough in the air to be killed there. */
const slowly = () => [{ times: Infinity, delayMs: 60 }];

/** Everything but the run's id, what its answers cost, and which kind of source was found first. */
function alike(report: string): string {
  return (
    report
      .replace(/^(run|created|tokens): .*$/gm, '$1')
      // A prefetched call that is dropped counts as far as it got.
      .replace(/^estimated: .*\n/m, '')
      .replace(/^usage:\n(?: {2}- .*\n)+/m, '')
      .replace(/^(- Sources retrieved: \d+) \(.*?\)/m, '$1')
  );
}

function headings(report: string): string[] {
  return report.match(/^#+ .*$/gm) ?? [];
}
