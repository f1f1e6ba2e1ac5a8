import { performance } from 'node:perf_hooks';
import path from 'node:path';
import process from 'node:process';
import type * as engine from '../../src/engine.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import type * as modelAnswers from '../support/modelAnswers.ts';
import type * as modelServer from '../support/modelServer.ts';
import { citedStatements } from '../support/citedStatements.ts';
import { startFiveServices } from '../support/fiveServices.ts';
import { discoverList } from '../support/modelScenarios.ts';
import { copyWorkspace, removeFolder, root, temporaryFolder } from '../support/paths.ts';
import { plainMarks } from '../support/plainMarks.ts';
import { ofType, silentLog } from '../support/scriptedParts.ts';

/**
 * Time and yield of this checkout and of others (`BESIDE=FOLDER`, installed), in turns, each with its own imitated model over the same
 * five services. Seconds as they would be without the scale (`SCALE`, default 2).
 *
 *     BESIDE=../other npm run bench -- versions            300 ms to the first token, 100 tokens a second, services 200 ms
 *     LENGTHS=life BESIDE=../other npm run bench -- versions   500 ms, 80 tokens a second, answers of 350 tokens, reports of 3,500
 *     ARXIV=rule …                                         arXiv answers one request each 3 s
 *     ONLY=list/sections ROUNDS=3 CALLS=1 …                one row, the middle one of three, with every call
 */
const scale = Number(process.env['SCALE'] ?? 2);
const rounds = Number(process.env['ROUNDS'] ?? 1);
const isLifeLike = process.env['LENGTHS'] === 'life';
const checkouts = [...(process.env['BESIDE'] ?? '').split(':').filter(Boolean), root].map((one) => path.resolve(one));
const [firstTokenMs, tokensPerSecond] = isLifeLike ? [500, 80] : [300, 100];
const pace = { latencyMs: 200 / scale, arxivIntervalMs: (process.env['ARXIV'] === 'rule' ? 3_000 : 0) / scale };
const charactersPerPiece = 24;
const charactersPerToken = 4;
/** Tokens of a life-like answer; a report's sections share those of the report. */
const lifeLike = { answer: 350, analysis: 80, report: 3_500, frame: 600 };

const strategies = ['sections', 'iterative', 'supervisor'] as const;
const list = discoverList('techniques for retrieval-augmented generation');
const cases = [
  { kind: 'list', question: 'Which techniques for retrieval-augmented generation are there?', script: list },
  { kind: 'comparison', question: 'Compare dense retrieval and sparse retrieval', script: undefined },
  {
    kind: 'deep dive',
    question: 'Explain reranking for retrieval-augmented generation in detail',
    script: undefined,
  },
];

interface Row {
  readonly sectionQuery: number;
  readonly text: number;
  readonly wall: number;
  readonly facts: number;
  readonly tokens: number;
  readonly hosts: number;
  readonly kinds: number;
  readonly calls: number;
}

const workspaceFolder = copyWorkspace('examples');
const runsFolder = temporaryFolder('bench');

