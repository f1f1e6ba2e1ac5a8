import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import type { WorkspaceFacts } from '../../../../src/research/tools.ts';
import { loadTexts } from '../../../../src/research/languages/texts.ts';
import { detectLanguage } from '../../../../src/research/text/language.ts';
import { examples, research, workspaceTools, type Researched } from '../../../support/keylessResearch.ts';

const folder = mkdtempSync(join(tmpdir(), 'extractive-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let folders = 0;
const workspace: WorkspaceFacts = {
  name: 'examples',
  repos: [],
  languages: [],
  packages: [],
  arxivIds: [],
  githubLinks: [],
  fileCount: 30,
};

/** A report on files of one's own, in the question's language. */
async function ask(question: string, files: Readonly<Record<string, string>>): Promise<Researched> {
  const own = join(folder, String((folders += 1)));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(own, path)), { recursive: true });
    writeFileSync(join(own, path), text);
  }
  return research(question, workspaceTools(own), { language: detectLanguage(question) });
}

/** What stands before the first marker of the report. */
function first(report: string): string {
  return report.slice(0, report.indexOf(' [[1]]'));
}

for (const [question, wanted] of [
  ['Why does reranking improve answer quality?', 'reranked BM25 candidates with BERT'],
  ['When should I use late interaction?', 'Late interaction sits between'],
  ['How can I reduce latency?', 'Generation dominates the latency'],
  ['What are the trade-offs between dense and sparse retrieval?', 'Sparse retrieval is strong on exact names'],
  ['Who is away next week?', 'Ana is away next week'],
  ['What are the action items from the last meeting?', 'Kofi: send the slides to the support team before Friday.'],
  ['What is a code fence bug that was fixed?', 'Fixed: a code fence that was never closed'],
  ['List the metrics for evaluating RAG answers', 'Faithfulness is the share of statements'],
  ['What is HyDE?', 'HyDE asks a language model'],
  ['如何评估RAG系统的忠实度?', 'RAG'],
  ['HyDEはどのように動作しますか？', 'HyDE'],
  ['Почему BM25 лучше находит редкие имена?', 'BM25'],
] as const) {
  test(`"${question}" is answered from the notes that speak of it`, async () => {
    const { report } = await research(question, workspaceTools(), { language: detectLanguage(question) });
    assert.ok(report.replace(/\n> /g, ' ').includes(wanted), report);
  });
}

