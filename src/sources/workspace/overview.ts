import type { WorkspaceFile } from '../../research/ports.ts';
import { readSigns, wordsOf } from '../../research/policy/signs.ts';
import { cutPassages, kindOf, type Passage } from '../../research/text/passages.ts';
import { readQuery } from '../../research/text/query.ts';
import { tokensOf, termsOf } from '../../research/text/tokenize.ts';
import type { WordFate } from '../../research/text/wordFates.ts';
import { isManifest } from './manifests.ts';
import type { WorkspaceSearch } from './workspaceIndex.ts';

type Found = WorkspaceSearch['found'];

/** Of the README, and of an index or a manifest. */
const ofReadme = 2;
const ofOther = 1;
/** Letters of a paragraph: less is a badge, a link or a heading. */
const leastLetters = 40;

/**
 * What a search found, after what the folder says of itself where the question names little else: it has no word of a subject, one that
 * no file has, or one that heads no text. "What does this repo do?" is recognised by its form; there is no list of such words.
 */
export async function withOverview(
  query: string,
  language: string,
  { found, words }: Pick<WorkspaceSearch, 'found' | 'words'>,
  files: readonly WorkspaceFile[],
  read: (path: string) => Promise<string>,
): Promise<Pick<WorkspaceSearch, 'found' | 'words'>> {
  const asked = readQuery(query, language).words;
  if (wordsOf(query, language).some(({ kind }) => kind === 'name')) return { found, words };
  const pointsAt = readSigns(query, language, { hasFolder: true }).resolved !== undefined;
  if (asked.length > (pointsAt ? 2 : 1)) return { found, words };
  const titled = found.filter((one) => asked.some(({ terms }) => titleTerms(one).has(terms.at(-1)!)));
  const isTitled = titled.length > 0;
  const isHeld = isTitled || words.some(({ fate }) => fate === 'held');
  const isAlone = !isHeld || (pointsAt && asked.length === 1 && !isTitled);
  if (!isAlone && (asked.length > 1 || (isTitled && !pointsAt))) return { found, words };
  const overview = await overviewOf(files, read);
  if (overview.length === 0) return { found, words };
  // Of "this project" the word is not looked for; of another that no file has nothing is known but that the overview lacks it.
  const isMeant = pointsAt || asked.length === 0;
  const meant = words.map((word): WordFate => ({ ...word, fate: 'near', weight: 0 }));
  if (isAlone) return { found: overview, words: isMeant ? meant : [] };
  const rest = isTitled ? titled : found;
  const isNew = ({ file, passage }: Found[number]): boolean =>
    !rest.some((one) => one.file === file && one.passage.firstLine === passage.firstLine);
  return { found: [...overview.slice(0, 1).filter(isNew), ...rest], words };
}

function titleTerms({ file, passage }: Found[number]): ReadonlySet<string> {
  return new Set(tokensOf(`${file.path}\n${passage.headings.join('\n')}`).flatMap(termsOf));
}

async function overviewOf(files: readonly WorkspaceFile[], read: (path: string) => Promise<string>): Promise<Found> {
  const opening = async (file: WorkspaceFile | undefined, most: number, fits: (one: Passage) => boolean) => {
    const text = file === undefined ? '' : await read(file.path).catch(() => '');
    const passages = cutPassages(file?.path ?? '', text)
      .filter(fits)
      .slice(0, most);
    return passages.map((passage) => ({ file: file!, passage }));
  };
  const highest = (fits: (path: string) => boolean): WorkspaceFile | undefined => {
    const depth = ({ path }: WorkspaceFile): number => path.split('/').length * 1_000 + path.length;
    return files.filter(({ path }) => fits(path)).sort((a, b) => depth(a) - depth(b))[0];
  };
  const isText = (path: string): boolean => ['markdown', 'text'].includes(kindOf(path));
  const found = await Promise.all([
    opening(
      highest((path) => /(^|\/)readme[^/]*$/i.test(path) && isText(path)),
      ofReadme,
      isParagraph,
    ),
    opening(
      highest((path) => /(^|\/)index\.[^/]*$/i.test(path) && isText(path)),
      ofOther,
      isParagraph,
    ),
    opening(highest(isManifest), ofOther, ({ text }) => /\bdescription"? ?[:=]/i.test(text)),
  ]);
  return found.flat();
}

/** A sentence, with or without links, images and tags around it. */
function isParagraph({ form, text: whole }: Passage): boolean {
  const said = whole
    .replace(/!?\[[^[\]]*\]\([^()]*\)|<[^<>]*>/g, '')
    .split('\n')
    .filter((line) => !/^\s*(?:[#=\-~.[|:]|\d+\.|\*\s)/.test(line));
  const text = said.join(' ');
  return form === 'prose' && /[.!?:。！？]/.test(text) && text.replace(/\P{L}/gu, '').length >= leastLetters;
}
