import { stripHidden } from '../text/hidden.ts';
import type { CslDate, CslItem } from './cslItems.ts';
import type { CslName } from './personName.ts';

const entryTypes: Readonly<Record<CslItem['type'], string>> = {
  article: 'misc',
  'article-journal': 'article',
  software: 'software',
  dataset: 'dataset',
  webpage: 'online',
  post: 'online',
  'post-weblog': 'online',
  document: 'misc',
};
/** Macros that BibTeX knows; a style writes them in its own language. */
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * The items as a BibTeX file (UTF-8): entries that both BibTeX and biblatex read. Written here, because the library for it
 * (citation-js) brings a network client along, and leaves what matters to its caller: which names, keys and capitals to keep.
 */
export function bibtex(items: readonly CslItem[]): string {
  return items.map((item) => `${entry(item)}\n`).join('\n');
}

function entry(item: CslItem): string {
  const arxiv = item.archive === 'arXiv' ? item.archive_location : undefined;
  const [year, month] = item.issued?.['date-parts'][0] ?? [];
  const isFile = item.type === 'document' && item.archive_location !== undefined;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['author', item.author && braced(item.author.map(bibtexName).join(' and '))],
    ['title', braced(protectedTitle(item.title))],
    [
      'journal',
      item.type === 'article-journal' && item['container-title']
        ? braced(bibtexText(item['container-title']))
        : undefined,
    ],
    ['year', year === undefined ? undefined : braced(String(year))],
    ['month', month === undefined ? undefined : months[month - 1]],
    ['eprint', arxiv && braced(verbatim(arxiv))],
    ['archiveprefix', arxiv && braced('arXiv')],
    ['publisher', arxiv === undefined && item.publisher ? braced(bibtexText(item.publisher)) : undefined],
    [
      'organization',
      item.type.startsWith('post') && item['container-title'] ? braced(bibtexText(item['container-title'])) : undefined,
    ],
    ['howpublished', isFile ? braced(bibtexText(item.archive_location)) : undefined],
    ['type', item.genre && braced(bibtexText(item.genre))],
    ['number', arxiv === undefined && item.number ? braced(bibtexText(item.number)) : undefined],
    ['version', item.version && braced(bibtexText(item.version))],
    ['doi', item.DOI && braced(verbatim(item.DOI))],
    ['url', item.URL && braced(verbatim(item.URL))],
    ['urldate', isoDate(item.accessed)],
    ['note', item.note && braced(bibtexText(item.note))],
  ];
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = ${value}`]));
  return `@${entryTypes[item.type]}{${item.id},\n${lines.join(',\n')}\n}`;
}

function isoDate(date: CslDate | undefined): string | undefined {
  const parts = date?.['date-parts'][0];
  return parts && braced(parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-'));
}

/** "van Gogh, Vincent"; a name that must stay whole in its own braces. */
function bibtexName(name: CslName): string {
  if ('literal' in name) return braced(bibtexText(name.literal));
  const particle = name['non-dropping-particle'];
  const family =
    particle === undefined ? bibtexText(name.family) : `${bibtexText(particle)} ${bibtexText(name.family)}`;
  return [family, ...(name.suffix === undefined ? [] : [bibtexText(name.suffix)]), bibtexText(name.given)].join(', ');
}

/** A style may write titles small: words with a capital that is not their first letter (BERT, LoRA, arXiv) keep their capitals. */
function protectedTitle(title: string): string {
  const shouted = !/\p{Ll}/u.test(title);
  return title
    .split(/([\p{L}\p{M}\p{N}]+)/u)
    .map((part, index) =>
      index % 2 === 1 && !shouted && /^.\P{Lu}*\p{Lu}/su.test(part) ? braced(part) : bibtexText(part),
    )
    .join('');
}

/** Braces count for BibTeX even behind a backslash, so that they become commands as well. */
const commands: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
};

function bibtexText(text: string): string {
  // Some readers take a line that begins with @ for an entry.
  return stripHidden(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\{}~^<>|&%$#_]/g, (char) => commands[char] ?? `\\${char}`);
}

/** Addresses and identifiers are taken verbatim; only what would end the field is encoded. */
function verbatim(text: string): string {
  return stripHidden(text).replace(/[\\{}\s]/g, (char) => encodeURIComponent(char));
}

function braced(text: string): string {
  return `{${text}}`;
}
