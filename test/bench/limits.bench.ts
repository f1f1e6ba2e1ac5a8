import process from 'node:process';
import { builtIn } from '../../src/catalogue.ts';
import { research } from '../../src/engine.ts';
import { environmentSecrets } from '../../src/node/environmentSecrets.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import { estimateTokens } from '../../src/research/text/estimateTokens.ts';
import { startModelServer, type ModelRequest, type Script } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, temporaryFolder } from '../support/paths.ts';
import { ofType, silentLog } from '../support/scriptedParts.ts';
import { imitatedSettings, startSourceServer } from '../support/sourceServer.ts';

/**
 * Tokens and windows, on whole runs of the engine under the imitated model and sources: how a researcher's prompt tokens grow
 * with its tool calls, how much of a prompt is the same as in the one before, and a deep run with a model of a small window.
 */
const limits = { growth: 2.2, samePrefix: 0.25 };
const sources = await startSourceServer();
const workspaceFolder = copyWorkspace('examples');
const runsFolder = temporaryFolder('bench');
let isBad = false;

async function run(settings: Readonly<Record<string, unknown>>, rounds: number, script?: Script) {
  const server = await startModelServer({
    imitation: { searches: 1, thinks: false, rounds, sections: 5 },
    ...(script && { script }),
  });
  const events: ResearchEvent[] = [];
  const { outcome, report } = await research({
    question: 'Compare dense retrieval, sparse retrieval and reranking',
    settings: {
      'model.baseUrl': server.url,
      'model.name': 'imitation-1',
      strategy: 'sections',
      planApproval: 'never',
      ...imitatedSettings(sources),
      ...settings,
    },
    workspaceFolder,
    runsFolder,
    secrets: environmentSecrets({}, builtIn.keyServices),
    log: silentLog,
    version: 'bench',
    saveTo: { save: () => Promise.resolve(undefined) },
    onEvent: (event) => events.push(event),
  });
  await server.close();
  return { requests: server.requests, events, outcome, report };
}

/** What a provider's cache sees: tools and messages, in their order. */
const wireOf = ({ body }: ModelRequest): string => JSON.stringify([body['tools'] ?? [], body['messages']]);
const tokensOf = (request: ModelRequest): number => estimateTokens(wireOf(request));
const check = (isGood: boolean): string => {
  isBad ||= !isGood;
  return isGood ? 'ok' : 'EXCEEDED';
};

console.log('| tool calls of a researcher | its prompt tokens | growth |');
console.log('| --- | --- | --- |');
let before = 0;
for (const calls of [5, 10, 20, 40]) {
  const { requests } = await run({ 'limits.maxToolCallsPerResearcher': calls, 'limits.maxReviewIterations': 0 }, calls);
  const acting = requests.filter(({ step, section }) => step === 'act' && section !== '');
  const first = acting.filter(({ section }) => section === acting[0]!.section);
  const tokens = first.reduce((sum, request) => sum + tokensOf(request), 0);
  const growth = before === 0 ? '' : `x${(tokens / before).toFixed(2)} ${check(tokens <= before * limits.growth)}`;
  console.log(`| ${calls} (${first.length} turns) | ${tokens} | ${growth} |`);
  before = tokens;
  if (calls !== 20) continue;
  const shares = first.slice(1).map((request, index) => {
    const [a, b] = [wireOf(first[index]!), wireOf(request)];
    let same = 0;
    while (same < a.length && a[same] === b[same]) same += 1;
    return same / b.length;
  });
  const share = shares.reduce((sum, one) => sum + one, 0) / shares.length;
  console.log(
    `\nA turn's prompt begins with ${(share * 100).toFixed(0)} % of the one before. ${check(share >= limits.samePrefix)}\n`,
  );
}

console.log(
  '\n| window | server counts | outcome | refused prompts | requests | references | sections written | tokens |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const [window, ratio, says] of [
  [8_192, 1, true],
  [8_192, 1.3, true],
  [8_192, 1.3, false],
  [4_096, 1, true],
] as const) {
  let refused = 0;
  const small: Script = (request) => {
    const size = Math.ceil(tokensOf(request as ModelRequest) * ratio);
    const answer = Number(request.body['max_tokens'] ?? request.body['max_completion_tokens'] ?? 0);
    if (size + answer <= window) return undefined;
    refused += 1;
    const sizes = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${size} tokens.`;
    const message = says ? sizes : 'Your input exceeds the context window of this model.';
    return {
      status: 400,
      body: { error: { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' } },
    };
  };
  const { requests, events, outcome, report } = await run(
    { depth: 'deep', 'limits.maxContextTokens': 8_192 },
    4,
    small,
  );
  const { cited } = ofType(events, 'report/finished')[0]!.citations;
  const written = [...report.matchAll(/^## /gm)].length;
  const tokens = requests.reduce((sum, request) => sum + tokensOf(request), 0);
  const count = ratio === 1 ? 'as estimated' : `x${ratio}${says ? '' : ', sizes not named'}`;
  const row = [window, count, `${outcome} ${check(cited > 0)}`, refused, requests.length, cited, written, tokens];
  console.log(`| ${row.join(' | ')} |`);
}
await sources.close();
removeFolder(workspaceFolder);
removeFolder(runsFolder);
if (isBad) process.exitCode = 1;
