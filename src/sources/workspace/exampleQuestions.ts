import { decodeHTMLStrict } from 'entities';
import { type WorkspacePort, fillText, isDocument } from '../../research/ports.ts';
import { loadTexts, textsIn } from '../../research/languages/texts.ts';
import { detectLanguage } from '../../research/text/language.ts';
import { PassageIndex } from '../../research/text/passageIndex.ts';
import { cutPassages, kindOf, type Passage } from '../../research/text/passages.ts';
import { type QueryWord, readQuery } from '../../research/text/query.ts';
import { readQuietly } from '../workspaceFacts.ts';
import { housekeeping } from './topics.ts';

/** Documents that are read, of so many bytes each. */
const mostFiles = 60;
const mostSize = 200_000;
/** Words of a heading that is asked about, and the least text below it, in UTF-16 units. */
const mostWords = 7;
const leastText = 120;

/**
 * Questions about headings of a folder's documents, one a document, those first whose text speaks of them most. The best passage for each
 * is below its heading, and lacks none of its words. Rejects only when aborted or when the folder can't be listed.
 */
export async function exampleQuestions(
  workspace: WorkspacePort,
  count: number,
  signal: AbortSignal,
): Promise<string[]> {
  const files = (await workspace.files(signal))
    .filter(({ path, size }) => size <= mostSize && !isDocument(path) && !housekeeping.test(path))
    .filter(({ path }) => ['markdown', 'text'].includes(kindOf(path)))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length || b.size - a.size)
    .slice(0, mostFiles);
  const index = new PassageIndex();
  const documents = new Map<string, readonly Passage[]>();
  const candidates: Candidate[] = [];
  for (const file of files) {
    const text = await readQuietly(workspace, file, signal);
    const passages = cutPassages(file.path, text);
    index.add(file.path, '', passages);
    documents.set(file.path, passages);
    for (const candidate of candidatesOf(file.path, detectLanguage(text), passages)) candidates.push(candidate);
  }
  const questions = new Map<string, string>();
  const places = Map.groupBy(candidates, ({ heading }) => heading);
  for (const { path, language, heading } of candidates.toSorted((a, b) => b.mentions - a.mentions)) {
    if (questions.size === count) break;
    if (questions.has(path) || places.get(heading)!.length > 1) continue;
    await loadTexts(language);
    const topic = decodeHTMLStrict(heading).replace(/[`*_]/g, '');
    const question = /[?？؟]$/u.test(topic) ? topic : fillText(textsIn(language, 'digest').example, { topic });
    const { hits, words } = index.search(readQuery(question, language), 1);
    const best = hits[0]?.path === path ? documents.get(path)![hits[0].number]!.headings : [];
    if (best.includes(heading) && words.every(({ fate }) => fate === 'held')) questions.set(path, question);
  }
  return [...questions.values()];
}

interface Candidate {
  readonly path: string;
  readonly language: string;
  readonly heading: string;
  /** How often the text below the heading has its words. */
  readonly mentions: number;
}

function candidatesOf(path: string, language: string, passages: readonly Passage[]): Candidate[] {
  const below = Map.groupBy(
    passages.filter(({ form, headings }) => form === 'prose' && headings.length > 0),
    ({ headings }) => headings.at(-1)!,
  );
  return [...below].flatMap(([heading, own]) => {
    const text = own.map((passage) => passage.text.replace(/^#.*$/gm, '').toLowerCase()).join('\n');
    const { words } = readQuery(heading, language);
    const isFit = text.length >= leastText && words.length <= mostWords && /\p{L}{3}|\p{Script=Han}/u.test(heading);
    return isFit && words.length > 0 ? [{ path, language, heading, mentions: mentionsIn(text, words) }] : [];
  });
}

/** The least that one of the words occurs, for each of them. */
function mentionsIn(text: string, words: readonly QueryWord[]): number {
  const counts = words.map(
    ({ word, terms }) => text.split(terms.length === 1 ? terms[0]! : word.toLowerCase()).length - 1,
  );
  return words.length * counts.reduce((least, count) => Math.min(least, count));
}
