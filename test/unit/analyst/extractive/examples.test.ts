import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fingerprint, isNearDuplicate } from '../../../../src/research/analyst/extractive/choosePassages.ts';
import { detectLanguage } from '../../../../src/research/text/language.ts';
import { matchQuote } from '../../../../src/research/evidence/quotes.ts';
import { examples, research, workspaceTools, type Researched } from './samples.ts';
import { slow } from '../../../support/slow.ts';

const tryIt = 'What are the main techniques for retrieval-augmented generation?';
const found = await research(tryIt, workspaceTools());

function shownQuotes({ report, source }: Researched): { text: string; id: string; path: string }[] {
  return report
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => [...line.replace(/^- /, '').matchAll(/(\S.*?) \[(S[0-9a-f]{5,})\]/g)])
    .map(([, text, id]) => ({ text: text!, id: id!, path: source(id!)!.file!.path }));
}

test('the first report from the sample workspace has every section, without key, model or network', () => {
  assert.deepEqual(found.report.match(/^## .*$/gm), [
    '## What retrieval-augmented generation is and how it works',
    '## Techniques for retrieval-augmented generation',
    '## Evaluation and results',
    '## Tools and implementations',
    '## Limits and open problems',
    '## Conclusion and outlook',
  ]);
  assert.ok(found.report.includes('Every section of the plan has quotes.'));
});

for (const [question, wanted] of [
  ['Why does reranking improve answer quality?', 'reranked BM25 candidates with BERT'],
  ['When should I use late interaction?', 'Late interaction sits between'],
  ['How can I reduce latency?', 'latency'],
  ['What are the trade-offs between dense and sparse retrieval?', 'Sparse retrieval is strong on exact names'],
] as const) {
  test(`"${question}" is answered from the notes that speak of it, whatever words it asks with`, async () => {
    const { report } = await research(question, workspaceTools());
    assert.ok(report.includes(wanted), report);
  });
}

