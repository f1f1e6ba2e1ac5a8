import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { readParent } from '../../../src/node/parentRun.ts';
import { readStoredSources } from '../../../src/research/export/storedSources.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { paper, savedFiles, savedRecord, savedRunId } from '../../support/savedRun.ts';

it('links of a follow-up lead into the workspace of the run, by whatever path that is opened', async (test) => {
  const folder = fs.realpathSync(temporaryFolder('parent'));
  test.after(() => removeFolder(folder));
  const [workspace, other, runs] = ['workspace', 'other', 'runs'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [path.join(workspace, 'research'), other]) fs.mkdirSync(made, { recursive: true });
  const report = path.join(workspace, 'research', 'report.md');
  const { record, ...written } = savedFiles([paper], { record: { path: report, workspace } });
  const home = path.join(runs, record.run);
  fs.mkdirSync(path.join(home, 'evidence'), { recursive: true });
  fs.writeFileSync(report, written.report);
  fs.writeFileSync(path.join(home, 'run.json'), JSON.stringify(record));
  fs.writeFileSync(path.join(home, 'report.md'), written.report);
  fs.writeFileSync(path.join(home, 'sources.json'), written.sources);
  fs.writeFileSync(path.join(home, 'events.ndjson'), written.events);
  for (const { id } of readStoredSources(written.sources))
    fs.writeFileSync(path.join(home, 'evidence', `${id}.txt`), 'Models have a memory.');
  const link = path.join(folder, 'link');
  fs.symlinkSync(workspace, link, 'junction');
  const led = async (today: string | undefined) =>
    (await readParent(runs, { run: record.run, as: 'answer' }, 'Why?', true, today)).toWorkspace;
  assert.deepEqual(await Promise.all([workspace, link, other, undefined].map(led)), ['..', '..', undefined, undefined]);
});

it('each section of a report has the findings of its statements, also where two rest on the same passage', async (test) => {
  const runs = temporaryFolder('parent');
  test.after(() => removeFolder(runs));
  const sentences = ['Models have a memory.', 'They have it beside their weights.', 'A memory is searched.'] as const;
  const body = `## How it works\n\n${sentences[0]} [1]\n\n## What it costs\n\n${sentences[1]} [1] ${sentences[2]} [1]`;
  const { record, ...written } = savedFiles([paper], { body });
  const [source] = readStoredSources(written.sources).filter(({ title }) => title === paper.title);
  const passages = [{ source: source!.id, text: paper.text, place: '0-36' }];
  const claims = sentences.map((sentence, index) => ({
    ...{ type: 'report/claim', run: savedRunId, seq: 8 + index, at: savedRecord().created, id: `C${index}`, section: 's1' },
    ...{ offset: 0, sentence, citations: [1], verdict: 'supported', passages },
  }));
  const home = path.join(runs, record.run);
  fs.mkdirSync(path.join(home, 'evidence'), { recursive: true });
  fs.writeFileSync(path.join(home, 'run.json'), JSON.stringify(record));
  fs.writeFileSync(path.join(home, 'report.md'), written.report);
  fs.writeFileSync(path.join(home, 'sources.json'), written.sources);
  const lines = claims.map((claim) => `${JSON.stringify(claim)}\n`);
  fs.writeFileSync(path.join(home, 'events.ndjson'), written.events + lines.join(''));
  fs.writeFileSync(path.join(home, 'evidence', `${source!.id}.txt`), paper.text);
  const { sections } = await readParent(runs, { run: record.run, as: 'rewrite' }, 'Shorter', true, undefined);
  assert.deepEqual(
    sections.map(({ title, findings }) => [title, ...findings.map(({ claim }) => claim)]),
    [
      ['How it works', sentences[0]],
      ['What it costs', sentences[1], sentences[2]],
    ],
  );
});
