import { performance } from 'node:perf_hooks';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { builtIn } from '../../src/catalogue.ts';
import { research } from '../../src/engine.ts';
import { environmentSecrets } from '../../src/node/environmentSecrets.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import { discoverList } from '../support/modelScenarios.ts';
import { startModelServer, type ModelRequest, type Script } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, root, temporaryFolder } from '../support/paths.ts';
import { ofType, silentLog } from '../support/scriptedParts.ts';
import { imitatedSettings, startSourceServer } from '../support/sourceServer.ts';
import { plainMarks } from '../support/plainMarks.ts';

/**
 * Where the time of a run goes: an imitated model that takes 0.5 s to its first token and writes 60 tokens a second, arXiv with
 * one request each 3 s (API terms of use), GitHub with answers after 0.6 s. All of these are divided by `TIMELINE_SCALE`
 * (default 4), and the times that are printed are multiplied by it, so that ratios hold; what the program itself computes
 * is counted that many times too long.
 *
 *     TIMELINE_SCALE=1 npm run bench -- timeline     in real time
 *     TIMELINE_ONLY=list/sections                    one row
 *     TIMELINE_CALLS=1                               every call with its start, end and tokens
 *     TIMELINE_MODEL=300,100                         300 ms to the first token, 100 tokens a second
 *     TIMELINE_REMOTE=1                              as if the model's server were not on this machine
 */
const scale = Number(process.env['TIMELINE_SCALE'] ?? 4);
const charactersPerPiece = 24;
const [firstTokenMs = 500, tokensPerSecond = 60] = process.env['TIMELINE_MODEL']?.split(',').map(Number) ?? [];
const model = { firstTokenMs, tokensPerSecond, charactersPerToken: 4 };
const pace = {
  arxiv: { latencyMs: 800 / scale, intervalMs: 3_000 / scale },
  github: { latencyMs: 600 / scale, intervalMs: 0 },
};

interface Case {
  readonly kind: string;
  readonly question: string;
  readonly strategies: readonly ('sections' | 'iterative' | 'supervisor' | 'auto')[];
  readonly script?: () => Script;
}
const three = ['sections', 'iterative', 'supervisor'] as const;
const cases: readonly Case[] = [
  {
    kind: 'list',
    question: 'Which techniques for retrieval-augmented generation are there?',
    strategies: three,
    script: () => discoverList('techniques for retrieval-augmented generation'),
  },
  { kind: 'comparison', question: 'Compare dense retrieval and sparse retrieval', strategies: three },
  {
    kind: 'deep dive',
    question: 'Explain reranking for retrieval-augmented generation in detail',
    strategies: three,
  },
  { kind: 'fact', question: 'When was retrieval-augmented generation introduced?', strategies: ['auto'] },
];

