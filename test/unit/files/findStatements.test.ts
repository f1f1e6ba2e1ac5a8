import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { citationBehind, citedTexts, sectionsOf } from '../../../src/files/citedTexts.ts';
import {
  chartKeys,
  byDecision,
  type Evidence,
  evidenceOfRun,
  excerptOf,
  supportedBy,
} from '../../../src/files/evidence.ts';
import { evidenceIn, judgedTexts, presentIn, statementsIn, textAround } from '../../../src/files/findStatements.ts';
import { type Marker, markersOf, referenceTitle, referencesOf, sourcesIn } from '../../../src/files/references.ts';
import { evidenceOfSidecar, withStatements } from '../../../src/files/sidecarText.ts';
import { evidenceText } from '../../../src/research/report/evidenceFile.ts';
import type { Claim } from '../../../src/research/evidence/statement.ts';
import { textsIn } from '../../../src/research/languages/texts.ts';
import { source } from '../../support/analystTestKit.ts';
import { plainMarks } from '../../support/plainMarks.ts';

/** As the product looks it up: by the text around the citation. */
function evidenceAt(text: string, { number, start }: Marker, all: readonly Evidence[]): Evidence | undefined {
  const { block, before } = textAround(text, start, all);
  return evidenceIn(block, before, number, all);
}

const report = `# Tides

The gate closes at 2.1 m [[1]](#ref-1). It opens again [[1]](#ref-1)[[2]](#ref-2), and **nobody** waits. Years [2024] and a[1] are none.

\`\`\`
port: 1
\`\`\`

[[2]](#ref-2)

## References

- <a id="ref-1"></a>[1] Tides. [docs/tide%20a.md#L3-L9](../docs/tide%20a.md#L3-L9). Retrieved 2026-01-02
- <a id="ref-2"></a>[2] Gates. https://gates.example/x. Retrieved 2026-01-02
`;
const first = source('Saaaaa', 'The gate closes at 2.1 m.');
const second = source('Sbbbbb', 'It opens again at low tide.');
const claims: Claim[] = [
  {
    ...{ id: 'C1', section: 's', offset: 9, sentence: 'The gate closes at 2.1 m.', citations: [1] },
    ...{ verdict: 'quoted', passages: [{ source: first.id, text: first.text, place: '0-25' }] },
  },
  {
    ...{ id: 'C2', section: 's', offset: 50, sentence: 'It opens again, and nobody waits.', citations: [1, 2] },
    ...{ verdict: 'unverified', reason: 'controls' },
    passages: [first, second].map(({ id, text }) => ({ source: id, text, place: '0-20' })),
  },
  {
    ...{ id: 'C3', section: 's', offset: 90, sentence: 'port: 1', citations: [2], verdict: 'quoted' },
    passages: [{ source: second.id, text: 'port: 1', place: '0-7' }],
  },
];
const at = { run: 'r', seq: 1, at: '2026-01-02T00:00:00.000Z' };
const events = [
  { ...at, type: 'report/delta', offset: 0, text: report, citations: [first.id, second.id] },
  { ...at, type: 'report/claim', ...claims[0], verdict: 'unverified', reason: 'off' },
  ...claims.map((claim) => ({ ...at, type: 'report/claim', ...claim })),
];
const lines = `${events.map((event) => JSON.stringify(event)).join('\n')}\n{"type":"report/claim", torn`;

it('names a source by the title of its reference, without marks of Markdown', () => {
  assert.equal(referenceTitle('A \\*new\\* title. B. Author, 2024. https://example.org/a'), 'A *new* title');
  assert.equal(referenceTitle('[notes/a.md#L1-L2](../notes/a.md#L1-L2). Retrieved 2026-01-01'), 'notes/a.md#L1-L2');
});

