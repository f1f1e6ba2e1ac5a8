import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { evidenceOfSidecar } from '../../../src/files/sidecarText.ts';
import { sidecarOf } from '../../../src/files/sidecar.ts';
import { acceptVersion, addVersion } from '../../../src/files/versions.ts';
import { citationMark as cite } from '../../../src/protocol/citationMark.ts';
import { readStoredSources } from '../../../src/research/export/storedSources.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { notes, paper, savedFiles } from '../../support/savedRun.ts';

it('a link in place of the evidence of a report is not taken for it', async (test) => {
  const folder = temporaryFolder('sidecar');
  test.after(() => removeFolder(folder));
  const elsewhere = path.join(folder, 'mine.md');
  fs.writeFileSync(elsewhere, 'evidenceOf');
  fs.symlinkSync(elsewhere, path.join(folder, 'report.evidence.md'));
  assert.equal(await sidecarOf(path.join(folder, 'report.md'), undefined), undefined);
  fs.writeFileSync(path.join(folder, 'report.evidence-2.md'), '# Report\n');
  const found = await sidecarOf(path.join(folder, 'report.md'), undefined);
  assert.equal(path.basename(found?.file ?? ''), 'report.evidence-2.md');
});

it('the evidence of a report that was renamed is the file that names its run', async (test) => {
  const folder = temporaryFolder('renamed');
  test.after(() => removeFolder(folder));
  for (const name of ['old', 'other'])
    fs.writeFileSync(path.join(folder, `${name}.evidence.md`), `---\nevidenceOf: "run-of-${name}"\n---\n\n# T\n`);
  const found = await sidecarOf(path.join(folder, 'renamed.md'), 'run-of-old');
  assert.equal(path.basename(found?.file ?? ''), 'old.evidence.md');
  assert.equal(await sidecarOf(path.join(folder, 'renamed.md'), 'run-of-none'), undefined);
  assert.equal(await sidecarOf(path.join(folder, 'renamed.md'), undefined), undefined);
});

const held = {
  'its run': ['off', 'content'],
  'a follow-up': ['content', 'off'],
  'a follow-up that is gone': ['content', undefined],
  'a folder that is no follow-up': ['content', 'content', '../elsewhere'],
} as const;
for (const [who, [own, later, named]] of Object.entries(held))
  it(`the evidence beside a report is that of the report once a version of it is accepted, without what ${who} holds back`, async (test) => {
    const folder = temporaryFolder('sidecar-of-version');
    test.after(() => removeFolder(folder));
    const runs = path.join(folder, 'runs');
    const report = path.join(folder, 'report.md');
    const { record, ...written } = savedFiles([paper, notes], {
      body: `## A\n\nModels have a memory. ${cite(1)} They forget. ${cite(1)}`,
      record: { path: report, settings: { 'workspace.forModel': own } },
      others: [],
    });
    const home = path.join(runs, record.run);
    fs.mkdirSync(home, { recursive: true });
    fs.writeFileSync(path.join(home, 'run.json'), JSON.stringify(record));
    fs.writeFileSync(path.join(home, 'report.md'), written.report);
    fs.writeFileSync(path.join(home, 'sources.json'), written.sources);
    fs.writeFileSync(path.join(home, 'events.ndjson'), written.events);
    const child = named ?? record.run.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    fs.mkdirSync(path.join(runs, child));
    const ofChild = {
      ...record,
      run: child,
      settings: { ...record.settings, 'workspace.forModel': later ?? 'content' },
    };
    if (later) fs.writeFileSync(path.join(runs, child, 'run.json'), JSON.stringify(ofChild));
    fs.writeFileSync(path.join(runs, child, 'sources.json'), written.sources);
    const sidecar = `---\nevidenceOf: "${record.run}"\nverdicts: {"quoted":"zitiert","supported":"belegt","corrected":"berichtigt","unverified":"ungeprüft"}\n---\n\n# T\n\nModels have a memory. ${cite(1)} — *belegt*\n\n> Models with a memory. ${cite(1)}\n\nThey forget. ${cite(1)} — *ungeprüft*\n\n> Forget. ${cite(1)}\n\n## Quellen\n\n- [1] Old.\n`;
    fs.writeFileSync(path.join(folder, 'report.evidence.md'), sidecar.replaceAll('\n', '\r\n'));
    const [ofPaper, ofNotes] = ['arxiv', 'workspace'].map(
      (kind) => readStoredSources(written.sources).find((one) => one.kind === kind)!.id,
    );
    const statement = (sentence: string, number: number, source: string) => ({
      ...{ sentence, citations: [number], verdict: 'supported' },
      passages: [{ number, source, text: `Words of ${number}.` }],
    });
    const number = await addVersion(home, {
      ...{ kind: 'research', run: child, title: 'More', state: 'waiting', gone: [], base: written.report },
      text: written.report
        .replace('They forget.', 'They retrieve.')
        .replace('\n\n## Ref', ` BM25 is used. ${cite(2)}\n\nThey retrieve. ${cite(2)}\n\n## Ref`),
      sources: { 1: ofPaper!, 2: ofNotes! },
      statements: [
        ...[statement('They retrieve.', 1, ofPaper!), statement('BM25 is used.', 2, ofNotes!)],
        statement('They retrieve.', 2, ofNotes!),
      ],
    });
    await acceptVersion(runs, record.run, number, {
      read: async () => written.report,
      file: report,
      write: async () => undefined,
    });
    const text = fs.readFileSync(path.join(folder, 'report.evidence.md'), 'utf8');
    assert.deepEqual(
      evidenceOfSidecar(text).map(({ sentence, verdict, passages }) => [sentence.trim(), verdict, passages.length]),
      [
        ['Models have a memory.', 'supported', 1],
        ['They retrieve.', 'supported', 1],
        ['BM25 is used.', 'supported', 0],
        ['They retrieve.', 'supported', 0],
      ],
    );
    assert.match(
      text,
      /## Quellen\n\n- .*\[1\] Retrieval.*\n- .*\[2\] Notes/,
      'the references are those of the report',
    );
  });

