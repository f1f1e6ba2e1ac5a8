import assert from 'node:assert/strict';
import { it } from 'node:test';
import { evidenceOfVersion } from '../../../src/files/evidence.ts';
import { judgedTexts } from '../../../src/files/findStatements.ts';
import { citedSections } from '../../../src/files/reportSections.ts';

it('a section of a report can be changed as far as its change is known and makes sense', () => {
  const cite = '[[1]](#ref-1)';
  const head = `# Locks

Locks lift boats. ${cite}

## Gates

Gates are mitred. ${cite} They close by themselves. ${cite}

## Not answered

- When they were built.

## Outlook

All of them hold. ${cite}

## References

- <a id="ref-1"></a>[1] Locks. https://locks.example/. Retrieved 2026-01-02

## How this report was made

- Supported: “Gates are mitred.” ${cite}
`;
  const statements = ['Locks lift boats.', 'Gates are mitred.', 'They close by themselves.', 'All of them hold.'];
  const evidence = evidenceOfVersion({
    statements: statements.map((sentence, index) => ({
      ...{ sentence, citations: [1], verdict: 'supported', passages: [] },
      section: ['summary', 's1', 's1', 'conclusion'][index]!,
    })),
  });
  const shown = (report: string, known = head) =>
    citedSections(report, known, judgedTexts(report, evidence)).map(({ start, heading, judged, change }) => {
      assert.ok(report.startsWith(`## ${heading}\n`, start));
      return `${heading}: ${judged.length}, ${change}`;
    });
  assert.deepEqual(shown(head), ['Gates: 2, any', 'Outlook: 1, remove', 'How this report was made: 1, none']);
  assert.deepEqual(shown(head.replace('## Gates', '## My gates'))[0], 'My gates: 2, none');
  assert.deepEqual(shown(head, '')[0], 'Gates: 2, none', 'its run is not on this machine');
});
