import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { unzipSync } from 'fflate';
import { exportFileName, exportRun } from '../../../src/engine.ts';
import { acceptVersion, addVersion } from '../../../src/files/versions.ts';
import { citationMark } from '../../../src/protocol/citationMark.ts';
import { readStoredSources } from '../../../src/research/export/storedSources.ts';
import { runFiles } from '../../../src/protocol/runFolder.ts';
import type { ExportFormat } from '../../../src/protocol/ports.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import {
  savedFiles,
  type SavedFiles,
  savedRecord,
  savedRunId,
  notes,
  paper,
  repository,
} from '../../support/savedRun.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';

describe('the export of a kept run', () => {
  let root: string;
  let folder: string;
  let target: string;
  let files: SavedFiles;
  beforeEach(() => {
    root = temporaryFolder('export');
    folder = path.join(root, 'runs', savedRunId);
    target = path.join(root, 'out', 'export.file');
    fs.mkdirSync(path.join(folder, runFiles.evidence), { recursive: true });
    fs.mkdirSync(path.dirname(target));
    files = savedFiles([paper, repository, notes]);
    write(runFiles.record, JSON.stringify(files.record));
    write(runFiles.report, files.report);
    write(runFiles.sources, files.sources);
    write(runFiles.events, files.events);
  });
  afterEach(() => removeFolder(root));

  function write(name: string, text: string): void {
    fs.writeFileSync(path.join(folder, name), text);
  }
  async function exported(format: ExportFormat, reportText?: string): Promise<Buffer> {
    await exportRun({
      runsFolder: path.join(root, 'runs'),
      run: savedRunId,
      format,
      target,
      ...(reportText === undefined ? {} : { reportText }),
    });
    return fs.readFileSync(target);
  }
  const text = async (format: ExportFormat, reportText?: string) =>
    (await exported(format, reportText)).toString('utf8');
  const names = (zip: Buffer) => Object.keys(unzipSync(zip));
  const left = () => fs.readdirSync(path.dirname(target));

  it('as CSL-JSON has the cited sources alone, in the order of the references', async () => {
    const items = JSON.parse(await text('csl-json')) as { id: string; title: string }[];
    assert.deepEqual(
      items.map(({ title }) => title),
      [paper.title, repository.title, notes.title],
    );
  });

  it('as BibTeX has the same keys as CSL-JSON', async () => {
    const ids = (JSON.parse(await text('csl-json')) as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(
      [...(await text('bibtex')).matchAll(/^@\w+\{([^,]+),$/gm)].map((match) => match[1]),
      ids,
    );
  });

  it('as a web page has the passages of an accepted version', async () => {
    const { id } = readStoredSources(files.sources).find(({ kind }) => kind === 'arxiv')!;
    const version = files.report.replace('A summary.', `Models retrieve. ${citationMark(1)}`);
    const number = await addVersion(folder, {
      ...{ kind: 'rewrite', title: 'Shorter', state: 'waiting', gone: [], text: version, base: files.report },
      sources: { 1: id },
      statements: [
        {
          sentence: 'Models retrieve.',
          citations: [1],
          verdict: 'supported',
          passages: [{ number: 1, source: id, text: 'They retrieve well.' }],
        },
      ],
    });
    assert.doesNotMatch(await text('html'), /They retrieve well/);
    await acceptVersion(path.join(root, 'runs'), savedRunId, number, {});
    assert.match(await text('html'), /They retrieve well/);
    // What was attached from elsewhere is in no file that leaves the machine.
    const stored = JSON.parse(files.sources) as { sources: { id: string; kind: string }[] };
    for (const one of stored.sources) if (one.id === id) one.kind = 'attached';
    write(runFiles.sources, JSON.stringify(stored));
    assert.doesNotMatch(await text('html'), /They retrieve well/);
  });

  it('of a report from another machine has the evidence beside it', async () => {
    const run = '20260304-100000-fedcba';
    const report = files.report
      .replaceAll(savedRunId, run)
      .replace('A summary.', `Models retrieve. ${citationMark(1)}`);
    const file = path.join(root, 'theirs.md');
    fs.writeFileSync(file, report);
    fs.writeFileSync(
      path.join(root, 'theirs.evidence.md'),
      `---\nevidenceOf: "${run}"\n---\n\nModels retrieve. ${citationMark(1)} — *supported*\n\n> They retrieve well. ${citationMark(1)}\n`,
    );
    const options = { runsFolder: path.join(root, 'runs'), run, target, reportFile: file };
    await exportRun({ ...options, format: 'html' });
    assert.match(fs.readFileSync(target, 'utf8'), /How retrieval works[^]*They retrieve well/);
    await exportRun({ ...options, format: 'docx' });
    assert.ok('word/document.xml' in unzipSync(fs.readFileSync(target)));
    await assert.rejects(exportRun({ ...options, format: 'bibtex' }), /not on this machine/);
    await assert.rejects(
      exportRun({ ...options, run: '20260304-100000-aaaaaa', format: 'html' }),
      /not on this machine/,
    );
  });

  it('as a web page shows the report and what run it is of', async () => {
    const html = await text('html');
    assert.match(html, /<title>How retrieval works<\/title>/);
    assert.match(html, new RegExp(`<code>${savedRunId}</code>`));
    assert.match(html, /href="https:\/\/arxiv\.org\/abs\/2005\.11401v4"/);
  });

  it('as a Word document has a footnote for each citation, with its passage, and links to the reference and its page', async () => {
    const [lewis, repo] = (JSON.parse(files.sources) as { sources: { id: string; title: string }[] }).sources
      .filter(({ title }) => [paper.title, repository.title].includes(title))
      .sort((a, b) => b.title.length - a.title.length);
    const claim = (sentence: string, citations: readonly number[], source: string, text: string) =>
      JSON.stringify({
        ...{ type: 'report/claim', run: savedRunId, seq: 8, at: savedRecord().created, id: sentence, section: 's1' },
        ...{ offset: 0, sentence, citations, verdict: 'supported', passages: [{ source, place: '0-9', text }] },
      });
    const far = 'Other words. '.repeat(100);
    write(
      runFiles.events,
      `${files.events}${claim('Models **retrieve** <documents>.', [1], lewis!.id, `${far}They \u0007retrieve documents. ${far}`)}\n${claim('Graphs run agents.', [2], repo!.id, 'Agents as graphs run.')}\n`,
    );
    const body = `Models **retrieve** \\<documents>. [[1]](#ref-1)[[2]](#ref-2)

- Graphs run agents. [[2]](#ref-2)
  1. See \`npm\` and [the page](https://example.org/a?b=1&c=%2C).

| Lock | Rise |
|---|---:|
| Three Gorges | 113 m [[3]](#ref-3) |

> A quote, and [[9]](#ref-9) cites nothing.
`;
    const parts = unzipSync(await exported('docx', files.report.replace(/A summary\..*/, body)));
    const xml = (name: string) => Buffer.from(parts[`word/${name}`]!).toString('utf8');
    const [document, footnotes] = [xml('document.xml'), xml('footnotes.xml')];
    const wordsIn = (part: string) =>
      [...part.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)].map(([, words]) => words).join('');
    assert.match(wordsIn(document), /Models retrieve &lt;documents&gt;\.(?:, )?/);
    assert.match(wordsIn(document), /A quote, and \[9\] cites nothing\./);
    assert.deepEqual(
      [...document.matchAll(/<w:footnoteReference w:id="(\d+)"/g)].map(([, id]) => id),
      ['1', '2', '3', '4'],
    );
    const notes = [...footnotes.matchAll(/<w:footnote [^>]*w:id="([1-9]\d*)"[^>]*>(.*?)<\/w:footnote>/g)].map(
      ([, , note]) => note!,
    );
    assert.equal(notes.length, 4);
    assert.match(
      wordsIn(notes[0]!),
      /^ ?\[1\] .*Retrieval-Augmented Generation.* — supported… .*They retrieve documents\. Other.* …$/,
    );
    assert.ok(wordsIn(notes[0]!).length < 900, 'what is far from the words that decide is left out');
    assert.match(notes[0]!, /<w:b\/>.*They retrieve documents\./);
    assert.match(wordsIn(notes[2]!), /Agents as graphs run\.$/);
    assert.doesNotMatch(wordsIn(notes[1]!), /They retrieve/, 'a footnote has the passages of its own source');
    assert.match(notes[0]!, /<w:hyperlink [^>]*w:anchor="ref-1"/);
    assert.match(document, /<w:bookmarkStart [^>]*w:name="ref-1"/);
    assert.match(
      xml('_rels/document.xml.rels'),
      /Target="https:\/\/example\.org\/a\?b=1&amp;c=%2C" TargetMode="External"/,
    );
    assert.match(xml('_rels/footnotes.xml.rels'), /Target="https:\/\/arxiv\.org\/abs\/2005\.11401v4"/);
    for (const name of Object.keys(parts).filter((one) => /\.(xml|rels)$/.test(one)))
      assert.doesNotMatch(Buffer.from(parts[name]!).toString('utf8'), /[\u0000-\u0008]/, name);
  });

  it('as a zip holds the whole folder below its name, but neither lock nor half-written files', async () => {
    write(path.join(runFiles.evidence, 'S12345.txt'), 'evidence');
    write(runFiles.lock, '{}');
    write(`${runFiles.lock}.takeover`, '');
    write(`${runFiles.record}.1a2b3c4d.tmp`, '{');
    const zip = unzipSync(await exported('zip'));
    assert.deepEqual(
      Object.keys(zip),
      ['events.ndjson', 'evidence/S12345.txt', 'report.md', 'run.json', 'sources.json'].map(
        (name) => `${savedRunId}/${name}`,
      ),
    );
    for (const [name, bytes] of Object.entries(zip))
      assert.equal(Buffer.from(bytes).toString('utf8'), fs.readFileSync(path.join(root, 'runs', name), 'utf8'));
  });

  it('as a zip holds long files to the last byte', async () => {
    const long = [randomBytes(1_000_000), Buffer.alloc(3_000_000, 'the same again '), Buffer.alloc(0)];
    long.forEach((bytes, index) => fs.writeFileSync(path.join(folder, runFiles.evidence, `${index}.bin`), bytes));
    const zip = unzipSync(await exported('zip'));
    long.forEach((bytes, index) => assert.ok(bytes.equals(zip[`${savedRunId}/${runFiles.evidence}/${index}.bin`]!)));
    assert.ok(fs.statSync(target).size < 1_100_000, 'what repeats is compressed');
  });

  it('as a zip never holds what a symbolic link leads to', async () => {
    fs.writeFileSync(path.join(root, 'secret.txt'), 'secret');
    fs.mkdirSync(path.join(root, 'elsewhere'));
    fs.writeFileSync(path.join(root, 'elsewhere', 'other.txt'), 'secret');
    fs.symlinkSync(path.join(root, 'secret.txt'), path.join(folder, 'link.txt'));
    fs.linkSync(path.join(root, 'secret.txt'), path.join(folder, 'second.txt'));
    fs.symlinkSync(path.join(root, 'elsewhere'), path.join(folder, runFiles.evidence, 'folder'));
    assert.deepEqual(
      names(await exported('zip')).filter((name) => !/(events|report|run|sources)\.\w+$/.test(name)),
      [],
    );
  });

  it('as a zip holds the report as it is now, beside the one that was written', async () => {
    const edited = `${files.report}\nA remark of mine.\n`;
    const zip = unzipSync(await exported('zip', edited));
    assert.equal(Buffer.from(zip[`${savedRunId}/report.md`]!).toString('utf8'), files.report);
    assert.equal(Buffer.from(zip[`${savedRunId}/report.edited.md`]!).toString('utf8'), edited);
  });

  it('takes the saved report while it is still of this run, else the copy in the folder', async () => {
    const saved = path.join(root, 'saved.md');
    write(runFiles.record, JSON.stringify({ ...files.record, path: saved }));
    assert.doesNotMatch(await text('html'), /My own words/, 'the file is gone');
    fs.writeFileSync(saved, files.report.replace('A summary.', 'My own words.').replaceAll('\n', '\r\n'));
    assert.match(await text('html'), /My own words/);
    fs.writeFileSync(
      saved,
      files.report.replace('A summary.', 'My own words.').replace(savedRunId, '20260304-100000-000000'),
    );
    assert.doesNotMatch(await text('html'), /My own words/, 'another report has its name now');
    assert.match(await text('html', files.report.replace('A summary.', 'Unsaved words.')), /Unsaved words/);
  });

  it('keeps to the sources that an edited report still cites', async () => {
    const edited = files.report.replace(/^- <a id="ref-1">.*\n/m, '');
    const items = JSON.parse(await text('csl-json', edited)) as { title: string }[];
    assert.deepEqual(
      items.map(({ title }) => title),
      [repository.title, notes.title],
    );
  });

  it('goes by the order of the run where the report has no list of references any more', async () => {
    const edited = files.report.replace(/## References[\s\S]*/, '');
    const items = JSON.parse(await text('csl-json', edited)) as { title: string }[];
    assert.deepEqual(
      items.map(({ title }) => title),
      [paper.title, repository.title, notes.title],
    );
  });

  it('of a run without a report is its folder, and else one clear refusal', async () => {
    fs.rmSync(path.join(folder, runFiles.report));
    for (const format of ['html', 'bibtex', 'csl-json'] as const) {
      await assert.rejects(
        exported(format),
        (error) =>
          ResearchError.is(error, 'badRequest') && /no report yet/.test(error.message) && /Resume it/.test(error.next),
      );
    }
    assert.ok(names(await exported('zip')).includes(`${savedRunId}/run.json`));
  });

  it('of a report that cites nothing has no references', async () => {
    write(runFiles.events, '');
    const bare = '# A report\n\nNothing was found.\n';
    for (const format of ['bibtex', 'csl-json'] as const) {
      await assert.rejects(
        exported(format, bare),
        (error) => ResearchError.is(error, 'badRequest') && /no source/.test(error.message),
      );
    }
    assert.match(await text('html', bare), /Nothing was found/);
  });

  it('tells of damaged files, and the zip takes them as they are', async () => {
    for (const damaged of ['', '{"version":1', '[]', '{"version":2,"sources":[]}', 'null']) {
      write(runFiles.sources, damaged);
      await assert.rejects(
        exported('bibtex'),
        (error) => ResearchError.is(error, 'badRequest') && /sources\.json.*damaged/.test(error.message),
        damaged,
      );
    }
    write(
      runFiles.sources,
      JSON.stringify({
        version: 1,
        sources: [null, { id: 'S12345' }, ...(JSON.parse(files.sources) as { sources: unknown[] }).sources],
      }),
    );
    assert.equal(
      (JSON.parse(await text('csl-json')) as unknown[]).length,
      3,
      'an entry that is damaged costs nothing else',
    );
    write(runFiles.record, '{');
    await assert.rejects(
      exported('html'),
      (error) => ResearchError.is(error, 'badRequest') && /run\.json/.test(error.message),
    );
    assert.equal(names(await exported('zip')).length, 4);
  });

  it('refuses a text that is too long to be a report', async () => {
    const refused = (error: unknown) => ResearchError.is(error, 'badRequest') && /too large/.test(error.message);
    await assert.rejects(exported('html', 'word '.repeat(500_000)), refused);
    write(runFiles.report, 'word '.repeat(500_000));
    await assert.rejects(exported('csl-json'), refused);
    assert.ok(names(await exported('zip')).includes(`${savedRunId}/report.md`));
  });

  it('replaces an older export whole, and leaves it alone when it fails', async () => {
    fs.writeFileSync(target, 'older');
    await assert.rejects(
      exported('html', '   ').then(() =>
        exportRun({ runsFolder: path.join(root, 'runs'), run: '20260304-100000-999999', format: 'zip', target }),
      ),
      (error) => ResearchError.is(error, 'badRequest'),
    );
    assert.match(fs.readFileSync(target, 'utf8'), /^<!doctype html>/);
    fs.writeFileSync(path.join(folder, runFiles.sources), '{');
    await assert.rejects(exported('bibtex'));
    assert.match(fs.readFileSync(target, 'utf8'), /^<!doctype html>/);
    assert.deepEqual(left(), ['export.file']);
  });

  it('that cannot be written says why and what to do, and leaves nothing behind', async () => {
    const blocked: readonly (readonly [string, RegExp])[] = [
      [path.join(root, 'nowhere', 'x.html'), /does not exist/],
      [path.join(folder, runFiles.record, 'x.html'), /not a folder/],
      [path.dirname(target), /there is a folder|directory|permission/i],
    ];
    for (const format of ['html', 'zip'] as const) {
      for (const [place, why] of blocked) {
        await assert.rejects(
          exportRun({ runsFolder: path.join(root, 'runs'), run: savedRunId, format, target: place }),
          (error) => ResearchError.is(error, 'storage') && why.test(error.message) && error.next !== '',
        );
      }
    }
    assert.deepEqual(fs.readdirSync(root).sort(), ['out', 'runs']);
    assert.deepEqual(left(), []);
  });

  it('reads no folder but that of a run', async () => {
    fs.writeFileSync(path.join(root, 'secret.txt'), 'secret');
    fs.symlinkSync(path.join(root, 'out'), path.join(root, 'runs', '20260304-100000-111111'));
    for (const run of [
      '..',
      '20260304-100000-111111',
      '.',
      '',
      '../out',
      '20260304-100000-abcdef/../..',
      `${savedRunId}/evidence`,
      '20260304-100000-000000',
    ]) {
      await assert.rejects(
        exportRun({ runsFolder: path.join(root, 'runs'), run, format: 'zip', target }),
        (error) => ResearchError.is(error, 'badRequest'),
        run,
      );
    }
    await assert.rejects(
      exportRun({ runsFolder: path.join(root, 'runs'), run: savedRunId, format: 'zip', target: 'export.zip' }),
      (error) => ResearchError.is(error, 'badRequest'),
    );
  });
});

describe('the name of an export', () => {
  it('is what the run is called, with its date', () => {
    assert.equal(exportFileName(savedRecord(), 'html'), '2026-03-04-how-retrieval-works.html');
    assert.equal(exportFileName(savedRecord({ name: 'For Ada: draft/2' }), 'bibtex'), '2026-03-04-for-ada-draft-2.bib');
    const { title: _, ...untitled } = savedRecord({ question: '检索增强生成?' });
    assert.equal(exportFileName(untitled, 'csl-json'), '2026-03-04-检索增强生成.json');
    assert.equal(exportFileName(savedRecord({ title: '../../.md', name: ' ' }), 'zip'), '2026-03-04-md.zip');
  });
});