const code = '    def gates(tide):\n        # [open](https://example.org)\n\n        return 2';
it('a passage that a version has brought is in the evidence word for word, below its place, and no quote stays that the report lost', async (test) => {
  const folder = temporaryFolder('sidecar-of-code');
  test.after(() => removeFolder(folder));
  const runs = path.join(folder, 'runs');
  const report = path.join(folder, 'report.md');
  const body = `## A\n\n\`\`\`\ntide = 3\n\`\`\`\n\n${cite(1)}`;
  const settings = { 'workspace.forModel': 'content' };
  const { record, ...written } = savedFiles([notes], { body, record: { path: report, settings }, others: [] });
  const home = path.join(runs, record.run);
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(home, 'run.json'), JSON.stringify(record));
  fs.writeFileSync(path.join(home, 'report.md'), written.report);
  fs.writeFileSync(path.join(home, 'sources.json'), written.sources);
  fs.writeFileSync(path.join(home, 'events.ndjson'), written.events);
  const place = 'notes/search_basics.md#L3-L3';
  const quote = `${cite(1)} — *quotation*\n\n${place}\n\n\`\`\`\ntide = 3\n\`\`\`\n\n${cite(1)}`;
  const sidecar = `---\nevidenceOf: "${record.run}"\n---\n\n# T\n\n${quote}\n\n## References\n\n- [1] Old.\n`;
  fs.writeFileSync(path.join(folder, 'report.evidence.md'), sidecar);
  const source = readStoredSources(written.sources).find((one) => one.kind === 'workspace')!.id;
  const sentence = 'def gates(tide): # [open](https://example.org) return 2';
  const number = await addVersion(home, {
    ...{ kind: 'research', title: 'More', state: 'waiting', gone: [], base: written.report, sources: { 1: source } },
    text: written.report.replace('tide = 3', code),
    statements: [
      {
        ...{ sentence, citations: [1], verdict: 'quoted' },
        passages: [{ number: 1, source, text: code, place: 'L5-L8' }],
      },
    ],
  });
  await acceptVersion(runs, record.run, number, {
    read: async () => written.report,
    file: report,
    write: async () => undefined,
  });
  const text = fs.readFileSync(path.join(folder, 'report.evidence.md'), 'utf8');
  const quoted = code.replace(/^/gm, '> ').replace(/ +$/gm, '');
  assert.ok(
    text.includes(
      `# T\n\n${cite(1)} — *quotation*\n\nnotes/search\\_basics.md#L5-L8\n\n> \`\`\`\n${quoted}\n> \`\`\`\n>\n> ${cite(1)}\n\n## References`,
    ),
    text,
  );
  const [again] = evidenceOfSidecar(text);
  assert.ok(again?.passages[0]?.text.includes(quoted) && again.key.startsWith('defgates'), again?.key);
});
