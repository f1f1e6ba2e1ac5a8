import { decodeHTML } from 'entities';
import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import { oneLine, stripHidden } from '../../research/text/hidden.ts';
import type { ResearchTool, ToolContext } from '../../research/tools.ts';
import type { FoundDocument } from '../../research/ports.ts';
import { plainQuery } from '../searchWords.ts';
import { isoDate } from '../readers/document.ts';
import type { SourceContext } from '../source.ts';
import { clampCount, defineTool } from '../toolArguments.ts';
import { webKinds } from './webKinds.ts';
import type { WebResult, WebSearch } from './webProviders.ts';

const maxResults = 20;
const maxPages = 5;
/** Of a result's text, in UTF-16 units: a search says what a page is about, and the other tool reads it. */
const maxSnippet = 6_000;

const searchArguments = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .describe('What would be typed into a search engine, in the language of the wanted pages.'),
  kind: z
    .enum(webKinds)
    .optional()
    .describe('Default general. academic: papers and journals; code: repositories and documentation; news; patents.'),
  page: z.number().optional().describe('Default 1; the next results of the same query.'),
  max_results: z.number().optional().describe('1 to 20, default 8.'),
});
const pageArguments = z.object({
  url: z.string().trim().min(1).describe('Id of a result, such as S3f9a1, or the address of a web page or PDF.'),
});

/** `web_search` and `read_page`. A page's text is what the search says of it, then all of it once it was read. */
export function createWebTools(context: SourceContext, search: WebSearch): readonly ResearchTool[] {
  return [
    defineTool('web', 'search', {
      name: 'web_search',
      description:
        'Searches the web: official documentation, announcements, news, company pages. Prefer a source of its own for papers, code and discussions where there is one.',
      parameters: searchArguments,
      run: async (args, called, signal) => {
        const query = plainQuery(args.query).replace(/\s+/g, ' ').trim();
        if (!/[\p{L}\p{N}]/u.test(query))
          throw new ResearchError('badRequest', 'The query has no words.', { next: 'Search with a few words.' });
        const { settings } = context;
        const page = clampCount(args.page, 1, maxPages);
        const { results, note } = await search(
          {
            query,
            kind: args.kind ?? 'general',
            count: clampCount(args.max_results, 8, maxResults),
            page,
            since: settings['sources.since'],
            today: new Date().toISOString().slice(0, 10),
            language: languageOf(query, called),
            include: settings['sources.include'].map(domainOf).filter((domain) => domain !== ''),
            exclude: settings['sources.exclude'].map(domainOf).filter((domain) => domain !== ''),
          },
          signal,
          called.ask,
        );
        const documents = uniqueDocuments(results);
        const found =
          documents.length === 0
            ? `The web has nothing for: ${query}. Try fewer or other words.`
            : `${documents.length} pages for: ${query}${page > 1 ? ` (page ${page})` : ''}. Read the best ones with read_page before citing figures.`;
        return { documents, note: note === undefined ? found : `${found} ${note}` };
      },
    }),
    createPageReader(context),
  ];
}

/** `read_page`: opens pages that results name, or the user. */
export function createPageReader(context: SourceContext): ResearchTool {
  return defineTool('web', 'read', {
    name: 'read_page',
    description: 'Reads a web page or PDF that a result names: its main text, with headings, tables and page numbers.',
    parameters: pageArguments,
    opensPages: true,
    run: async ({ url }, called, signal) => {
      const { isNamed = false } = called;
      const address = addressOf(url, called);
      const { pageDocument, readPage } = await import('../readers/readPage.ts');
      const page = await readPage(isNamed ? context.pages.named : context.pages, address, signal, isNamed);
      return { documents: [pageDocument(page, 'web')] };
    },
  });
}

/** A page that asks to be answered by opening an address of its making, or a spelling of one, gets no answer. */
function addressOf(url: string, { namedAddress, isNamed }: ToolContext): string {
  const address = isNamed || namedAddress === undefined ? url : namedAddress(url);
  if (address !== undefined) return address;
  throw new ResearchError('badRequest', 'No result names this address.', {
    refusal: 'notSent',
    next: 'Search first, and open an address that a result names.',
  });
}

function uniqueDocuments(results: readonly WebResult[]): FoundDocument[] {
  const seen = new Set<string>();
  return results.flatMap((result) => {
    if (!URL.canParse(result.url) || !/^https?:/i.test(result.url) || seen.has(result.url)) return [];
    seen.add(result.url);
    const title = oneLine(plainMarkup(result.title.slice(0, 2_000))).slice(0, 500) || new URL(result.url).host;
    const text = stripHidden(plainMarkup(result.text.slice(0, maxSnippet))).trim();
    const date = isoDate(result.date);
    return [
      {
        kind: 'web',
        title,
        authors: [],
        ...(date === undefined ? {} : { date }),
        url: result.url,
        text: text || title,
        ...(result.site ? { facts: [oneLine(result.site).slice(0, 100)] } : {}),
      },
    ];
  });
}

/** Chinese words are searched in Chinese whatever the question's language, and Latin ones in any. */
function languageOf(query: string, { language }: ToolContext): string {
  if (/\p{Script=Han}/u.test(query)) return language.startsWith('ja') ? 'ja' : 'zh';
  return language.startsWith('zh') || language.startsWith('ja') || language.startsWith('ko') ? 'en' : '';
}

function domainOf(place: string): string {
  return /^(?:[a-z]+:\/\/)?(?:\*\.|www\.)?([a-z0-9.-]+\.[a-z0-9-]+)/i.exec(place.trim())?.[1]?.toLowerCase() ?? '';
}

/** A snippet without the tags that search services mark words with, its character references read. */
function plainMarkup(text: string): string {
  const bare = text.replace(/<\/?(?:b|strong|em|i|span|mark|p|br|div|a)(?:\s[^<>]{0,200})?\/?>/gi, ' ');
  return decodeHTML(bare)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\s]{0,20}/g, '\n');
}