describe('the citations of a report as text', () => {
  it('are those that have a reference, in both forms', () => {
    const shown = (text: string) => markersOf(text).map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(shown(report), ['[1]', '[1]', '[2]', '[2]']);
    assert.deepEqual(shown(plainMarks(report)), ['[1]', '[1]', '[2]', '[2]']);
  });

  it('lead to their references, which name the lines of a file', () => {
    const references = referencesOf(report);
    assert.deepEqual(references.get(1)?.file, { path: '../docs/tide a.md', firstLine: 3, lastLine: 9 });
    assert.equal(references.get(2)?.file, undefined);
    assert.equal(report.slice(references.get(2)!.start).indexOf('- <a id="ref-2">'), 0);
  });

  const ways = {
    'the events of the run': evidenceOfRun(lines).evidence,
    'the file beside the report': evidenceOfSidecar(
      evidenceText('Tides', [first, second], claims, textsIn('en', 'report'), (id) => id),
    ),
  };
  for (const [name, all] of Object.entries(ways))
    it(`have the statement around them, from ${name}`, () => {
      const found = markersOf(report).map((marker) => evidenceAt(report, marker, all));
      const verdicts = found.map((one) => one?.verdict);
      assert.deepEqual(verdicts, ['quoted', 'unverified', 'unverified', 'quoted']);
      assert.deepEqual(
        found[1]?.passages.map(({ number, text }) => [number, text.replace(/^> /, '')]),
        [
          [1, first.text],
          [2, second.text],
        ],
      );
      assert.equal(presentIn(report, all).length, 3);
    });

  it('have none where the words were edited', () => {
    const edited = report.replace('closes at 2.1', 'closes at 9.9');
    const [marker] = markersOf(edited);
    assert.equal(evidenceAt(edited, marker!, evidenceOfRun(lines).evidence), undefined);
    assert.equal(presentIn(edited, evidenceOfRun(lines).evidence).length, 2);
  });

  it('of an edited sentence, item or cell have none, whatever else rests on the same reference', () => {
    const claimed = ['The gate closes at 2.1 m.', 'Boats wait outside.', 'two gates'].map((sentence, index) => ({
      ...{ ...at, type: 'report/claim', id: `C${index}`, section: 's', offset: 0, sentence, citations: [1] },
      ...{ verdict: 'supported', passages: [{ source: first.id, text: first.text, place: '0-25' }] },
    }));
    const all = evidenceOfRun(claimed.map((one) => JSON.stringify(one)).join('\n')).evidence;
    const prose = 'The gate closes at 2.1 m. [[1]](#ref-1) Boats wait outside. [[1]](#ref-1)';
    const list = '- The gate closes at 2.1 m. [[1]](#ref-1)\n- Boats wait outside. [[1]](#ref-1)';
    const table = '| a | b |\n|---|---|\n| The gate closes at 2.1 m. [[1]](#ref-1) | two gates [[1]](#ref-1) |';
    const keysOf = (text: string) => {
      const whole = `Before.\n\n${text}\n\n${report.slice(report.indexOf('## Ref'))}`;
      return [whole, whole.replaceAll('\n', '\r\n')].map((one) =>
        markersOf(one).map((marker) => evidenceAt(one, marker, all)?.sentence),
      );
    };
    for (const text of [prose, list, table]) assert.ok(keysOf(text).flat().every(Boolean), text);
    for (const [words, edited] of [
      ['Boats wait outside', 'Boats wait inside'],
      ['Boats wait outside', 'It is not so that boats wait outside'],
      ['Boats wait outside', 'In winter, boats wait outside'],
      ['Boats wait outside', 'Boats wait outside the harbour'],
      ['two gates', 'three gates'],
      ['two gates', 'all but two gates'],
    ] as const)
      for (const text of [prose, list, table].filter((one) => one.includes(words))) {
        const found = keysOf(text.replace(words, edited));
        assert.deepEqual(found, Array(2).fill(['The gate closes at 2.1 m.', undefined]), `${edited} in ${text}`);
      }
  });

  it('of a row that is quoted with the head of its table have the row, wherever it is below the head', () => {
    const table = '| van | lead |   |\n|---|---|---|\n| K3 | Femi | [[1]](#ref-1) |\n| K1 | Marlies | [[2]](#ref-2) |';
    const whole = `${table}\n\n${report.slice(report.indexOf('## Ref'))}`;
    const all = ['K3,Femi', 'K1,Marlies'].map((row, index): Evidence => {
      const passages = [{ number: index + 1, text: `van,lead\n${row}`, isMarkdown: false }];
      const [sentence, key] = [`van,lead ${row}`, `vanlead${row.replace(',', '').toLowerCase()}`];
      return { sentence, key, citations: [index + 1], verdict: 'quoted', passages };
    });
    const rows = (text: string) =>
      judgedTexts(text, all).map(({ start, end, evidence }) => [text.slice(start, end), evidence?.sentence]);
    assert.deepEqual(rows(whole), [
      ['K3 | Femi', 'van,lead K3,Femi'],
      ['K1 | Marlies', 'van,lead K1,Marlies'],
    ]);
    assert.deepEqual(rows(whole.replace('Marlies', 'Dragan'))[1], ['K1 | Dragan', undefined]);
    assert.deepEqual(rows(whole.replace('K1 |', 'K1 | not |'))[1], ['K1 | not | Marlies', undefined]);
  });

  it('of a listing have the listing, with its comments and empty lines', () => {
    const text = report.replace('port: 1', 'port: 1\n\nhost: a');
    const known = { sentence: 'port: 1 host: a', key: 'port1hosta', citations: [2], verdict: 'quoted', passages: [] };
    assert.equal(evidenceAt(text, markersOf(text).at(-1)!, [known]), known);
    const commented = report.replace('port: 1', '# the first\nport: 1');
    const passages = [{ number: 2, text: '# the first\nport: 1', isMarkdown: false }];
    const quoted = { ...known, sentence: 'port: 1', key: 'port1', passages };
    assert.equal(evidenceAt(commented, markersOf(commented).at(-1)!, [quoted]), quoted);
  });

  it('have the sentence of a passage that says most of a statement', () => {
    const excerpt = (text: string, sentence: string) => excerptOf({ number: 1, text, isMarkdown: false }, sentence, 60);
    const passage = 'Tides rise. The gate closes at\n2.1 m. Boats wait.';
    const closes = { before: 'Tides rise. ', marked: 'The gate closes at 2.1 m.', after: ' Boats wait.' };
    assert.deepEqual(excerpt(passage, 'At 2.1 m the gate closes.'), closes);
    assert.equal(excerpt(passage, 'Nothing else').marked, '');
    const long = `${'Boats wait. '.repeat(30)}${passage}${' They leave.'.repeat(30)}`;
    const { before, marked, after } = excerpt(long, 'At 2.1 m the gate closes.');
    assert.equal(marked, closes.marked, 'however far they are from the beginning');
    assert.ok(before.startsWith('… ') && after.endsWith(' …') && before.length + after.length < 60);
  });

  it('have of several passages the one that decides first, with the line ends of its source', () => {
    const passages = ['Boats wait.', 'Tides rise.\nThe gate closes\nat 2.1 m.'].map((text) => ({
      ...{ number: 1, text, isMarkdown: false },
    }));
    const [first] = byDecision(passages, 'At 2.1 m the gate closes.');
    assert.deepEqual([first?.passage, first?.words], [passages[1], 'The gate closes\nat 2.1 m.']);
    assert.deepEqual(
      byDecision(passages, '').map((one) => [one.passage, one.words]),
      passages.map((one) => [one, '']),
    );
  });

  it('have of a list and of a listing one line', () => {
    const marked = (text: string, sentence: string) =>
      excerptOf({ number: 1, text, isMarkdown: false }, sentence).marked;
    assert.equal(marked('1. Row out\n2. Lift the planks\n3. Wait', 'The planks are lifted.'), 'Lift the planks');
    assert.equal(marked('So:\n```js\nopen(gate)\nfill(lock)\n```\nThe\nend.', 'open the gate'), 'open(gate)');
    assert.equal(marked('So:\n```js\nopen(gate)\n```\nThe\nend.', 'The end'), 'The end.');
  });

  it('are counted for a reader as its page counts them: not those in code, where those of the report are links', () => {
    const references = report.slice(report.indexOf('## Ref'));
    const linked = `The gate \`a[1]\` and \`[1]\` opens [[1]](#ref-1). It closes [[1]](#ref-1).\n\n${references}`;
    assert.equal(citationBehind(linked, 1, linked.indexOf('It closes')), 1);
    assert.equal(citationBehind(linked, 1, linked.indexOf('The gate')), 0);
    assert.equal(citationBehind(linked, 2, 0), -1);
    const plain = `It opens [1]. It closes [1].\n\n${references}`;
    assert.equal(citationBehind(plain, 1, plain.indexOf('It closes')), 1);
  });

  it('belong to the sentence, item or cell before them', () => {
    const cited = (text: string) =>
      citedTexts(`${text}\n\n${report.slice(report.indexOf('## Ref'))}`).map(({ start, end, markers }) => [
        text.slice(start, end),
        ...markers.map(({ number }) => number),
      ]);
    assert.deepEqual(cited('Uncited. The gate closes [[1]](#ref-1). It opens. [1][2]\n\n[2]'), [
      ['The gate closes', 1],
      ['It opens.', 1, 2],
    ]);
    assert.deepEqual(cited('- Gates: **two** [[2]](#ref-2)\n\n| a | 潮位为三米。[1] | c |'), [
      ['Gates: **two**', 2],
      ['潮位为三米。', 1],
    ]);
  });

  it('are counted as the report has them: edited ones too, a listing once, each as it was judged last', () => {
    const edited = report.replace('at 2.1 m', 'at 9.9 m');
    const counted = (text: string, all = evidenceOfRun(lines).evidence) =>
      judgedTexts(text, all).map(({ start, end, evidence }) => [text.slice(start, end), evidence?.verdict]);
    assert.deepEqual(counted(edited), [
      ['The gate closes at 9.9 m', undefined],
      ['It opens again', 'unverified'],
      ['port: 1', 'quoted'],
    ]);
    const all = evidenceOfRun(lines).evidence;
    const later = all.map((one) => ({ ...one, verdict: 'supported' }));
    assert.deepEqual(
      counted(report, [...all, ...later]).map(([, verdict]) => verdict),
      ['supported', 'supported', 'supported'],
    );
  });

  it('are counted by section', () => {
    const text = '# T\n\nA.\n\n## One\n\nB.\n\n### Inner\n\n## Two\n';
    assert.deepEqual(
      sectionsOf(text).map(({ start, end }) => text.slice(start, end).split('\n')[0]),
      ['## One', '## Two'],
    );
  });

  it('have in the file beside the report what was judged since, in its own words for verdicts', () => {
    const german = { quoted: 'zitiert', supported: 'belegt', corrected: 'berichtigt', unverified: 'ungeprüft' };
    const body = evidenceText('Tides', [first, second], claims, textsIn('en', 'report'), (id) => id);
    const sidecar = `---\nverdicts: ${JSON.stringify(german)}\n---\n\n${body.replaceAll('*unverified', '*ungeprüft')}`;
    const known = evidenceOfSidecar(sidecar);
    assert.deepEqual(
      known.map(({ verdict }) => verdict),
      ['', 'unverified', ''],
    );
    const judged = supportedBy('It opens again, and **nobody** waits.', [1, 2], evidenceOfRun(lines).evidence);
    const read = evidenceOfSidecar(withStatements(sidecar, [judged]));
    assert.deepEqual(
      read.map(({ sentence, said, citations }) => [sentence.trim().slice(0, 9), said?.slice(0, 6), citations]),
      [
        ['> The gat', 'quotat', [1]],
        ['> port: 1', 'quotat', [2]],
        ['It opens ', 'belegt', [1, 2]],
      ],
    );
    assert.match(read[2]!.passages[1]!.text, /^> It opens again at low tide/);
    assert.equal(evidenceOfSidecar(withStatements(sidecar, [judged])).at(-1)?.verdict, 'supported');
  });

  it('have in the file beside the report each what it said of the same words with other citations', () => {
    const body = evidenceText('Tides', [first, second], claims, textsIn('en', 'report'), (id) => id);
    const again = supportedBy('It opens again, and nobody waits.', [2], evidenceOfRun(lines).evidence);
    const both = ['unverified [1][2]', 'supported [2]'];
    const said = (report?: string) =>
      evidenceOfSidecar(withStatements(body, [again], report)).flatMap(({ key, verdict, citations }) =>
        key === again.key ? `${verdict} ${citations.map((number) => `[${number}]`).join('')}` : [],
      );
    assert.deepEqual(said(), both);
    const table = '| Gate | Opens |\n| --- | --- |\n| A | It opens again, and nobody waits. [[2]](#ref-2) |\n\n';
    const sentence = 'It opens again [[1]](#ref-1)[[2]](#ref-2), and **nobody** waits.';
    const wide = report.replace(sentence, 'It opens again, and nobody waits. [[1]](#ref-1)[[2]](#ref-2)');
    assert.deepEqual(said(wide.replace('## References', `${table}## References`)), both);
    // The report cites them otherwise now.
    assert.deepEqual(said(wide.replace('waits. [[1]](#ref-1)', 'waits. ')), ['supported [2]']);
  });

  it('are read where the words for verdicts are no texts', () => {
    const body = evidenceText('Tides', [first, second], claims, textsIn('en', 'report'), (id) => id);
    const hostile = evidenceOfSidecar(`---\nverdicts: {"quoted":{"toString":1,"valueOf":1}}\n---\n\n${body}`);
    assert.deepEqual(
      hostile.map(({ verdict }) => verdict),
      evidenceOfSidecar(body).map(({ verdict }) => verdict),
    );
  });
});

