import type { WorkspaceFile } from '../../research/ports.ts';
import { readSigns, wordsOf } from '../../research/policy/signs.ts';
import { cutPassages, kindOf, type Passage } from '../../research/text/passages.ts';
import { readQuery } from '../../research/text/query.ts';
import { bareWords, tokensOf, termsOf } from '../../research/text/tokenize.ts';
import type { WordFate } from '../../research/text/wordFates.ts';
import { isManifest } from './manifests.ts';
import type { WorkspaceSearch } from './workspaceIndex.ts';

type Found = WorkspaceSearch['found'];

/** Of the README, and of an index or a manifest. */
const ofReadme = 2;
const ofOther = 1;
/** Letters of a paragraph: less is a badge, a link or a heading. */
const leastLetters = 40;

/** Words of a name of a project. */
const mostOfName = 4;

/**
 * What a search found, after what the folder says of itself where the question names little else: it has no word of a subject, one that
 * no file has, or one that heads no text. "What does this repo do?" is recognised by its form; there is no list of such words. Of the
 * folder's own name nothing else is found.
 */
export async function withOverview(
  query: string,
  language: string,
  { found, words }: Pick<WorkspaceSearch, 'found' | 'words'>,
  files: readonly WorkspaceFile[],
  read: (path: string) => Promise<string>,
): Promise<Pick<WorkspaceSearch, 'found' | 'words'>> {
  const asked = readQuery(query, language).words;
  if (asked.length > mostOfName) return { found, words };
  const readme = await passagesOf(highest(files, isReadme), read);
  const isOwnName = isTitle(asked.map(({ word }) => word).join(' '), readme);
  if (isOwnName) {
    const overview = await overviewOf(readme, files, read);
    return { found: overview.length > 0 ? overview : found, words };
  }
  if (wordsOf(query, language).some(({ kind }) => kind === 'name')) return { found, words };
  const pointsAt = readSigns(query, language, { hasFolder: true }).resolved !== undefined;
  if (asked.length > (pointsAt ? 2 : 1)) return { found, words };
  const titled = found.filter((one) => asked.some(({ terms }) => titleTerms(one).has(terms.at(-1)!)));
  const isTitled = titled.length > 0;
  const isHeld = isTitled || words.some(({ fate }) => fate === 'held');
  const isAlone = !isHeld || (pointsAt && asked.length === 1 && !isTitled);
  if (!isAlone && (asked.length > 1 || (isTitled && !pointsAt))) return { found, words };
  const overview = await overviewOf(readme, files, read);
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

/** Whether a text is titled by a name, with or without a few words on it: "Tidegate: a relay". */
function isTitle(name: string, passages: Found): boolean {
  const [title = ''] = passages.find(({ passage }) => passage.headings.length > 0)?.passage.headings ?? [];
  const lettersOf = (text: string): string => bareWords(text).replaceAll(' ', '');
  return name !== '' && lettersOf(name) === lettersOf(title.split(/\s[-–—|]\s|[:：(（,，]/)[0]!);
}

function highest(files: readonly WorkspaceFile[], fits: (path: string) => boolean): WorkspaceFile | undefined {
  const depth = ({ path }: WorkspaceFile): number => path.split('/').length * 1_000 + path.length;
  return files.filter(({ path }) => fits(path)).sort((a, b) => depth(a) - depth(b))[0];
}

const isText = (path: string): boolean => ['markdown', 'text'].includes(kindOf(path));
const isReadme = (path: string): boolean => /(^|\/)readme[^/]*$/i.test(path) && isText(path);
const isIndex = (path: string): boolean => /(^|\/)index\.[^/]*$/i.test(path) && isText(path);

async function passagesOf(file: WorkspaceFile | undefined, read: (path: string) => Promise<string>): Promise<Found> {
  if (file === undefined) return [];
  const text = await read(file.path).catch(() => '');
  return cutPassages(file.path, text).map((passage) => ({ file, passage }));
}

async function overviewOf(
  readme: Found,
  files: readonly WorkspaceFile[],
  read: (path: string) => Promise<string>,
): Promise<Found> {
  const index = await passagesOf(highest(files, isIndex), read);
  const manifest = await passagesOf(highest(files, isManifest), read);
  const isDescription = ({ passage }: Found[number]): boolean => /\bdescription"? ?[:=]/i.test(passage.text);
  return [
    ...opening(readme).slice(0, ofReadme),
    ...opening(index).slice(0, ofOther),
    ...manifest.filter(isDescription).slice(0, ofOther),
  ];
}

/** Paragraphs, of a text with a title those below it: above it are notices and thanks. */
function opening(passages: Found): Found {
  const paragraphs = passages.filter(({ passage }) => isParagraph(passage));
  const below = paragraphs.filter(({ passage }) => passage.headings.length > 0);
  const isTitled = passages.some(({ passage }) => firstLevel.test(passage.text));
  return isTitled && below.length > 0 ? below : paragraphs;
}

/** A heading of the first level. */
const firstLevel = /^ {0,3}#\s|^=+\s*$|<h1\b/im;

/** A sentence, with or without links, images and tags around it, that is not mostly tags. */
function isParagraph({ form, text: whole }: Passage): boolean {
  const untagged = whole.replace(/<[^<>]*>/g, '');
  const said = untagged
    .replace(/!?\[[^[\]]*\]\([^()]*\)/g, '')
    .split('\n')
    .filter((line) => !/^\s*(?:[#=\-~.[|:]|\d+\.|\*\s)/.test(line));
  const text = said.join(' ');
  const isSaid = 2 * untagged.length >= whole.length;
  return isSaid && form === 'prose' && /[.!?:。！？]/.test(text) && text.replace(/\P{L}/gu, '').length >= leastLetters;
}