test('several questions after some background are answered each in its section', async () => {
  const { report } = await research(
    'We are building an assistant for our support team. It answers from forty thousand documents, some of them confidential, and it is slow. How large should chunks be? Do we need a reranker?',
    workspaceTools(),
  );
  const [, first = '', second = ''] = report.split(/^## /m);
  assert.match(first, /^How large should chunks be\?\n[^]*[Cc]hunks/);
  assert.match(second, /^Do we need a reranker\?\n[^]*[Rr]erank/);
});

test('a broad question is answered from the document of its subject', async () => {
  const { report } = await research(
    'What are the main techniques for retrieval-augmented generation?',
    workspaceTools(),
    { workspace },
  );
  for (const technique of ['Chunking', 'Indexing', 'Hybrid retrieval', 'Query rewriting', 'Reranking'])
    assert.ok(first(report).includes(`${technique}:`), technique);
  assert.match(report, /Retrieval-augmented generation \(RAG\) is a method/);
  // The folder's README proposes this very question, which answers nothing.
  assert.doesNotMatch(report, /Open this folder and ask/);
});

test('a question for one thing has one section', async () => {
  for (const question of ['What is a chunk?', 'reranking', 'Which version is it?']) {
    const { report } = await research(question, workspaceTools(), { workspace });
    assert.deepEqual(
      [...report.matchAll(/^## (.+)$/gm)].map(([, title]) => title),
      ['Answer', 'Conclusion and outlook'],
      question,
    );
  }
});

test('rows of one table are shown as one table, each with its place', async () => {
  const { report } = await ask('Was braucht der Laser bei Sperrholz?', {
    'laser.md':
      '# Laser\n\n| Material | Dicke | Leistung |\n|---|---|---|\n| Sperrholz | 3 mm | 65 |\n| Acryl | 3 mm | 60 |\n| Sperrholz | 6 mm | 85 |\n',
  });
  assert.match(
    report,
    /\| Material \| Dicke \| Leistung \| {2,3}\|\n\|---\|---\|---\|---\|\n\| Sperrholz \|.*\[\[1\]\]\(#ref-1\) \|\n\| Sperrholz \|.*\[\[2\]\]\(#ref-2\) \|/,
    report,
  );
});

test('every quote stands in the lines that it names', async () => {
  for (const question of ['How large should chunks be?', 'What is the license?', 'Which tests are there?']) {
    const { sections, source } = await research(question, workspaceTools());
    for (const { quote, source: id } of sections.flatMap(({ findings }) => findings)) {
      const { file } = source(id)!;
      const lines = readFileSync(join(examples, file!.path), 'utf8').split('\n');
      // A row of a table is quoted below the line that names its columns.
      const place = lines.slice(file!.firstLine - 1, file!.lastLine).join('\n');
      assert.ok(place.includes(quote) || quote.endsWith(place), `${quote}\nnot in\n${place}`);
    }
  }
});

test('what the folder does not know is named, and nothing that is near is called something else', async () => {
  const { report } = await ask('Does Kestrel support Kerberos authentication?', {
    'auth.md': '# Authentication\n\nKestrel checks a bearer token with every request.\n',
  });
  assert.match(report, /No passage speaks of .*“Kerberos”/);
  assert.match(report, /Nothing in this folder answers the question/);
  assert.match(report, /Kestrel checks a bearer token/);
  const close = await ask('Does the pump run at 40 bar?', { 'pump.md': 'The pump runs at 42 bar.\n' });
  assert.match(close.report, /this is the nearest that was found\.\n\nNo passage speaks of “40”\./);
});

test('what is only near is called so before it is quoted, and the words that it lacks are named', async () => {
  const files = {
    'outage.md': '# Outages\n\nThe root cause of the outage in lane billing was a full disk.\n',
    ...{ 'port.md': 'The port is eighty.\n', 'rent.md': 'The rent is ninety.\n', 'rota.md': 'Ana is on call.\n' },
  };
  for (const [question, lacks] of [
    ['What was the root cause of the Azure outage in lane billing?', ''],
    [
      'Was a full disk the root cause of the Azure outage in lane billing after the upgrade?',
      '; none of them has “upgrade”',
    ],
  ] as const) {
    const { report } = await ask(question, files);
    const nearest = `These are the nearest passages that were found${lacks}.`;
    assert.ok(report.includes(`\n\nNo passage speaks of “Azure”.\n\n${nearest}\n\n#### outage.md`), report);
  }
});

test('what a later question shares with an earlier one is said to stand above, whatever is said of it', async () => {
  const files = { 'pump.md': 'The pump runs at 42 bar, and its valve opens at 12 bar.\n' };
  const { report } = await ask('At which pressure does the valve open? At which pressure does the pump run?', files);
  const [, second] = report.split(/^## .*pump.*$/m);
  assert.match(second!, /^The passages that bear on this stand above\.$/m, report);
  const again = await ask('When does the valve open? When does the valve open?', files);
  assert.equal(again.sections.length, 1);
});

test('a word is read as one of the passages that is spelled alike, and both are named', async () => {
  const files = { 'a.md': 'Every parked event stays for a week.\n', 'b.rs': 'const SECOND: u64 = 1;\n' };
  const { report } = await ask('How long do parked evnts stay?', files);
  assert.match(report, /^“evnts” was not found and is read as “event”\.$/m);
  assert.doesNotMatch((await ask('What is the cost of a second?', files)).report, /read as/);
  await loadTexts('de');
  const german = await research('Wie wird „Kerberos“ bei dichter Suche und Reranking verwendet?', workspaceTools(), {
    language: 'de',
  });
  assert.match(german.report, /^Keine Stelle spricht von „Kerberos“\.$/m);
  // What keeps a question from its answer, and nothing of the kind where the passages are in its language.
  assert.match(german.report, /^Die Texte sind auf Englisch; ohne Sprachmodell wird keine Frage übersetzt\.$/m);
  const about = 'Wie soll ich den Entwicklern der Bibliothek eine Sicherheitslücke im Reranking melden?';
  const other = await research(about, workspaceTools(), { language: 'de' });
  assert.match(other.report, /^Die Texte sind auf Englisch/m);
  assert.doesNotMatch(other.report, /^Nichts in diesem Ordner/m, 'words of another language are in no text');
  const english = await research('How is “Kerberos” used in dense retrieval and reranking?', workspaceTools());
  assert.match(english.report, /^No passage speaks of “Kerberos”\.$/m);
  assert.doesNotMatch(english.report, /translated/);
  const places = 'ciudad: la casa de los amigos y el puente que no se ve por la noche en la plaza\n';
  const records = await ask('Which “Kerberos” is in the ciudad?', { 'records.yaml': places });
  assert.match(records.report, /ciudad: la casa/);
  assert.doesNotMatch(records.report, /translated/, 'names in records are of many languages');
});

test('a folder that shares nothing with the question gives no quote', async () => {
  for (const [language, question] of [
    ['zh', '什么是量子纠缠？'],
    ['ar', 'كيف تعود النحلة إلى بيتها؟'],
  ] as const) {
    const { report } = await research(question, workspaceTools(), { language });
    assert.doesNotMatch(report, /\[1\]/, question);
  }
});

test('the same run gives the same report', async () => {
  const question = 'How is faithfulness measured?';
  assert.equal(
    (await research(question, workspaceTools())).report,
    (await research(question, workspaceTools())).report,
  );
});

// -------------------------------------------------------------------------------------- forms of text that hold an answer

for (const [form, question, files, wanted] of [
  [
    'a row of a table, with its column heads',
    'What is the default of max_body?',
    {
      'config.md':
        '# Settings\n\n| key | default | meaning |\n|---|---|---|\n| `port` | 80 | listens here |\n| `max_body` | 1 MiB | larger ones are refused |\n',
    },
    /\| key \| default \| meaning \|[^]*\| `max_body` \| 1 MiB \| larger ones are refused \| \[\[1\]\]\(#ref-1\) \|/,
  ],
  [
    'a row of a CSV file',
    'Who is on call in week 13?',
    { 'rota.csv': 'week,engineer,backup\nW12,Ana,Ben\nW13,Rasmus,Ito\n' },
    /\| week \| engineer \| backup \|[^]*\| W13 \| Rasmus \| Ito \| \[\[1\]\]\(#ref-1\) \|/,
  ],
  [
    'a key of configuration with its comment',
    'Why is the keep-alive timeout 65 seconds?',
    { 'app.yaml': 'server:\n  port: 80\n  # the balancer closes idle sockets after 60 s\n  keepAliveTimeout: 65s\n' },
    /# the balancer closes idle sockets after 60 s\n {2}keepAliveTimeout: 65s\n```\n\n\[\[1\]\]\(#ref-1\)/,
  ],
  [
    'code whose name is split',
    'What is the body limit?',
    {
      'http.ts':
        'import x from "x";\n\n/** Larger requests are refused with 413. */\nexport const bodyLimit = 1_048_576;\n',
    },
    /bodyLimit = 1_048_576/,
  ],
  [
    'a dated entry, whatever the form of the date',
    'What was decided on 31 March 2025?',
    {
      'minutes.md': '# Board\n\n## 2025-03-17\n\nThe rent was discussed.\n\n## 2025-03-31\n\nThe saw is bought.\n',
    },
    /The saw is bought/,
  ],
  [
    'an entry of a bibliography',
    'Who wrote Append-Only Spools?',
    {
      'refs.bib':
        '@techreport{volkers,\n  author = {Henk Volkers},\n  title = {Append-Only Spools on Commodity Disks}\n}\n',
    },
    /author = \{Henk Volkers\}/,
  ],
  [
    'a sentence with $, a reference link and no full stop',
    'How much does the large plan cost?',
    { 'plans.md': '# Plans\n\nThe large plan costs $49 a month, see [pricing][p]\n\n[p]: https://example.org/p\n' },
    /The large plan costs \$49 a month, see pricing \[\[1\]\]\(#ref-1\)/,
  ],
  [
    'a German sentence without a foreign word',
    'Wer leert die Absaugung?',
    { 'ordnung.md': '# Ordnung\n\nDie Absaugung leert freitags die Spätschicht.\n' },
    /Die Absaugung leert freitags die Spätschicht\. \[\[1\]\]\(#ref-1\)/,
  ],
  [
    'a German date with an ordinal',
    'Bis wann ist der Beitrag zu zahlen?',
    { 'beitrag.md': '# Beitrag\n\nDer Beitrag ist bis zum 31. März des Jahres zu zahlen.\n' },
    /Der Beitrag ist bis zum 31\. März des Jahres zu zahlen\. \[\[1\]\]\(#ref-1\)/,
  ],
  [
    'misspelled words',
    'how long do parkd evnts stay',
    { 'a.md': 'Parked events stay for fourteen days.\n', 'b.md': 'The port is 80.\n' },
    /Parked events stay for fourteen days/,
  ],
  [
    'Chinese without spaces',
    '赤道仪什么时候到货？',
    { '会议.md': '# 会议\n\n赤道仪九月底到货，安装需要三天。\n\n开放日定在九月二十一日。\n' },
    /赤道仪九月底到货/,
  ],
] as const) {
  test(`an answer in ${form} is found`, async () => {
    const { report } = await ask(question, files);
    assert.match(report, wanted);
  });
}

test('the newer version of a page stands before the older one, unless the older is asked for', async () => {
  const files = {
    'docs/v1/retry.md': '# Retries\n\nA failed delivery is repeated every ten seconds.\n',
    'docs/v2/retry.md': '# Retries\n\nA failed delivery is repeated after a pause that doubles.\n',
  };
  assert.match(first((await ask('How is a failed delivery repeated?', files)).report), /doubles/);
  assert.match(first((await ask('How is a failed delivery repeated in v1?', files)).report), /ten seconds/);
});

test('a passage that two files share is quoted once', async () => {
  const text = '# Limits\n\nThe gateway refuses more than ninety requests a minute from one client.\n';
  const { report } = await ask('How many requests does the gateway allow?', { 'a.md': text, 'b.md': text });
  assert.equal(report.match(/refuses more than ninety/g)?.length, 1);
});

// ----------------------------------------------------------------------------------------------------- the sample workspace

test('the numbers in the benchmark note are those that the benchmark prints', () => {
  const printed = execFileSync(process.execPath, [join(examples, 'src/benchmark.ts')], { encoding: 'utf8' }).trim();
  assert.ok(readFileSync(join(examples, 'docs/benchmark.md'), 'utf8').includes(printed));
});

test('the sample workspace holds nothing secret and ignores its own reports', () => {
  const files = readdirSync(examples, { recursive: true }).map(String);
  assert.ok(!files.some((file) => /(^|\/)\.env|secret|\.pem$|\.key$/i.test(file)));
  assert.match(readFileSync(join(examples, '.gitignore'), 'utf8'), /^research\/$/m);
});
