import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnReport } from '../../../../src/node/workspaceRules.ts';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import { evidenceText } from '../../../../src/research/report/evidenceFile.ts';
import { scriptedRun } from '../../../support/scriptedRun.ts';

test('the quoted texts stand in the order of the references, once each, inert, and only those that stand in the source', () => {
  const registry = new EvidenceRegistry();
  const add = (title: string, text: string) =>
    registry.add(
      { kind: 'web', title, authors: [], url: `https://example.org/${title.length}`, text },
      '2026-01-02T00:00:00Z',
    ).source;
  const first = add('Tides <b>', 'The gate closes at 2.1 m. It opens again <img src=x> at low tide.');
  const second = add('Moons', 'The moon pulls.');
  const finding = (source: string, quote: string) => ({ claim: quote, quote, source });
  const text = evidenceText(
    'Gates',
    [first, second],
    [
      finding(first.id, 'The gate closes at 2.1 m.'),
      finding(first.id, 'The gate closes at 2.1 m. It opens again <img src=x> at low tide.'),
      finding(first.id, 'The gate never closes.'),
    ],
    'Retrieved',
  );
  assert.match(
    text,
    /^# Gates\n\n## \[1\] Tides .*\n\n> The gate closes at 2\.1 m\. It opens again at low tide\. \[1\]\n\n## \[2\] Moons/,
  );
  assert.doesNotMatch(text, /<img|<b>|never/);
});

test('with report.evidence a run saves them beside its report, and no later run reads them', async () => {
  const { saved, result } = scriptedRun({ settings: { 'report.evidence': 'sidecar' } });
  await result;
  assert.equal(saved.length, 2);
  assert.equal(saved[1]!.name, saved[0]!.name.replace(/\.md$/, '.evidence.md'));
  assert.match(
    saved[1]!.markdown,
    /^---\ntitle: .*\nquestion: .*\nstrategy: .*\nevidenceOf: "20260304-100000-abcdef"\n---\n\n# /,
  );
  assert.match(saved[1]!.markdown, /^## \[1\] .*\n\n> .* \[1\]/m);
  assert.ok(isOwnReport(saved[1]!.markdown));
  const plain = scriptedRun();
  await plain.result;
  assert.equal(plain.saved.length, 1);
});