describe('what a report costs grows with its length alone', () => {
  /** Characters that one method of strings was called on, for each of the text. */
  const readBy = (method: 'lastIndexOf' | 'matchAll', text: string, read: (text: string) => unknown): number => {
    const spy = mock.method(String.prototype, method);
    read(text);
    const lengths = spy.mock.calls.map((call) => String(call.this).length);
    spy.mock.restore();
    return lengths.reduce((sum, length) => sum + length, 0) / text.length;
  };
  const references = report.slice(report.indexOf('## Ref'));

  it('with all of its citations in one line, or behind one word', () => {
    for (const filler of ['ab [1] ', '[1] ', '```\n\n```\n\n[1] ', '| a [1] ']) {
      const text = `${filler.repeat(2_000)}\n\n${references}`;
      assert.ok(readBy('lastIndexOf', text, citedTexts) < 10, filler);
    }
  });

  it('with as many statements beside it', () => {
    const count = 1_000;
    const cite = '[[1]](#ref-1)';
    const numbers = [...Array(count).keys()];
    const all = numbers.map((number): Evidence => {
      const [sentence, key] = [`${number}: this statement says a thing.`, `${number}thisstatementsaysathing`];
      return { sentence, key, citations: [1], verdict: 'supported', passages: [] };
    });
    const text = `${all.map(({ sentence }) => `${sentence} ${cite}`).join('\n\n')}\n\n${references}`;
    const spy = mock.method(String.prototype, 'startsWith');
    const judged = judgedTexts(text, all);
    const compared = spy.mock.callCount();
    spy.mock.restore();
    assert.deepEqual(
      judged.map(({ evidence }) => evidence),
      all,
    );
    assert.ok(compared <= 10 * count, `${compared} comparisons of ${count} statements`);
    assert.equal(presentIn(text, all).length, count);
    const [last] = [...statementsIn(text, all)].slice(-1);
    assert.equal(last?.start, text.lastIndexOf(`${count - 1}: this`));
  });

  it('with a sidecar of statements that begin each other', () => {
    const all = [...Array(3_000).keys()].map((number): Evidence => {
      const key = 'ab'.repeat(number + 1);
      return { sentence: key, key, citations: [1], verdict: 'supported', passages: [] };
    });
    const text = `${'ab. [1] '.repeat(5_000)}\n\n${references}`;
    const spy = mock.method(String.prototype, 'startsWith');
    judgedTexts(text, all);
    const letters = spy.mock.calls.reduce((sum, call) => sum + String(call.arguments[0]).length, 0);
    spy.mock.restore();
    assert.ok(letters <= 20_500_000, `${letters} letters`);
  });

  it('with as many references', () => {
    const items = [...Array(500).keys()].map(
      (index) => `- [${index + 1}] Gate ${index}. https://gates.example/${index}?a=1&amp;b.`,
    );
    const text = `# T\n\n## References\n\n${items.join('\n')}\n`;
    assert.ok(readBy('matchAll', text, sourcesIn) < 3);
    assert.deepEqual(sourcesIn(text)[7], {
      ...{ id: 'ref-8', kind: '', title: 'Gate 7', url: 'https://gates.example/7?a=1&b' },
    });
  });
});

it('charts may be made of what is verified alone, by its words and figures without its citations', () => {
  const said = (sentence: string, verdict: string) => ({ sentence, verdict, key: '', citations: [1], passages: [] });
  assert.deepEqual(
    chartKeys([
      said('**2.5 m** [1]', 'supported'),
      said('-3 °C', 'quoted'),
      said('4 m', 'unverified'),
      said('5 m', ''),
    ]),
    ['2.5m', '-3c'],
  );
});