async function measure(checkout: string, asked: (typeof cases)[number], strategy: string): Promise<Row> {
  const load = <T>(file: string): Promise<T> => import(path.join(checkout, file)) as Promise<T>;
  const { research } = await load<typeof engine>('src/engine.ts');
  const { answerLikeAModel } = await load<typeof modelAnswers>('test/support/modelAnswers.ts');
  const { startModelServer } = await load<typeof modelServer>('test/support/modelServer.ts');
  const services = await startFiveServices(pace);
  const pieceMs = (tokens: number, pieces: number): number => ((tokens / pieces / tokensPerSecond) * 1_000) / scale;
  let sections = 3;
  /** Stretches an answer to its life-like length: its words stay, its time and its tokens are those of the longer one. */
  const stretch = (request: modelServer.ModelRequest, script: modelServer.ModelOverride | undefined) => {
    const { text, toolCalls } = script?.json
      ? { text: JSON.stringify(script.json), toolCalls: [] }
      : answerLikeAModel(request, {}, []);
    if (request.step === 'plan') sections = (JSON.parse(text) as { sections: unknown[] }).sections.length;
    if (request.step === 'supervise')
      sections = Math.max(1, toolCalls.filter(({ name }) => name === 'ConductResearch').length || sections);
    const written = { section: (lifeLike.report - lifeLike.frame) / sections, report: lifeLike.report };
    const wanted =
      { ...written, frame: lifeLike.frame, analyze: lifeLike.analysis }[request.step as string] ?? lifeLike.answer;
    const tokens = Math.round(Math.max(wanted, text.length / charactersPerToken));
    const usage = { prompt_tokens: request.promptTokens, completion_tokens: tokens, total_tokens: 0 };
    const pieces = Math.max(1, Math.ceil(text.length / charactersPerPiece));
    return { ...script, usage, tokenDelayMs: toolCalls.length > 0 ? 0 : pieceMs(tokens, pieces) };
  };
  const server = await startModelServer({
    delayMs: firstTokenMs / scale,
    tokenDelayMs: pieceMs(charactersPerPiece / charactersPerToken, 1),
    pieceLength: charactersPerPiece,
    script: (request) => {
      const script = asked.script?.(request);
      return isLifeLike ? stretch(request as modelServer.ModelRequest, script) : script;
    },
  });
  const events: { readonly at: number; readonly event: ResearchEvent }[] = [];
  const started = performance.now();
  const { report, sources } = await research({
    question: asked.question,
    settings: {
      ...{ strategy, planApproval: 'never', clarification: 'off' },
      ...{ 'model.baseUrl': server.url.replace('127.0.0.1', '0.0.0.0'), 'model.name': 'imitation-1' },
      ...services.settings,
    },
    workspaceFolder,
    runsFolder,
    secrets: { key: async () => undefined },
    log: silentLog,
    version: 'bench',
    saveTo: { save: () => Promise.resolve(undefined) },
    onEvent: (event) => events.push({ at: performance.now(), event }),
  });
  const seconds = (at: number): number => ((at - started) * scale) / 1_000;
  const wall = seconds(performance.now());
  await server.close();
  await services.close();
  const first = (test: (event: ResearchEvent) => boolean): number =>
    seconds(events.find(({ event }) => test(event))?.at ?? Number.NaN);
  const { tokens } = ofType(
    events.map(({ event }) => event),
    'run/finished',
  )[0]!;
  const plainReport = plainMarks(report);
  const references = plainReport.split(/^## References$/m)[1] ?? '';
  const cited = sources.filter(({ url }) => url !== undefined && references.includes(url));
  if (process.env['CALLS']) showCalls(server.requests, events, seconds);
  if (process.env['SHOW']) console.log(report);
  return {
    sectionQuery: first((event) => event.type === 'tool/started' && event.section !== undefined),
    text: first((event) => event.type === 'report/delta'),
    wall,
    facts: citedStatements(report, sources).filter(({ verified }) => verified).length,
    tokens: tokens.in + tokens.out,
    hosts: new Set(cited.map(({ url }) => new URL(url!).hostname)).size,
    kinds: new Set(cited.map(({ kind }) => kind)).size,
    calls: server.requests.length,
  };
}

function showCalls(
  requests: readonly modelServer.ModelRequest[],
  events: readonly { readonly at: number; readonly event: ResearchEvent }[],
  seconds: (at: number) => number,
): void {
  const models = requests.map(({ step, section, startedAt, endedAt, promptTokens }) => ({
    from: seconds(startedAt),
    to: seconds(endedAt ?? startedAt),
    name: `${step} ${section} (${promptTokens} tokens)`,
  }));
  const tools = events.flatMap(({ at, event }) => {
    if (event.type !== 'tool/started') return [];
    const end = events.find(({ event: other }) => other.type === 'tool/finished' && other.call === event.call);
    return [{ from: seconds(at), to: seconds(end?.at ?? at), name: `  ${event.name} ${event.args}`.slice(0, 110) }];
  });
  for (const { from, to, name } of [...models, ...tools].sort((a, b) => a.from - b.from))
    console.log(`${from.toFixed(1).padStart(6)} ${to.toFixed(1).padStart(6)}  ${name}`);
}

const only = process.env['ONLY'];
console.log(
  '| question | strategy | version | first queries of a section (s) | first text (s) | wall (s) | facts | tokens | tokens a fact | hosts | kinds | model calls |',
);
console.log(`|${' --- |'.repeat(12)}`);
for (const checkout of checkouts) await measure(checkout, cases[1]!, 'supervisor'); // Warm: modules, the folder's index.
for (const asked of cases)
  for (const strategy of strategies) {
    if (only !== undefined && !`${asked.kind}/${strategy}`.includes(only)) continue;
    const measured = new Map<string, Row[]>();
    for (let round = 0; round < rounds; round += 1)
      for (const checkout of checkouts)
        measured.set(checkout, [...(measured.get(checkout) ?? []), await measure(checkout, asked, strategy)]);
    for (const [checkout, rows] of measured) {
      const { sectionQuery, text, wall, facts, tokens, hosts, kinds, calls } = rows.toSorted((a, b) => a.wall - b.wall)[
        Math.floor(rows.length / 2)
      ]!;
      const name = checkout === root ? 'here' : path.basename(checkout);
      const times = [sectionQuery, text, wall].map((time) => time.toFixed(1));
      const cells = [
        asked.kind,
        strategy,
        name,
        ...times,
        facts,
        tokens,
        Math.round(tokens / facts),
        hosts,
        kinds,
        calls,
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
  }
removeFolder(workspaceFolder);
removeFolder(runsFolder);
