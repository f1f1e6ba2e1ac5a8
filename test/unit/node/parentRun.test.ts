import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readParent } from '../../../src/node/parentRun.ts';
import { readStoredSources } from '../../../src/research/export/storedSources.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { paper, repository, savedFiles, savedRecord, savedRunId } from '../../support/savedRun.ts';

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

describe('the sections of a report', () => {
  let runs: string;
  before(() => {
    runs = temporaryFolder('parent');
  });
  after(() => removeFolder(runs));

  const texts = [paper.text, repository.text] as const;

  /** A run's report, whose statements rest on these of its sources, and the claims of its sections without some sources. */
  async function claimsOf(
    body: string,
    statements: readonly (readonly [sentence: string, ...citations: number[]])[],
    without: number[] = [],
  ) {
    const { record, ...written } = savedFiles([paper, repository], { body });
    const ids = [paper, repository].map(
      ({ title }) => readStoredSources(written.sources).find((one) => one.title === title)!.id,
    );
    const claims = statements.map(([sentence, ...citations], index) => ({
      ...{ type: 'report/claim', run: savedRunId, seq: 8 + index, at: savedRecord().created, id: `C${index}` },
      ...{ section: 's1', offset: 0, sentence, citations, verdict: 'supported' },
      passages: citations.map((number) => ({ source: ids[number - 1]!, text: texts[number - 1]!, place: '0-9' })),
    }));
    const home = path.join(runs, record.run);
    fs.mkdirSync(path.join(home, 'evidence'), { recursive: true });
    fs.writeFileSync(path.join(home, 'run.json'), JSON.stringify(record));
    fs.writeFileSync(path.join(home, 'report.md'), written.report);
    fs.writeFileSync(path.join(home, 'sources.json'), written.sources);
    const lines = claims.map((claim) => `${JSON.stringify(claim)}\n`);
    fs.writeFileSync(path.join(home, 'events.ndjson'), written.events + lines.join(''));
    for (const [index, id] of ids.entries()) fs.writeFileSync(path.join(home, 'evidence', `${id}.txt`), texts[index]!);
    const asked = { run: record.run, as: 'rewrite', without } as const;
    const { sections } = await readParent(runs, asked, 'Shorter', true, undefined);
    return sections.map(({ title, findings }) => [title, ...findings.map(({ claim }) => claim)]);
  }

  const [memory, beside, searched] = [
    'Models have a memory.',
    'They have it beside their weights.',
    'A memory is searched.',
  ] as const;

  it('each have the findings of their statements, also where two rest on the same passage', async () => {
    const body = `## How it works\n\n${memory} [1]\n\n## What it costs\n\n${beside} [1] ${searched} [1]`;
    const statements = [memory, beside, searched].map((sentence) => [sentence, 1] as const);
    assert.deepEqual(await claimsOf(body, statements), [
      ['How it works', memory],
      ['What it costs', beside, searched],
    ]);
  });

  it('have nothing of a summary that rests on a passage of another section', async () => {
    const body = `${searched} [1]\n\n## How it works\n\n${memory} [1]\n\n## What it costs\n\n${beside} [2]`;
    const statements = [[searched, 1] as const, [memory, 1] as const, [beside, 2] as const];
    assert.deepEqual(await claimsOf(body, statements), [
      ['How it works', memory],
      ['What it costs', beside],
    ]);
  });

  it('have what the other source says of a statement one of whose sources is left out', async () => {
    const body = `## How it works\n\n${memory} [1][2]\n\n## What it costs\n\n${beside} [1]`;
    const statements = [[memory, 1, 2] as const, [beside, 1] as const];
    assert.deepEqual(await claimsOf(body, statements, [1]), [['How it works', repository.text], ['What it costs']]);
  });

  it('end before the conclusion of the language in which the report was written again, whatever its run was set to', async () => {
    const said = 'Die Modelle haben ein Gedächtnis neben ihren Gewichten, in dem sie nach den Stellen suchen.';
    const body = `## Kosten\n\n${said} [1]\n\n## Fazit und Ausblick\n\n${said} [1]`;
    await claimsOf(body, [[said, 1]]);
    const home = path.join(runs, savedRunId);
    const settings = { 'report.language': 'en' };
    fs.writeFileSync(path.join(home, 'run.json'), JSON.stringify(savedRecord({ settings })));
    fs.mkdirSync(path.join(home, 'versions'));
    const made = { version: 1, kind: 'rewrite', title: 'Auf Deutsch', at: savedRecord().created, state: 'accepted' };
    const version = { ...made, number: 2, sources: {}, gone: [], statements: [] };
    fs.writeFileSync(path.join(home, 'versions', '2.json'), JSON.stringify(version));
    const { language, sections } = await readParent(runs, { run: savedRunId, as: 'rewrite' }, 'Kurz', true, undefined);
    fs.rmSync(path.join(home, 'versions'), { recursive: true });
    assert.deepEqual([language, ...sections.map(({ title }) => title)], ['de', 'Kosten']);
  });

  it('are found by their titles as they are written, of two that differ by case', async () => {
    const body = `## Costs\n\n${memory} [1]\n\n## costs\n\n${beside} [1]`;
    await claimsOf(body, [
      [memory, 1],
      [beside, 1],
    ]);
    const named = async (section: string) =>
      (await readParent(runs, { run: savedRunId, section }, 'Shorter', true, undefined)).wanted.section;
    assert.deepEqual(await Promise.all(['costs', 'Costs', 'COSTS', '2'].map(named)), [
      'costs',
      'Costs',
      'Costs',
      'costs',
    ]);
  });
});
