import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runInHost } from '../support/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporaryFolder.ts';

/** The command line without a model and without any public source. */
describe('a plan as a file, on the command line', () => {
  let folder: TemporaryFolder;
  const research = (...args: string[]) =>
    runInHost([
      ...['--provider', 'extractive', '--settings', `${folder.path}/settings.json`],
      ...['--workspace', `${folder.path}/notes`, '--run-dir', `${folder.path}/runs`, '--out', folder.path],
      ...args,
    ]);
  const planned = (text: string | Uint8Array) => {
    const file = path.join(folder.path, 'plan.md');
    fs.writeFileSync(file, text);
    return research('--plan', file, '--events');
  };

  before(async () => {
    const text =
      '# Batteries\n\nSolid-state batteries keep their charge for years. Their cost falls by a tenth a year.\n';
    const settings = JSON.stringify({ 'deepResearch.sources.enabled': ['workspace'] });
    folder = await temporaryFolder({ 'notes/batteries.md': text, 'settings.json': settings });
  });
  after(() => folder.remove());

  it('is printed, edited in an editor of Windows, and researched as it stands, ids included', async () => {
    const question = 'How long do solid-state batteries keep their charge?';
    const printed = await research(question, '--plan-only');
    assert.equal(printed.code, 0, printed.stderr);
    assert.match(printed.stdout, /^## /m);
    const kept = /^## (.+)$/m.exec(printed.stdout)![1]!;
    const edited = `${printed.stdout}\n## Cost of cells\n\nHow fast it falls.\n\n- query: batteries cost\n- depth: quick\n`;
    const run = await planned(`\uFEFF${edited.replaceAll('\n', '\r\n')}`);
    assert.equal(run.code, 0, run.stderr);
    const started = run.events.find((event) => event.type === 'run/started')!;
    assert.equal(started.question, question);
    const { sections } = run.events.find((event) => event.type === 'plan/approved')!;
    assert.equal(sections[0]!.title, kept);
    const { title, description, depth, queries } = sections.at(-1)!;
    assert.deepEqual(
      [title, description, depth, queries],
      [...['Cost of cells', 'How fast it falls.', 'quick'], ['batteries cost']],
    );
    const researched = run.events.flatMap((event) =>
      event.type === 'section/updated' ? [`${event.id} ${event.title}`] : [],
    );
    assert.deepEqual(
      [...new Set(researched)].sort(),
      sections.map((section) => `${section.id} ${section.title}`).sort(),
    );
    const { path: report } = run.events.find((event) => event.type === 'report/finished')!;
    const headings = [...fs.readFileSync(report!, 'utf8').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
    assert.deepEqual(
      headings.slice(0, sections.length),
      sections.map((section) => section.title),
    );
  });

  for (const [name, text, why] of [
    ['empty', '', /no section/],
    ['of 5 MB', 'x'.repeat(5_000_000), /too large/],
    ['of another format', '{"question": "Q?", "sections": [{"title": "A"}]}', /no section \(a line like "## Title"\)/],
    [
      'with a source that the run has not',
      '---\nquestion: Q?\n---\n## A\n- sources: nowhere\n',
      /none of the sources.*nowhere/,
    ],
    ['that is no text', Buffer.from([0xff, 0xfe, 0, 0x23]), /not a text/],
    ['without a question', '## A\n', /no question/],
  ] as const) {
    it(`ends with 2 and says why: a file ${name}`, async () => {
      const run = await planned(text);
      assert.match(run.stderr, why);
      assert.equal(run.code, 2, run.stderr);
    });
  }

  it('is saved with --out, beside a file of that name, and the command that researches it is shown', async () => {
    const out = path.join(folder.path, 'my plan.md');
    fs.writeFileSync(out, 'mine');
    const printed = await research('How long do batteries last?', '--plan-only', '--out', out);
    assert.equal(printed.code, 0, printed.stderr);
    const saved = path.join(folder.path, 'my plan-2.md');
    assert.equal(fs.readFileSync(saved, 'utf8'), printed.stdout);
    assert.ok(printed.stderr.endsWith(`research it with: deep-research --plan '${saved}'\n`), printed.stderr);
    assert.equal(fs.readFileSync(out, 'utf8'), 'mine');
  });

  it('is printed where plans are always approved, and nobody can approve it', async () => {
    const settings = path.join(folder.path, 'always.json');
    const values = { 'deepResearch.sources.enabled': ['workspace'], 'deepResearch.planApproval': 'always' };
    fs.writeFileSync(settings, JSON.stringify(values));
    const printed = await research('How long do batteries last?', '--plan-only', '--settings', settings);
    assert.equal(printed.code, 0, printed.stderr);
    assert.match(printed.stdout, /^## /m);
  });

  it('ends with 2 for a file that is not there, and for a folder', async () => {
    for (const [file, why] of [
      [`${folder.path}/none.md`, /does not exist/],
      [folder.path, /is not a file/],
    ] as const) {
      const run = await research('--plan', file);
      assert.equal(run.code, 2);
      assert.match(run.stderr, why);
    }
  });
});
