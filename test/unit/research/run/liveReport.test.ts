import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EventBody } from '../../../../src/protocol/events.ts';
import { CitationWriter } from '../../../../src/research/evidence/citations.ts';
import { LiveReport } from '../../../../src/research/run/liveReport.ts';

function live() {
  const events: Extract<EventBody, { type: 'report/delta' }>[] = [];
  const evidence = { get: () => undefined, byUrl: () => undefined, candidates: [] };
  const report = new LiveReport(
    (event) => event.type === 'report/delta' && events.push(event),
    new CitationWriter(evidence, ''),
  );
  const shown = (): string => events.reduce((text, { offset, text: added }) => text.slice(0, offset) + added, '');
  return { report, events, shown };
}

describe('a report that is shown while its sections are written', () => {
  it('shows sections one after another in the order in which they began, and only appends', () => {
    const { report, events, shown } = live();
    report.title('The plan');
    const first = report.part('s2', 'Second');
    const second = report.part('s1', 'First');
    first.push('One is here. Two ');
    second.push('Another begins. And it goes on for some more words, as sections do ');
    assert.doesNotMatch(shown(), /Another/);
    first.push('is here.');
    first.end();
    assert.match(shown(), /^# The plan\n\n## Second\n\nOne is here\. Two is here\.\n\n## First\n\nAnother begins\./);
    second.end();
    let length = 0;
    for (const { offset, text } of events) {
      assert.equal(offset, length);
      length += text.length;
    }
  });

  it('opens no section before it has text', () => {
    const { report, shown } = live();
    report.part('s1', 'Empty').end();
    const other = report.part('s2', 'Full');
    other.push('It says this. ');
    other.end();
    assert.equal(shown().trim(), '## Full\n\nIt says this.');
  });

  it('takes a section away that is written again, and sends the rest of the text once', () => {
    const { report, shown } = live();
    for (const id of ['s1', 's2']) {
      const part = report.part(id, `Title ${id}`);
      part.push(`Text of ${id}. `);
      part.end();
    }
    const again = report.part('s1', 'Title s1');
    again.push('New text of s1. ');
    again.end();
    assert.equal(shown().trim(), '## Title s2\n\nText of s2.\n\n## Title s1\n\nNew text of s1.');
  });

  it('replaces what is shown by the completed report from the first difference on', () => {
    const { report, events, shown } = live();
    report.title('The plan');
    const part = report.part('s1', 'First');
    part.push('Text. ');
    part.end();
    const markdown = '# The plan\n\nA summary.\n\n## First\n\nText.\n';
    report.replace({ markdown, order: [] });
    assert.equal(shown(), markdown);
    assert.equal(events.at(-1)!.offset, '# The plan\n\n'.length);
  });
});
