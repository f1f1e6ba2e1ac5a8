// Measures three ways to chunk and three ways to rank on the notes of this folder: npm run benchmark
import { readdirSync, readFileSync } from 'node:fs';
import { chunkByHeadings, chunkByWindow, type Chunk } from './chunk.ts';
import { meanReciprocalRank, recallAt } from './evaluate.ts';
import { fuseByRank, rankBm25, trigrams, words } from './rank.ts';

const root = new URL('..', import.meta.url);
const notes = readdirSync(new URL('notes/', root)).sort();
const documents = notes.map((file) => ({ file, text: readFileSync(new URL(`notes/${file}`, root), 'utf8') }));
const questions: { question: string; file: string }[] = JSON.parse(readFileSync(new URL('data/questions.json', root), 'utf8'));

const chunkings: Record<string, (file: string, text: string) => Chunk[]> = {
  'windows of 60 words': (file, text) => chunkByWindow(file, text, 60, 15),
  'sections': (file, text) => chunkByHeadings(file, text).map((chunk) => ({ ...chunk, headings: [] })),
  'sections with headings': chunkByHeadings,
};

const rankings: Record<string, (query: string, texts: readonly string[]) => number[]> = {
  'words': (query, texts) => rankBm25(query, texts, words),
  'trigrams': (query, texts) => rankBm25(query, texts, trigrams),
  'fused': (query, texts) => fuseByRank([rankBm25(query, texts, words), rankBm25(query, texts, trigrams)]),
};

console.log('| chunks | ranking | recall@1 | recall@3 | MRR |\n|---|---|---|---|---|');
for (const [chunking, chunk] of Object.entries(chunkings)) {
  const chunks = documents.flatMap(({ file, text }) => chunk(file, text));
  const texts = chunks.map(({ headings, text }) => [...headings, text].join('\n'));
  for (const [ranking, rank] of Object.entries(rankings)) {
    const ranks = questions.map(({ question, file }) => {
      const found = rank(question, texts).findIndex((i) => chunks[i]!.file === file);
      return found < 0 ? Infinity : found + 1;
    });
    const row = [chunking, ranking, recallAt(1, ranks).toFixed(2), recallAt(3, ranks).toFixed(2), meanReciprocalRank(ranks).toFixed(2)];
    console.log(`| ${row.join(' | ')} |`);
  }
}
