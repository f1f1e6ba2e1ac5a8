import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type GivenPart, ReportStream } from '../../../src/host/chat/reportStream.ts';
import { narrowedSources, readToolInput } from '../../../src/host/chat/toolInput.ts';
import { toolResult } from '../../../src/host/chat/toolResult.ts';
import { emptyView } from '../../../src/protocol/reduceRun.ts';
import type { RunView, SourceView } from '../../../src/protocol/runView.ts';

const page: SourceView = { id: 'Sp', kind: 'web', title: 'A (page)', url: 'https://example.org/a_(b)' };
const file: SourceView = {
  ...{ id: 'Sf', kind: 'workspace', title: 'notes.md' },
  file: { path: 'docs/notes.md', firstLine: 3, lastLine: 5 },
};
const outside: SourceView = {
  ...file,
  id: 'So',
  file: { path: '../other.md', firstLine: 1, lastLine: 1 },
};
const sources = [page, file, outside];
const cite = (number: number) => `[[${number}]](#ref-${number})`;
const viewOf = (text: string, citations = ['Sp', 'Sf', 'So']): RunView => ({
  ...emptyView(),
  ...{ run: '20261124-100000-aaaaaa', status: 'finished', sources },
  report: { text, done: false, citations },
});
const shown = (parts: readonly GivenPart[]) =>
  parts.map(({ pieces }) =>
    pieces.map((piece) => ('markdown' in piece ? piece.markdown : `<${piece.label}>`)).join(''),
  );

describe('a report in a chat', () => {
  const one = `## One\n\nFirst ${cite(1)}.\n\n`;
  const two = `## Two\n\nSecond ${cite(2)}.\n\n`;
  const end = `## References\n\n- <a id="ref-1"></a>[1] A\n\n## How this report was made\n\nWords.\n`;

  it('is given section by section, each once, without what code adds', () => {
    const stream = new ReportStream('/w');
    assert.deepEqual(stream.written(viewOf('# Title\n\n## One\n\nFir')), []);
    assert.equal(shown(stream.written(viewOf(`# Title\n\n${one}## Tw`))).length, 1);
    assert.deepEqual(stream.written(viewOf(`# Title\n\n${one}## Two\n\nSec`)), []);
    const rest = shown(stream.finished(viewOf(`# Title\n\nIn short.\n\n${one}${two}${end}`)));
    assert.deepEqual(rest, ['# Title\n\nIn short.\n\n', '## Two\n\nSecond <notes.md:3>.\n\n']);
  });

  it('links a citation to its page or lines, and to no file outside of the folder', () => {
    const text = `## One\n\nA ${cite(1)} b ${cite(2)} c ${cite(3)} d ${cite(9)}.`;
    const [part] = new ReportStream('/w').finished(viewOf(text));
    assert.deepEqual(shown([part!]), [
      '## One\n\nA [\\[1\\]](https://example.org/a_%28b%29) b <notes.md:3> c \\[3\\] d .\n\n',
    ]);
    assert.deepEqual(
      part!.sources.map(({ id }) => id),
      ['Sp', 'Sf', 'So'],
    );
  });

  it('keeps its numbers when those of the report change, and says which section was changed', () => {
    const stream = new ReportStream('/w');
    stream.written(viewOf(`# T\n\n${one}## Two\n`));
    const renumbered = viewOf(`# T\n\nShort ${cite(1)}.\n\n## One\n\nFirst ${cite(2)}.\n\n${end}`, ['Sf', 'Sp']);
    assert.deepEqual(shown(stream.finished(renumbered)), ['# T\n\nShort <notes.md:3>.\n\n']);
    const corrected = stream.finished(
      viewOf(`# T\n\nShort ${cite(2)}.\n\n## One\n\nFirst, but once ${cite(1)}.\n\n${end}`),
    );
    assert.deepEqual(
      corrected.map(({ isChanged }) => isChanged),
      [true],
    );
  });

  it('gives no section again that only lost what another one says, and one that lost a statement for good', () => {
    const both = `## One\n\nFirst. Shared.\n\n`;
    const stream = new ReportStream('/w');
    stream.written(viewOf(`# T\n\n${both}## Two\n\nShared.\n\n## X`));
    assert.deepEqual(stream.finished(viewOf(`# T\n\n## One\n\nFirst.\n\n## Two\n\nShared.\n\n${end}`)), []);
    const lost = stream.finished(viewOf(`# T\n\n## One\n\nShared.\n\n## Two\n\nShared.\n\n${end}`));
    assert.deepEqual(shown(lost), ['## One\n\nShared.\n\n']);
  });
});

