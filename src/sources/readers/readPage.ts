import type { FoundDocument } from '../../research/ports.ts';
import { tokenize } from '../../research/text/tokenize.ts';
import { pageError } from '../pages/addressGuard.ts';
import type { PageReader } from '../pages/pageClient.ts';
import type { Barrier, ReadDocument } from './document.ts';
import { readDocument } from './readDocument.ts';

/** Words of the shortest sentence that could be cited: fewer are what a page shows while it loads, or a lone link. */
const leastWords = 4;
/** A page behind a barrier that shows more than this is read as far as it goes. In characters. */
const teaserLength = 600;

const barriers: Readonly<Record<Barrier, string>> = {
  payment: 'must be paid for',
  login: 'is shown after a login only',
  robotCheck: 'is behind a check for programs',
  script: 'is built by scripts and holds no text of its own',
};

/** A page of the web that was fetched and read. */
export interface ReadPage {
  readonly document: ReadDocument;
  /** After redirects. */
  readonly url: string;
}

/**
 * Fetches and reads a page. Rejects as {@link PageReader.get} does, and with `auth` for a page that shows something else in place
 * of its text, `badAnswer` for one without text.
 * @param isNamed The user named it: it may take longer to read.
 */
export async function readPage(
  pages: PageReader,
  address: string,
  signal: AbortSignal,
  isNamed = false,
): Promise<ReadPage> {
  const page = await pages.get(address, signal);
  const document = await readDocument(page.bytes, page.contentType, page.url, signal, isNamed);
  const url = new URL(page.url);
  const { barrier, text } = document;
  if (barrier !== undefined && text.length < teaserLength)
    throw pageError('auth', url, `The page at ${url.host} ${barriers[barrier]}.`);
  const words = tokenize(text.slice(0, teaserLength)).length;
  if (words < leastWords)
    throw pageError('badAnswer', url, `The page at ${url.host} has ${words === 0 ? 'no text' : 'only a few words'}.`);
  return { document, url: page.url };
}

/** A page as a document of a source. */
export function pageDocument({ document, url }: ReadPage, kind: string): FoundDocument {
  const { title, authors, date, doi, text, pages, isCut, barrier } = document;
  return {
    kind,
    title: title || new URL(url).host,
    authors,
    ...(date === undefined ? {} : { date }),
    url,
    ...(doi === undefined ? {} : { ids: { doi } }),
    text,
    facts: [
      ...(pages === undefined ? [] : [`PDF, ${pages} pages`]),
      ...(isCut === true ? ['only its beginning was read'] : []),
      ...(barrier === undefined ? [] : [`only its beginning: the rest ${barriers[barrier]}`]),
    ],
  };
}
