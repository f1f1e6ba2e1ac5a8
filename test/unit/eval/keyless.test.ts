import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bm25 } from '../../eval/keyless/bm25.ts';
import { normalize } from '../../eval/keyless/normalize.ts';
import { parseReport } from '../../eval/keyless/parseReport.ts';
import type { Folder, Question } from '../../eval/keyless/questions.ts';
import { bearingFiles, checkReport, scorePassages } from '../../eval/keyless/score.ts';

const report = `---
title: "Ports"
---

# Ports

No passage speaks of Kerberos.

The server listens on port 7420. [1] The old one took 6061. [2]

> First line of a quotation
> and its second line [1]

- an item about ports [2]
- not a quote

\`\`\`toml
port = 7420

host = "::1"
\`\`\`

[3]

| key | default |
|---|---|
| port [1] | 7420 [2] |

| what | where |
|---|---|
| the whole row \\| one quote | [3] |

## References

- [1] Ports (new.md). docs/new.md#L1-L4. Retrieved 2025-06-01
- [2] Ports (old.md). docs/old.md#L2-L2. Retrieved 2025-06-01
- [3] server (server.toml). conf/server.toml#L1-L3. Retrieved 2025-06-01

## How this report was made

- Sources retrieved: 3 [1]
`;
const files = new Map([
  ['docs/new.md', 'The server listens on port 7420.\n\nFirst line of a quotation and its second line\n\nport'],
  ['docs/old.md', '# Old\nThe old one took 6061. an item about ports 7420'],
  ['conf/server.toml', 'port = 7420\n\nhost = "::1"\nthe whole row | one quote'],
  ['server.toml', ''],
]);
const folder: Folder = {
  name: 'ports',
  path: '',
  questions: [],
  files,
  normalized: new Map([...files].map(([file, text]) => [file, normalize(text)])),
};
const question: Question = {
  id: '1',
  kind: 'default',
  question: 'Which port?',
  answer: [
    { files: ['docs/*'], any: ['6061'] },
    { files: ['conf/server.toml'], any: [['port', 'host']] },
  ],
};
const parsed = parseReport(report, [...files.keys()]);

describe('a report as the evaluation reads it', () => {
  it('gives its quotes in order, with file and lines', () => {
    assert.deepEqual(
      parsed.quotes.map(({ text, file, firstLine }) => [text, file, firstLine]),
      [
        ['The server listens on port 7420.', 'docs/new.md', 1],
        ['The old one took 6061.', 'docs/old.md', 2],
        ['First line of a quotation\nand its second line', 'docs/new.md', 1],
        ['an item about ports', 'docs/old.md', 2],
        ['port = 7420\n\nhost = "::1"', 'conf/server.toml', 1],
        ['port', 'docs/new.md', 1],
        ['7420', 'docs/old.md', 2],
        ['the whole row \\| one quote', 'conf/server.toml', 1],
      ],
    );
  });

  it('is complete with the quote that gives the last part', () => {
    const bearing = bearingFiles(question, folder);
    assert.deepEqual([...bearing], ['docs/old.md', 'conf/server.toml']);
    assert.deepEqual(scorePassages(parsed.quotes, question, bearing), { answeredAt: 5, quotes: 8, bearing: 5 });
  });

  it('is honest when it names a missing word, and not when its title or the question does', () => {
    const asked: Question = {
      id: '2',
      kind: 'missing',
      question: 'Is Kerberos there?',
      answer: [],
      missing: ['kerberos'],
    };
    assert.equal(checkReport(parsed, asked, folder).isHonest, true);
    const echo = parseReport('# Kerberos\n\nThe question was: Is Kerberos there?\n\n- Kerberos [1]\n', []);
    assert.equal(checkReport(echo, asked, folder).isHonest, false);
  });

  it('counts quotes that stand in their file word for word, and those whose lines hold the answer', () => {
    const { verbatim, holding, placed } = checkReport(parsed, question, folder);
    assert.deepEqual({ verbatim, holding, placed }, { verbatim: 8, holding: 2, placed: 2 });
  });
});

describe('the baseline', () => {
  it('ranks the paragraph with the rare words first, and gives nothing that shares no word', () => {
    const best = bm25(
      new Map([
        ['a.md', 'the port\n\nthe host is green'],
        ['b.md', 'the port the port'],
      ]),
    );
    assert.deepEqual(best('which host', 10), [{ file: 'a.md', text: 'the host is green' }]);
  });
});
