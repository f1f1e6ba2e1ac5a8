import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnReport } from '../../../../src/node/workspaceRules.ts';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import { evidenceOfSidecar } from '../../../../src/files/sidecarText.ts';
import { isHeldBack } from '../../../../src/protocol/heldBack.ts';
import type { Source } from '../../../../src/research/evidence/source.ts';
import type { Claim } from '../../../../src/research/evidence/statement.ts';
import { textsIn } from '../../../../src/research/languages/texts.ts';
import { evidenceText } from '../../../../src/research/report/evidenceFile.ts';
import { scriptedRun } from '../../../support/scriptedRun.ts';

test('each statement stands above its passages, inert, with its numbers and its verdict', () => {
  const registry = new EvidenceRegistry();
  const add = (title: string, text: string) =>
    registry.add(
      { kind: 'web', title, authors: [], url: `https://example.org/${title.length}`, text },
      '2026-01-02T00:00:00Z',
    ).source;
  const first = add('Tides <b>', 'The gate closes at 2.1 m. It opens again <img src=x> at low tide.');
  const second = add('Moons', 'The moon pulls.');
  const claim = (id: string, sentence: string, source: Source, number: number): Claim => ({
    ...{ id, section: 's1', offset: 0, sentence, citations: [number], verdict: 'supported' },
    passages: [{ source: source.id, text: source.text, place: `0-${source.text.length}` }],
  });
  const text = evidenceText(
    'Gates',
    [first, second],
    [
      claim('C1', 'The gate closes <i>at 2.1 m.', first, 1),
      { ...claim('C2', 'It pulls.', second, 2), verdict: 'unverified', reason: 'controls' },
    ],
    textsIn('en', 'report'),
    (id) => id,
  );
  assert.match(
    text,
    /^# Gates\n\nThe gate closes &lt;i>at 2\.1 m\. \[\[1\]\]\(#ref-1\) — \*supported, one voice\*\n\n> The gate closes at 2\.1 m\. It opens again at low tide\. \[\[1\]\]\(#ref-1\)\n\nIt pulls\. \[\[2\]\]\(#ref-2\) — \*unverified \(the second reader failed its control statements\), one voice\*/,
  );
  assert.match(text, /\n## References\n\n- <a id="ref-1"><\/a>\[1\] Tides/);
  assert.doesNotMatch(text, /<img|<b>|<i>/);
});

test('a statement of two sources says so only when they are one voice', () => {
  const registry = new EvidenceRegistry();
  const sources = ['The moon pulls the water.', 'Tides follow the moon.'].map(
    (text, index) =>
      registry.add(
        { kind: 'web', title: 'T', authors: [], url: `https://example.org/${index}`, text },
        '2026-01-02T00:00:00Z',
      ).source,
  );
  const claim: Claim = {
    ...{ id: 'C1', section: 's1', offset: 0, sentence: 'It pulls.', citations: [1, 2], verdict: 'supported' },
    passages: sources.map(({ id, text }) => ({ source: id, text, place: '0-9' })),
  };
  const written = (workOf: (id: string) => string) =>
    evidenceText('T', sources, [claim], textsIn('en', 'report'), workOf);
  assert.match(
    written((id) => id),
    /\*supported\*/,
  );
  assert.match(
    written(() => sources[0]!.id),
    /\*supported, one voice\*/,
  );
});

test('a statement is without the passages that may not leave the machine, and says so', () => {
  const registry = new EvidenceRegistry();
  const add = (document: Partial<Source>) =>
    registry.add(
      { kind: 'web', title: 'T', authors: [], text: 'Boats pay 3 EUR.', ...document },
      '2026-01-02T00:00:00Z',
    ).source;
  const file = { path: 'docs/a.md', firstLine: 1, lastLine: 1 };
  const sources = {
    letter: add({ kind: 'attached', title: 'Letter', isPrivate: true }),
    page: add({ url: 'https://example.org/a' }),
    notes: add({ kind: 'workspace', file }),
    commit: add({ kind: 'workspace', title: 'Commit', isPrivate: true }),
    attached: add({ kind: 'attached', file: { ...file, path: 'docs/b.md' }, isPrivate: true }),
  };
  const leftOut = (forModel: string) =>
    Object.entries(sources).flatMap(([name, source]) => (isHeldBack(source, forModel) ? [name] : []));
  assert.deepEqual(leftOut('content'), ['letter']);
  assert.deepEqual(leftOut('off'), ['letter', 'notes', 'commit', 'attached']);
  const order = [sources.letter, sources.page];
  const claims = order.map(({ id, text }, index): Claim => ({
    ...{ id: `C${index}`, section: 's', offset: 0, sentence: text, citations: [index + 1], verdict: 'quoted' },
    passages: [{ source: id, text, place: '0-16' }],
  }));
  const texts = textsIn('en', 'report');
  const written = evidenceText(
    'T',
    order,
    claims,
    texts,
    (id) => id,
    undefined,
    (one) => isHeldBack(one, 'content'),
  );
  assert.match(
    written,
    /\n\nBoats pay 3 EUR\. \[\[1\]\]\(#ref-1\) — \*quotation, one voice, passage not saved\*\n\n\[\[2\]\]\(#ref-2\) — \*quotation, one voice\*\n\n> Boats/,
  );
  const [first] = evidenceOfSidecar(written);
  assert.deepEqual([first?.sentence.trim(), first?.verdict, first?.passages], ['Boats pay 3 EUR.', 'quoted', []]);
});

test('a run whose files no model may read saves no passage of them beside its report', async () => {
  const { saved, result } = scriptedRun({ settings: { 'workspace.forModel': 'off' } });
  await result;
  assert.match(saved[1]!.markdown, /\[\[1\]\]\(#ref-1\).* — \*.*passage not saved\*/);
  assert.doesNotMatch(saved[1]!.markdown, /^> /m);
});

test('a run saves it beside its report unless the setting says none, and no later run reads it', async () => {
  const { saved, result } = scriptedRun();
  await result;
  assert.equal(saved.length, 2);
  assert.equal(saved[1]!.name, saved[0]!.name.replace(/\.md$/, '.evidence.md'));
  assert.match(
    saved[1]!.markdown,
    /^---\ntitle: .*\nquestion: .*\nstrategy: .*\nevidenceOf: "20260304-100000-abcdef"\nverdicts: \{"quoted":"quotation",.*\}\n---\n\n# /,
  );
  assert.match(saved[1]!.markdown, /^.* \[\[1\]\]\(#ref-1\).* — \*\w+.*\*\n\n(?:.*#L.*\n\n)?> .* \[\[1\]\]\(#ref-1\)/m);
  assert.ok(isOwnReport(saved[1]!.markdown));
  const plain = scriptedRun({ settings: { 'report.evidence': 'none' } });
  await plain.result;
  assert.equal(plain.saved.length, 1);
});