interface Call {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** Seconds since the start, as they would be without the scale. */
interface Measured {
  readonly firstSearch: number;
  /** Of a query that a model wrote. */
  readonly firstOwnSearch: number;
  readonly firstText: number;
  readonly wall: number;
  readonly modelCalls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly facts: number;
  readonly prefix: number;
  readonly calls: readonly Call[];
}

const workspaceFolder = copyWorkspace('examples');
const runsFolder = temporaryFolder('bench');

async function measure(asked: Case, strategy: Case['strategies'][number]): Promise<Measured> {
  const sources = await startSourceServer({ pace });
  const script = asked.script?.();
  const server = await startModelServer({
    delayMs: model.firstTokenMs / scale,
    tokenDelayMs: ((charactersPerPiece / model.charactersPerToken / model.tokensPerSecond) * 1_000) / scale,
    pieceLength: charactersPerPiece,
    ...(script && { script }),
  });
  const events: { readonly at: number; readonly event: ResearchEvent }[] = [];
  const started = performance.now();
  const result = await research({
    question: asked.question,
    settings: {
      ...{
        strategy,
        'model.baseUrl': process.env['TIMELINE_REMOTE'] ? remote(server.url) : server.url,
        'model.name': 'imitation-1',
        planApproval: 'never',
      },
      ...imitatedSettings(sources),
    },
    workspaceFolder,
    runsFolder,
    secrets: environmentSecrets({}, builtIn.keyServices),
    log: silentLog,
    version: 'bench',
    saveTo: { save: () => Promise.resolve(undefined) },
    onEvent: (event) => events.push({ at: performance.now(), event }),
  });
  const seconds = (at: number) => ((at - started) * scale) / 1_000;
  const wall = seconds(performance.now());
  await server.close();
  await sources.close();
  const at = (test: (event: ResearchEvent) => boolean) =>
    seconds(events.find(({ event }) => test(event))?.at ?? Number.NaN);
  const { tokens } = ofType(
    events.map(({ event }) => event),
    'run/finished',
  )[0]!;
  const own = ownQueries(server.requests);
  return {
    firstSearch: at((event) => event.type === 'tool/started'),
    firstOwnSearch: at(
      (event) => event.type === 'tool/started' && [...own].some((query) => event.args.includes(query)),
    ),
    firstText: at((event) => event.type === 'report/delta'),
    wall,
    modelCalls: server.requests.length,
    tokensIn: tokens.in,
    tokensOut: tokens.out,
    facts: citedFacts(result.report),
    prefix: stablePrefix(server.requests),
    calls: callsOf(server.requests, events, seconds),
  };
}

/** An address of this machine that does not look like one: a local server gets one request at a time at first. */
function remote(url: string): string {
  return url.replace('127.0.0.1', '0.0.0.0');
}

/** Queries that stand in an answer of the model: of the imitated plan, those with a section's title. */
function ownQueries(requests: readonly ModelRequest[]): ReadonlySet<string> {
  return new Set(requests.filter(({ step }) => step === 'distil').map(({ section }) => section.toLowerCase()));
}

/** Different statements with a citation, whatever is cited with them. */
function citedFacts(report: string): number {
  const body = plainMarks(report).split(/^## References$/m)[0]!;
  const cited = body
    .split(/(?<=[.!?。]) |\n+/)
    .filter((sentence) => /\[\d+\]/.test(sentence))
    .map((sentence) =>
      sentence
        .replace(/\[\d+\]|[^\p{L}\p{N}]+/gu, ' ')
        .trim()
        .toLowerCase(),
    );
  return new Set(cited).size;
}

/** Share of a researcher's prompt that is the beginning of its previous turn's prompt, over all turns but the first. */
function stablePrefix(requests: readonly ModelRequest[]): number {
  const turns = Map.groupBy(
    requests.filter(({ step }) => step === 'act'),
    ({ section }) => section,
  );
  let same = 0;
  let all = 0;
  for (const own of turns.values())
    for (const [index, request] of own.entries()) {
      if (index === 0) continue;
      const [before, now] = [own[index - 1]!, request].map(({ body }) => JSON.stringify(body['messages']));
      let length = 0;
      while (length < before!.length && before![length] === now![length]) length += 1;
      same += length;
      all += now!.length;
    }
  return all === 0 ? 1 : same / all;
}

function callsOf(
  requests: readonly ModelRequest[],
  events: readonly { readonly at: number; readonly event: ResearchEvent }[],
  seconds: (at: number) => number,
): Call[] {
  const models = requests.map(({ step, section, startedAt, endedAt, aborted, promptTokens }) => ({
    from: seconds(startedAt),
    to: seconds(endedAt ?? startedAt),
    name: `${step}${section === '' ? '' : `: ${section}`}${aborted ? ' (cancelled)' : ''} (${promptTokens} tokens)`,
  }));
  const tools = events.flatMap(({ at, event }) => {
    if (event.type !== 'tool/started') return [];
    const end = events.find(({ event: other }) => other.type === 'tool/finished' && other.call === event.call);
    return [{ from: seconds(at), to: seconds(end?.at ?? at), name: `  ${event.name} ${event.args}`.slice(0, 90) }];
  });
  return [...models, ...tools].sort((a, b) => a.from - b.from);
}

/** Rows of the version before calls were made ahead, as docs/strategies.md has them. */
type Row = readonly [
  firstSearch: number,
  firstOwn: number | null,
  firstText: number,
  wall: number,
  tokens: number,
  facts: number,
];
const document = readFileSync(`${root}/docs/strategies.md`, 'utf8');
const baseline = JSON.parse(/<!-- timeline -->\s+```json\n([\s\S]*?)\n```/.exec(document)?.[1] ?? '{}') as Readonly<
  Record<string, Row>
>;

const only = process.env['TIMELINE_ONLY'];
const table = [
  'question | strategy | first search (s) | first own query (s) | first report text (s) | wall (s) | model calls | tokens in | tokens out | cited facts | stable prefix | text, wall, tokens, facts against before',
  '--- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | ---',
];
const rows: Record<string, Row> = {};
await measure(cases.at(-1)!, 'auto'); // Warm: modules, the folder's index.
for (const { asked, strategy } of cases.flatMap((one) =>
  one.strategies.map((each) => ({ asked: one, strategy: each })),
)) {
  const name = `${asked.kind}/${strategy}`;
  if (only !== undefined && !name.includes(only)) continue;
  const measured = await measure(asked, strategy);
  const { firstSearch, firstOwnSearch, firstText, wall, modelCalls, tokensIn, tokensOut, facts, prefix } = measured;
  const round = (time: number) => Math.round(time * 10) / 10;
  const own = Number.isNaN(firstOwnSearch) ? null : round(firstOwnSearch);
  rows[name] = [round(firstSearch), own, round(firstText), round(wall), tokensIn + tokensOut, facts];
  const before = baseline[name];
  const share = (index: 2 | 3 | 4 | 5) => `${Math.round((100 * rows[name]![index]) / before![index])} %`;
  const cells = [
    ...[asked.kind, strategy, rows[name][0], own ?? '-', rows[name][2], rows[name][3]],
    ...[modelCalls, tokensIn, tokensOut, facts, `${Math.round(prefix * 100)} %`],
    before ? ([2, 3, 4, 5] as const).map(share).join(', ') : '-',
  ];
  table.push(cells.join(' | '));
  if (process.env['TIMELINE_CALLS']) {
    console.log(`\n${name}`);
    for (const { from, to, name: call } of measured.calls)
      console.log(`${from.toFixed(1).padStart(6)} ${to.toFixed(1).padStart(6)}  ${call}`);
  }
}
console.log(`\n${table.map((row) => `| ${row} |`).join('\n')}`);
console.log(JSON.stringify(rows));
removeFolder(workspaceFolder);
removeFolder(runsFolder);
