import { builtIn } from '../../src/catalogue.ts';
import { performance } from 'node:perf_hooks';
import { research } from '../../src/engine.ts';
import { environmentSecrets } from '../../src/node/environmentSecrets.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import { startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, temporaryFolder } from '../support/paths.ts';
import { ofType, silentLog } from '../support/scriptedParts.ts';
import { imitatedSettings, startSourceServer } from '../support/sourceServer.ts';

/**
 * The table of docs/strategies.md: the three strategies on the same three questions under the same imitated model and
 * sources. Counts are exact; times depend on the fixed delay of the model and are good for comparing rows only.
 */
const delayMs = 200;
const questions = [
  ['list', 'Which techniques for retrieval-augmented generation are there?'],
  ['comparison', 'Compare dense retrieval and sparse retrieval'],
  ['deep dive', 'Explain reranking for retrieval-augmented generation in detail'],
] as const;

const sources = await startSourceServer();
const workspaceFolder = copyWorkspace('examples');
const runsFolder = temporaryFolder('bench');
console.log(
  '| question | strategy | model calls | tool calls | tokens in | tokens out | time (s) | references | statements taken out |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
for (const [kind, question] of questions) {
  for (const strategy of ['sections', 'iterative', 'supervisor'] as const) {
    const server = await startModelServer({ delayMs });
    const events: ResearchEvent[] = [];
    const started = performance.now();
    await research({
      question,
      settings: {
        strategy,
        'model.baseUrl': server.url,
        'model.name': 'imitation-1',
        planApproval: 'never',
        ...imitatedSettings(sources),
      },
      workspaceFolder,
      runsFolder,
      secrets: environmentSecrets({}, builtIn.keyServices),
      log: silentLog,
      version: 'bench',
      saveTo: { save: () => Promise.resolve(undefined) },
      onEvent: (event) => events.push(event),
    });
    const seconds = (performance.now() - started) / 1000;
    await server.close();
    const { tokens } = ofType(events, 'run/finished')[0]!;
    const { cited, dropped } = ofType(events, 'report/finished')[0]!.citations;
    const row = [
      kind,
      strategy,
      server.requests.length,
      ofType(events, 'tool/started').length,
      tokens.in,
      tokens.out,
      seconds.toFixed(1),
      cited,
      dropped,
    ];
    console.log(`| ${row.join(' | ')} |`);
  }
}
await sources.close();
removeFolder(workspaceFolder);
removeFolder(runsFolder);
