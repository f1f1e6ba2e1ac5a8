import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { acceptVersion, addVersion } from '../../../src/files/versions.ts';
import { evidenceOf } from '../../../src/mcp/readRuns.ts';
import { citationMark as cite } from '../../../src/protocol/citationMark.ts';
import { readStoredSources } from '../../../src/research/export/storedSources.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { paper, savedFiles } from '../../support/savedRun.ts';
import { silentLog } from '../../support/scriptedParts.ts';

it('the evidence of a citation is that of the report as its accepted versions have left it', async (test) => {
  const runsFolder = temporaryFolder('read-runs');
  test.after(() => removeFolder(runsFolder));
  const { record, report, sources, events } = savedFiles([paper], {
    body: `Models have a memory. ${cite(1)}`,
    others: [],
  });
  const folder = path.join(runsFolder, record.run);
  fs.mkdirSync(folder);
  const source = readStoredSources(sources)[0]!.id;
  const statement = (sentence: string) => ({
    ...{
      sentence,
      citations: [1],
      verdict: 'supported',
      passages: [{ number: 1, source, text: 'Passage.', place: '0-8' }],
    },
  });
  const claim = {
    ...{ type: 'report/claim', run: record.run, seq: 8, at: record.created, id: 'C1', section: 's', offset: 0 },
    ...statement('Models have a memory.'),
  };
  const files = { 'run.json': JSON.stringify(record), 'report.md': report, 'sources.json': sources };
  for (const [name, text] of Object.entries({ ...files, 'events.ndjson': `${events}${JSON.stringify(claim)}\n` }))
    fs.writeFileSync(path.join(folder, name), text);
  const number = await addVersion(folder, {
    ...{ kind: 'rewrite', title: '', state: 'waiting', gone: [], base: report, sources: { 1: source } },
    text: report.replace('Models have a memory.', 'Models retrieve.'),
    statements: [statement('Models retrieve.')],
  });
  const sentences = async () => {
    const { statements } = await evidenceOf(
      { runsFolder, workspaceFolder: undefined, showsFiles: true, log: silentLog },
      record.run,
      1,
    );
    return statements.map(({ sentence }) => sentence);
  };
  assert.deepEqual(await sentences(), ['Models have a memory.']);
  await acceptVersion(runsFolder, record.run, number, {});
  assert.deepEqual(await sentences(), ['Models retrieve.']);
});