test('several questions after some background are answered each in its section', async () => {
  const { report } = await research(
    'We are building an assistant for our support team. It answers from forty thousand documents, some of them confidential, and it is slow. How large should chunks be? Do we need a reranker?',
    workspaceTools(),
  );
  const [opening = '', first = '', second = ''] = report.split(/^## /m);
  assert.doesNotMatch(opening, /\[S/);
  assert.match(first, /^How large should chunks be\n[^]*Large chunks keep the context/);
  assert.match(second, /^Do we need a reranker\n[^]*Reranking is used as a second stage/);
});

for (const [question, wanted, path] of [
  ['Who is away next week?', 'Ana is away next week', 'meetings/2025-03-12-sync.md'],
  [
    'What are the action items from the last meeting?',
    'Kofi: send the slides to the support team before Friday.',
    'meetings/2025-03-12-sync.md',
  ],
  ['What is a code fence bug that was fixed?', 'Fixed: a code fence that was never closed', 'CHANGELOG.md'],
] as const) {
  test(`"${question}" is answered from minutes or changes, where nothing else speaks of it`, async () => {
    const answered = await research(question, workspaceTools());
    assert.ok(
      shownQuotes(answered).some((quote) => quote.text.startsWith(wanted) && quote.path === path),
      answered.report,
    );
  });
}

test('the notes under a heading that the question asks for answer it', async () => {
  const { report } = await research('List the metrics for evaluating RAG answers', workspaceTools());
  const [, first = '', second = ''] = report.split(/^## /m);
  assert.match(first, /^What evaluating RAG answers is and how it works\n/);
  assert.match(second, /^Metrics for evaluating RAG answers\n[^]*Faithfulness is the share of statements/);
});

test('"How can I reduce latency?" is about latency', async () => {
  assert.match(
    (await research('How can I reduce latency?', workspaceTools())).report,
    /Generation dominates the latency/,
  );
});

for (const question of [
  'Why does quantum entanglement violate locality?',
  'How should I treat a KRAS mutation?',
  'How do I improve performance?',
]) {
  test(`"${question}" is not answered from notes on something else`, async () => {
    const { report } = await research(question, workspaceTools());
    assert.ok(!/ \[S[0-9a-f]{5,}\]/.test(report), report);
  });
}

test('it is long enough to be read and short enough to be read', () => {
  const quotes = shownQuotes(found);
  assert.ok(quotes.length >= 25 && quotes.length <= 50, String(quotes.length));
  assert.ok(new Set(quotes.map(({ path }) => path)).size >= 9, 'quotes from many files');
});

test('it names the techniques that the notes are about', () => {
  for (const technique of [
    'RAPTOR',
    'HyDE',
    'Hybrid search',
    'Dense retrieval',
    'rerank',
    'Self-RAG',
    'Corrective RAG',
    'Query decomposition',
    'Recall@k',
    'Faiss',
  ]) {
    assert.ok(found.report.includes(technique), technique);
  }
});

test('every quote stands in the lines that it names, and none twice', () => {
  const quotes = shownQuotes(found);
  const prints = quotes.map(({ text }) => fingerprint(text));
  for (const [index, { text, id }] of quotes.entries()) {
    const { file } = found.source(id)!;
    const lines = readFileSync(join(examples, file!.path), 'utf8')
      .split('\n')
      .slice(file!.firstLine - 1, file!.lastLine)
      .join('\n');
    assert.equal(matchQuote(text, lines), 'exact', text);
    for (const other of prints.slice(index + 1)) assert.ok(!isNearDuplicate(prints[index]!, other), text);
  }
});

test('minutes of meetings and code are not quoted', () => {
  for (const { path } of shownQuotes(found)) assert.match(path, /^(?:notes|docs)\/|^README\.md$/);
});

test('a narrow question gets what the notes say on it and nothing else', async () => {
  const { report } = await research('What is HyDE?', workspaceTools());
  assert.match(report, /## What HyDE is and how it works\n\n- HyDE asks a language model/);
  assert.match(report, /Nothing was found on: .*Limits and open problems\./);
  assert.doesNotMatch(report, /Faiss|Recall@k/);
});

test('a comparison comes as tables with both sides', async () => {
  const { report } = await research('What is the difference between BM25 and dense retrieval?', workspaceTools());
  assert.match(report, /^\| BM25 \| BM25 ranks documents .*\|$/m);
  assert.match(report, /^\| dense retrieval \| .*Dense .*\|$/m);
});

for (const [question, ...rows] of [
  ['pros and cons of long context vs RAG', 'long context | .*long context', 'RAG | .*RAG'],
  [
    'HNSW vs product quantisation',
    'HNSW | .*HNSW links vectors',
    'product quantisation | .*Product quantisation splits',
  ],
  [
    'Should I use fine-tuning or RAG?',
    'fine-tuning | .*Fine-tuning suits',
    'RAG | .*Retrieval-augmented generation (RAG) is a method',
  ],
  [
    'What is Corrective RAG and how does it differ from Self-RAG?',
    'Corrective RAG | .*Corrective RAG scores',
    'Self-RAG | .*Self-RAG trains',
  ],
] as const) {
  test(`"${question}" has a row for either side, whichever note speaks of it`, async () => {
    const { report } = await research(question, workspaceTools());
    for (const row of rows) assert.match(report, new RegExp(`^\\| ${row.replace(/[|()]/g, '\\$&')}`, 'm'), report);
  });
}

test('what the workspace does not know is not made up', async () => {
  const { report } = await research('How do bees find their way home?', workspaceTools());
  assert.doesNotMatch(report, /\[S[0-9a-f]+\]/);
});

test('the same run gives the same report', async () => {
  assert.equal((await research(tryIt, workspaceTools())).report, found.report);
});

test('the numbers in the benchmark note are those that the benchmark prints', slow, () => {
  const printed = execFileSync(process.execPath, [join(examples, 'src/benchmark.ts')], { encoding: 'utf8' }).trim();
  assert.ok(readFileSync(join(examples, 'docs/benchmark.md'), 'utf8').includes(printed));
});

test('the sample workspace holds nothing secret and ignores its own reports', () => {
  const files = readdirSync(examples, { recursive: true }).map(String);
  assert.ok(!files.some((file) => /(^|\/)\.env|secret|\.pem$|\.key$/i.test(file)));
  assert.match(readFileSync(join(examples, '.gitignore'), 'utf8'), /^research\/$/m);
});

for (const [language, question] of [
  ['zh', '检索增强生成有哪些主要技术？'],
  ['ko', '검색 증강 생성의 주요 기술은 무엇인가요?'],
  ['ru', 'Что такое гибридный поиск?'],
] as const) {
  test(`a question in ${language} about a set term is answered from English notes`, async () => {
    const { report } = await research(question, workspaceTools(), { language });
    assert.match(report, /(?:Retrieval-augmented generation|Hybrid search) .*\[S/);
  });
}

test('a name in Latin letters finds English notes, whatever stands around it', async () => {
  for (const question of [
    '如何评估RAG系统的忠实度?',
    'HyDEはどのように動作しますか？',
    '왜 BM25가 필요한가요?',
    'Почему BM25 лучше находит редкие имена?',
  ]) {
    const { report } = await research(question, workspaceTools(), { language: detectLanguage(question) });
    assert.match(report, /(?:RAG|HyDE|BM25) .*\[S/, question);
  }
});

test('a question in another language about something else gets no answer from these notes', async () => {
  for (const [language, question] of [
    ['zh', '什么是量子纠缠？'],
    ['ja', '蜜蜂はどうやって巣に戻りますか'],
    ['ar', 'كيف تعود النحلة إلى بيتها؟'],
  ] as const) {
    const { report } = await research(question, workspaceTools(), { language });
    assert.doesNotMatch(report, /\[S[0-9a-f]+\]/, question);
  }
});

// ------------------------------------------------------------------------------------------------------ other languages

const folder = mkdtempSync(join(tmpdir(), 'extractive-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const notes: Readonly<Record<string, { readonly question: string; readonly text: string; readonly expect: RegExp }>> = {
  zh: {
    question: '检索增强生成有哪些主要技术？',
    text: '# 检索增强生成\n\n检索增强生成是一种让语言模型根据检索到的文档回答问题的方法。混合检索把稀疏检索和稠密检索的排名合并在一起。\n\n重排序模型同时阅读查询和候选段落，并预测相关程度。然而，这种做法比较慢。\n\n## 局限\n\n检索增强生成在索引中没有答案时会出现错误的回答。\n',
    expect: /检索增强生成是一种让语言模型根据检索到的文档回答问题的方法。 \[S/,
  },
  ja: {
    question: '検索拡張生成とは何ですか',
    text: '# 検索拡張生成\n\n検索拡張生成とは、検索した文書をもとに言語モデルが回答を書く手法である。\n\n検索拡張生成では文書を小さな断片に分けて索引を作る。しかし、断片が小さすぎると文脈が失われる。\n',
    expect: /検索拡張生成とは、検索した文書をもとに言語モデルが回答を書く手法である。 \[S/,
  },
  ko: {
    question: '검색 증강 생성은 무엇인가요?',
    text: '# 검색 증강 생성\n\n검색 증강 생성은 검색한 문서를 바탕으로 언어 모델이 답을 쓰는 기법이다.\n\n그러나 색인에 답이 없으면 오류가 생긴다.\n',
    expect: /검색 증강 생성은 검색한 문서를 바탕으로 언어 모델이 답을 쓰는 기법이다\. \[S/,
  },
  ar: {
    question: 'ما هو التوليد المعزز بالاسترجاع؟',
    text: '# التوليد المعزز بالاسترجاع\n\nالتوليد المعزز بالاسترجاع طريقة يجيب فيها النموذج اللغوي اعتمادا على وثائق مسترجعة.\n',
    expect: /التوليد المعزز بالاسترجاع طريقة يجيب فيها النموذج اللغوي اعتمادا على وثائق مسترجعة\. \[S/,
  },
  ru: {
    question: 'Что такое гибридный поиск?',
    text: '# Гибридный поиск\n\nГибридный поиск — это способ объединить результаты поиска по словам и по векторам. Однако он требует двух индексов.\n',
    expect: /Гибридный поиск — это способ объединить результаты поиска по словам и по векторам\. \[S/,
  },
  de: {
    question: 'Was ist hybride Suche?',
    text: '# Hybride Suche\n\nHybride Suche ist ein Verfahren, das die Ergebnisse zweier Suchmaschinen nach ihrem Rang zusammenführt. Sie braucht dafür zwei Indizes.\n',
    expect: /Hybride Suche ist ein Verfahren, .* zusammenführt\. \[S/,
  },
};
for (const [language, { question, text, expect }] of Object.entries(notes)) {
  test(`a question in ${language} is answered from notes in ${language}`, async () => {
    const own = join(folder, language);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'note.md'), text);
    const { report } = await research(question, workspaceTools(own), { language });
    assert.match(report, expect);
    assert.doesNotMatch(report, /\n- (?:然而|しかし|그러나|Однако|Sie )/);
  });
}
