import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { research } from '../../../src/engine.ts';
import type { ResearchEvent } from '../../../src/protocol/events.ts';
import { startManyServices } from '../../support/manyServices.ts';
import { noSecrets, silentLog } from '../../support/sourceContext.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const closing: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closing.reverse()) await close();
});

it('a run over eight kinds of sources cites those that answer, and says what happened to the others', async () => {
  const services = await startManyServices();
  const workspace = await temporaryFolder({
    'notes.md':
      '# Techniques\n\nThe main techniques for retrieval-augmented generation in our notes are chunking and reranking.\n',
  });
  const kept = await temporaryFolder();
  closing.push(
    () => services.close(),
    () => workspace.remove(),
    () => kept.remove(),
  );
  const events: ResearchEvent[] = [];
  const { report } = await research({
    question: 'What are the main techniques for retrieval-augmented generation?',
    settings: { ...services.settings, 'model.provider': 'extractive' },
    workspaceFolder: workspace.path,
    runsFolder: kept.path,
    secrets: noSecrets,
    log: silentLog,
    version: '0.0.0-test',
    onEvent: (event) => events.push(event),
  });
  const references = report.slice(report.indexOf('## References'));
  const account = report.slice(report.indexOf('## How this report was made'));
  assert.match(references, /news\.ycombinator\.com/);
  assert.match(references, /127\.0\.0\.1:\d+\/page/);
  assert.match(references, /notes\.md#L\d+/);
  assert.match(account, /\barxiv \d+/);
  assert.match(account, /\bmcp \d+/);
  assert.match(account, /GitHub accepts no more requests/);
  assert.match(account, /Hugging Face can't be reached/);
  assert.match(account, /(?:Semantic Scholar|OpenAlex|Crossref|Wikipedia)/);
  assert.doesNotMatch(account, /github \d|huggingface \d|scholarly \d/, 'what did not answer is no source');
  const called = new Set(events.flatMap((event) => (event.type === 'tool/started' ? [event.name] : [])));
  assert.ok(
    [...called].some((name) => name.startsWith('hn_')),
    [...called].join(),
  );
});
