import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { fingerprint, isNearDuplicate } from '../../../../src/research/analyst/extractive/choosePassages.ts';
import { matchQuote } from '../../../../src/research/evidence/quotes.ts';
import type { FoundDocument } from '../../../../src/research/tools.ts';
import { parseArxivFeed } from '../../../../src/sources/arxiv/arxivFeed.ts';
import { research, searchTool, type Researched } from './samples.ts';

// Answers that the real services gave. They are not part of the repository.
const recorded = fileURLToPath(new URL('../../../../../shared/fixtures/', import.meta.url));
const absent = existsSync(`${recorded}arxiv/theme-rag-26.xml`) ? false : 'no recorded answers on this machine';

async function papers(): Promise<FoundDocument[]> {
  const feed = await parseArxivFeed(
    readFileSync(`${recorded}arxiv/theme-rag-26.xml`, 'utf8'),
    new AbortController().signal,
  );
  return feed.entries.map(({ id, title, authors, summary }) => ({
    kind: 'arxiv',
    title,
    authors,
    ids: { arxiv: id },
    text: summary,
  }));
}

function projects(): FoundDocument[] {
  return readdirSync(`${recorded}github/readme`).map((file) => {
    const { content } = JSON.parse(readFileSync(`${recorded}github/readme/${file}`, 'utf8')) as { content: string };
    const repo = file.replace('.json', '').replace('__', '/');
    return {
      kind: 'github',
      title: repo,
      authors: [],
      ids: { repo },
      text: Buffer.from(content, 'base64').toString('utf8'),
    };
  });
}

const questions = [
  'What are the main techniques for retrieval-augmented generation?',
  'How are language models evaluated?',
  'Long context vs retrieval',
  'Explain vector quantization in detail',
  '检索增强生成有哪些主要技术？',
];

function quotesOf({ report, source }: Researched): { text: string; original: string }[] {
  return report
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => [...line.replace(/^- |^\| .*? \| /, '').matchAll(/(\S.*?) \[(S[0-9a-f]{5,})\]/g)])
    .map(([, text, id]) => ({ text: text!, original: source(id!)!.text }));
}

for (const question of questions) {
  test(`a digest of recorded papers and projects: ${question}`, { skip: absent }, async () => {
    const found = await research(question, [
      searchTool('search_arxiv_papers', 'arxiv', await papers()),
      searchTool('github_search', 'github', projects()),
    ]);
    const quotes = quotesOf(found);
    const prints = quotes.map(({ text }) => fingerprint(text));
    for (const [index, { text, original }] of quotes.entries()) {
      assert.equal(matchQuote(text, original), 'exact', text);
      assert.match(text, /[.。]["”)]?$/, text);
      assert.doesNotMatch(
        text,
        /https?:|\]\(|<\/?\w|\b(?:licen[cs]ed|pip install|npm|docker|discord|pull request|click|star us)\b|!|\?$|^(?:this|it|they|however|these|install|run)\b/i,
        text,
      );
      assert.ok(!prints.slice(index + 1).some((other) => isNearDuplicate(prints[index]!, other)), text);
    }
  });
}

test('a good part of a recorded digest speaks of its subject', { skip: absent }, async () => {
  const quotes = quotesOf(await research(questions[0]!, [searchTool('search_arxiv_papers', 'arxiv', await papers())]));
  assert.ok(quotes.length >= 10);
  assert.ok(quotes.filter(({ text }) => /retriev|RAG/i.test(text)).length >= quotes.length * 0.7);
});
