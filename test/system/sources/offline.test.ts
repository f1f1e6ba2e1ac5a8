import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { research } from '../../../src/engine.ts';
import type { ResearchEvent } from '../../../src/protocol/events.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import { deadEndpoint } from '../../support/deadEndpoint.ts';
import { type ScriptedService, startScriptedService } from '../../support/scriptedService.ts';
import { ofType } from '../../support/scriptedParts.ts';
import { noSecrets, silentLog } from '../../support/sourceContext.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

let folder: TemporaryFolder;
let runs: TemporaryFolder;
let hackernews: ScriptedService;
before(async () => {
  folder = await temporaryFolder();
  runs = await temporaryFolder();
  await writeFile(join(folder.path, 'queues.md'), '# Queues\n\nThe broker holds its messages for seven days.\n');
  hackernews = await startScriptedService();
});
after(async () => {
  await hackernews.close();
  await folder.remove();
  await runs.remove();
});

async function offlineRun(
  sources: readonly string[],
  hasFolder: boolean,
  more: Readonly<Record<string, unknown>> = {},
  question = 'How long does the broker hold messages in its queues?',
) {
  const dead = await deadEndpoint();
  const events: ResearchEvent[] = [];
  const services = ['arxiv', 'github', 'hackernews', 'semanticscholar', 'openalex', 'crossref', 'wikipedia'];
  const running = research({
    question,
    settings: {
      ...Object.fromEntries(services.map((name) => [`deepResearch.endpoints.${name}`, dead])),
      'deepResearch.sources.enabled': sources,
      'model.provider': 'extractive',
      clarification: 'off',
      ...more,
    },
    ...(hasFolder ? { workspaceFolder: folder.path } : {}),
    runsFolder: runs.path,
    saveTo: { save: () => Promise.resolve(undefined) },
    secrets: noSecrets,
    log: silentLog,
    version: '0.0.0-test',
    onEvent: (event) => events.push(event),
  });
  const report = await running.then(
    (result) => result.report,
    (error: unknown) => error,
  );
  return { report, warnings: ofType(events, 'run/warning').map(({ kind, message }) => `${kind}: ${message}`), events };
}
const remote = ['arxiv', 'scholarly', 'github', 'hackernews'];

describe('a run that reaches no service', () => {
  it('says so in one line, and answers from the folder', async () => {
    const { report, warnings } = await offlineRun(['workspace', ...remote], true);
    const line = 'Offline: no service could be reached; only the workspace was searched.';
    assert.deepEqual(warnings, [`sources.offline: ${line}`]);
    assert.match(String(report), /The broker holds its messages for seven days\. \[\[1\]\]\(#ref-1\)/);
    assert.equal(String(report).split('Offline:').length, 2);
    assert.doesNotMatch(String(report), /can.t be reached|searched: .*arxiv/i);
  });

  it('that is without an answer in the folder too ends as not found, with a report that says so', async () => {
    const { report, warnings, events } = await offlineRun(['workspace', ...remote], true, {}, 'What do zebras eat?');
    assert.match(String(report), /Nothing was found for this section; searched: workspace\./);
    assert.deepEqual(
      warnings.map((line) => line.split(':')[0]),
      ['sources.offline'],
    );
    const [finished] = ofType(events, 'run/finished');
    assert.deepEqual([finished?.outcome, finished?.searched?.sources], ['notFound', ['workspace']]);
  });

  it('fails in one line without a folder', async () => {
    const { report, warnings } = await offlineRun(remote, false);
    assert.ok(ResearchError.is(report, 'noEvidence'), String(report));
    assert.match(report.message, /^Offline: no service could be reached/);
    assert.deepEqual(warnings, []);
  });

  it('names each source that can not be reached where another one answers', async () => {
    hackernews.answer = () => ({ body: { hits: [], nbHits: 0 } });
    const { warnings } = await offlineRun(['workspace', 'arxiv', 'github', 'hackernews'], true, {
      'deepResearch.endpoints.hackernews': hackernews.url,
    });
    assert.deepEqual(warnings.map((line) => line.split(' ').slice(0, 2).join(' ')).toSorted(), [
      'source.failed: GitHub',
      'source.failed: arXiv',
    ]);
  });

  it('names the one source that it has', async () => {
    const { warnings } = await offlineRun(['workspace', 'arxiv'], true);
    assert.match(warnings.join('\n'), /^source\.failed: arXiv can.t be reached/);
  });
});