describe('what a model gets of a run', () => {
  const report = `# Title\n\nIn short ${cite(1)}, with ${cite(2)}.\n\n## One\n\nMore ${cite(1)}.\n\n## References\n\n- <a id="ref-1"></a>[1] A\n`;
  const unverified = { sentence: 'It is so.', key: 'itisso', citations: [1], verdict: 'unverified', passages: [] };

  it('is the answer in brief with its citations, what is unverified or missing, and the file', () => {
    const view: RunView = {
      ...viewOf(report),
      report: { ...viewOf(report).report, path: '/w/research/a.md' },
      end: { outcome: 'partial', gaps: [{ section: 's1', gap: 'What it costs' }], reason: '', message: '', next: '' },
    };
    const text = toolResult(view, [unverified], true, 9_000);
    assert.match(text, /^# Title\n\nIn short \[1\], with \[2\]\.\n\nReferences:\n\[1\] A \(page\)\. https:/);
    assert.match(text, /\[2\] notes\.md\. docs\/notes\.md#L3-L5/);
    assert.match(text, /Not verified against the sources:\n- It is so\./);
    assert.match(text, /Not answered:\n- What it costs/);
    assert.match(text, /Report: \/w\/research\/a\.md/);
    assert.doesNotMatch(text, /More/);
  });

  it('includes the first section where the summary cites nothing, and is cut at a sentence', () => {
    const text = toolResult(
      viewOf(`# T\n\n## One\n\nFirst ${cite(1)}. Second. ${'Third. '.repeat(900)}`),
      [],
      true,
      600,
    );
    assert.match(text, /^# T\n\n## One\n\nFirst \[1\]\. Second\. Third\./);
    assert.ok(text.length < 900, String(text.length));
  });

  it('says nothing of a report that may not be shown', () => {
    assert.doesNotMatch(toolResult(viewOf(report), [unverified], false, 9_000), /In short|It is so/);
  });

  it('says of a run without a report how to resume and to finish it', () => {
    const stopped = toolResult({ ...viewOf(''), status: 'cancelled' }, [], true, 9_000);
    assert.match(stopped, /was stopped.+\{"resume": "20261124-100000-aaaaaa"\}.+"finish": true/);
    const end = { reason: 'auth', message: 'The key is wrong.', next: 'Set another.' };
    assert.match(
      toolResult({ ...viewOf(''), status: 'failed', end }, [], true, 9_000),
      /The key is wrong\. Set another\./,
    );
  });
});

describe('what a model asks of the tool', () => {
  it('is a question, or a run to resume', () => {
    assert.deepEqual(readToolInput({ question: ' Why? ', depth: 'quick', sources: [] }), {
      question: 'Why?',
      depth: 'quick',
    });
    const resume = '20261124-100000-aaaaaa';
    assert.deepEqual(readToolInput({ resume }), { resume, finish: false });
    for (const wrong of [null, 7, 'Why?', {}, { question: 3 }, { question: ' ' }, { question: 'a', sources: [1] }])
      assert.throws(() => readToolInput(wrong), /"question"|"sources"/);
    assert.throws(() => readToolInput({ question: 'a', sources: Array(1_000).fill('web') }), /"sources"/);
    assert.throws(() => readToolInput({ resume: '../x' }), /id of a run/);
  });

  it('leaves sources out, and adds none', () => {
    assert.equal(narrowedSources(undefined, ['web']), undefined);
    assert.deepEqual(narrowedSources(['web', 'github'], ['arxiv', 'web']), ['web']);
    assert.throws(() => narrowedSources(['github'], ['arxiv', 'web']), /Enabled: arxiv, web/);
  });
});
