import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import { trimEnd } from '../../research/text/trimEnd.ts';
import { terms } from '../../research/text/tokenize.ts';
import type { ToolContext, ToolResult } from '../../research/tools.ts';
import type { FoundDocument } from '../../research/ports.ts';
import { JsonService } from '../http/jsonService.ts';
import { bareWords, subjectWeight } from '../searchWords.ts';
import type { SourceContext } from '../source.ts';
import { clampCount, emptyQuery } from '../toolArguments.ts';
import { editionEndpoint, editionOf } from './wikipediaHost.ts';

const freshMs = 24 * 60 * 60 * 1_000;
/** The most introductions of one request (MediaWiki, TextExtracts, `exlimit`). */
const mostResults = 20;
const mostWords = 8;
const fewWords = 2;
/** Sections of an article that are no text. */
const apparatus =
  /^(?:references|see also|external links|notes|further reading|bibliography|sources|citations|einzelnachweise|weblinks|literatur|siehe auch|notes et références|voir aussi|liens externes|referencias|véase también|enlaces externos|参考文献|参考资料|外部链接|外部連結|参见|參見|注释|脚注|関連項目|外部リンク|각주|외부 링크|같이 보기|примечания|литература|ссылки|см\. также|المراجع|وصلات خارجية|انظر أيضًا)$/i;

const page = z.object({
  ns: z.number().catch(0),
  title: z.string().min(1),
  index: z.number().catch(0),
  extract: z.string().catch(''),
  fullurl: z.string().optional().catch(undefined),
  missing: z.unknown().optional(),
  langlinks: z
    .array(z.object({ lang: z.string(), title: z.string().optional(), '*': z.string().optional() }))
    .catch([]),
  revisions: z.array(z.object({ timestamp: z.string() })).catch([]),
  pageprops: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
type Page = z.infer<typeof page>;
const pages = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown()).transform((map) => Object.values(map))]);
const answer = z
  .object({
    query: z.object({ pages }).optional(),
    error: z.object({ code: z.string(), info: z.string().catch('') }).optional(),
    batchcomplete: z.unknown().optional(),
  })
  .refine((body) => 'query' in body || 'error' in body || 'batchcomplete' in body);

/** The encyclopedia in the question's language. */
export class Wikipedia {
  readonly #context: SourceContext;
  readonly #editions = new Map<string, JsonService>();

  constructor(context: SourceContext) {
    this.#context = context;
  }

  async search(
    args: { readonly query: string; readonly language?: string | undefined; readonly max_results?: number | undefined },
    called: ToolContext,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const words = wordsOf(args.query);
    if (words.length === 0) throw emptyQuery(args.query, 'Wikipedia', 'Search with the name of the subject.');
    const edition = editionOf(args.language ?? called.language);
    const { used, found } = await this.#find(words, edition, clampCount(args.max_results, 5, mostResults), signal);
    const note =
      found.length === 0
        ? `Wikipedia (${edition}) has no article for: ${used}. Try fewer words, or language "en".`
        : `${found.length} articles of Wikipedia (${edition}) for: ${used}. Introductions only: get_wikipedia_article gives the whole.`;
    const english = edition === 'en' ? undefined : englishTitle(found, words.join(' '));
    return {
      documents: found.map((one) => documentOf(one, edition, one.extract.trim())),
      note,
      ...(english === undefined ? {} : { english }),
    };
  }

  async article(
    args: { readonly title: string; readonly language?: string | undefined },
    called: ToolContext,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const { edition, title } = placeOf(args.title, editionOf(args.language ?? called.language));
    const [found] = await this.#pages(edition, { titles: title.replaceAll('|', ' ') }, false, signal);
    if (found === undefined)
      throw new ResearchError('notFound', `Wikipedia (${edition}) has no article "${title.slice(0, 100)}".`, {
        next: 'Search Wikipedia for it.',
      });
    return { documents: [documentOf(found, edition, articleText(found.extract))] };
  }

  /** What the English edition calls the subject of a query in another language; undefined when it has no such article. */
  async english(query: string, language: string, signal: AbortSignal): Promise<string | undefined> {
    const edition = editionOf(language);
    const words = wordsOf(query);
    if (edition === 'en' || words.length === 0) return undefined;
    try {
      return englishTitle((await this.#find(words, edition, 5, signal)).found, words.join(' '));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      // Without the lookup the query is sent as it is.
      ResearchError.from(error);
      return undefined;
    }
  }

  async #find(
    words: readonly string[],
    edition: string,
    count: number,
    signal: AbortSignal,
  ): Promise<{ readonly used: string; readonly found: readonly Page[] }> {
    const whole = words.join(' ');
    const strong = new Set(words.toSorted((a, b) => subjectWeight(b) - subjectWeight(a)).slice(0, fewWords));
    const fewer = words.filter((word) => strong.has(word)).join(' ');
    for (const used of words.length > fewWords ? [whole, fewer] : [whole]) {
      const parameters = {
        generator: 'search',
        gsrsearch: used.slice(0, 280),
        gsrlimit: String(count),
        gsrnamespace: '0',
      };
      const found = await this.#pages(edition, parameters, true, signal);
      if (found.length > 0) return { used, found };
    }
    return { used: whole, found: [] };
  }

  /** Articles, best first, without disambiguation pages. */
  async #pages(
    edition: string,
    parameters: Readonly<Record<string, string>>,
    introOnly: boolean,
    signal: AbortSignal,
  ): Promise<Page[]> {
    const { query, error } = await this.#service(edition).get(
      {
        path: '/w/api.php',
        parameters: {
          action: 'query',
          format: 'json',
          formatversion: '2',
          ...parameters,
          prop: 'extracts|info|langlinks|revisions|pageprops',
          explaintext: '1',
          exsectionformat: 'wiki',
          ...(introOnly ? { exintro: '1', exlimit: 'max' } : { redirects: '1' }),
          inprop: 'url',
          lllang: 'en',
          lllimit: 'max',
          rvprop: 'timestamp',
          ppprop: 'disambiguation',
        },
        schema: answer,
        freshMs,
      },
      signal,
    );
    if (error !== undefined)
      throw new ResearchError(
        'badRequest',
        `Wikipedia refused the request: ${error.info.slice(0, 200) || error.code}`,
        {
          next: 'Ask in other words.',
        },
      );
    return (query?.pages ?? [])
      .slice(0, 50)
      .flatMap((given) => page.safeParse(given).data ?? [])
      .filter(
        ({ missing, ns, pageprops }) =>
          missing === undefined && ns === 0 && pageprops?.['disambiguation'] === undefined,
      )
      .sort((a, b) => a.index - b.index);
  }

  #service(edition: string): JsonService {
    const context = this.#context.service('wikipedia');
    const known =
      this.#editions.get(edition) ??
      new JsonService({ ...context, endpoint: editionEndpoint(context.endpoint, edition) }, { label: 'Wikipedia' });
    this.#editions.set(edition, known);
    return known;
  }
}

/** Another script's clauses stay whole. */
function wordsOf(query: string): readonly string[] {
  return bareWords(query).slice(0, mostWords);
}

/** The English title of the first article whose own title is part of what was asked for. */
function englishTitle(found: readonly Page[], asked: string): string | undefined {
  const wanted = new Set(terms(asked));
  const squeezed = asked.replace(/\s/g, '').toLowerCase();
  for (const page of found) {
    const name = page.title.split(/[(（]/, 1)[0]!.trim();
    const own = terms(name);
    const english = (englishName(page) ?? '').split('(', 1)[0]!.trim();
    // Scripts without spaces come cut into words.
    const isAsked =
      (own.length > 0 && own.every((term) => wanted.has(term))) ||
      (/\p{Lo}{2}/u.test(name) && squeezed.includes(name.replace(/\s/g, '').toLowerCase()));
    if (english !== '' && isAsked) return english;
  }
  return undefined;
}

/** What the English edition calls the subject of an article. */
function englishName({ langlinks }: Page): string | undefined {
  const link = langlinks.find(({ lang }) => lang === 'en');
  return link?.title ?? link?.['*'];
}

function documentOf(page: Page, edition: string, text: string): FoundDocument {
  const { title, fullurl, revisions } = page;
  const date = revisions[0]?.timestamp.slice(0, 10);
  const name = englishName(page);
  const own = `https://${edition}.wikipedia.org/wiki/${encodeURIComponent(title.replace(/ /g, '_')).replace(/%(?:2C|3A|28|29|2F)/g, decodeURIComponent)}`;
  return {
    kind: 'scholarly',
    title,
    authors: [],
    ...(date === undefined ? {} : { date }),
    url: fullurl !== undefined && /^https:\/\/[a-z-]+\.wikipedia\.org\//.test(fullurl) ? fullurl : own,
    text: text === '' ? title : text,
    facts: [
      `encyclopedia article (Wikipedia, ${edition})`,
      ...(name === undefined || name === title ? [] : [`in English: ${name}`]),
    ],
  };
}

/** The edition and the title of a title or of an address of an article. */
function placeOf(given: string, edition: string): { readonly edition: string; readonly title: string } {
  const [, language, path] = /^https?:\/\/([a-z-]+)\.(?:m\.)?wikipedia\.org\/wiki\/([^?#]+)/i.exec(given.trim()) ?? [];
  if (language === undefined || path === undefined) return { edition, title: given.trim() };
  let title = path;
  try {
    title = decodeURIComponent(path);
  } catch {
    // As it is.
  }
  return { edition: editionOf(language), title: title.replaceAll('_', ' ') };
}

/** Plain text with `== headings ==` as Markdown, up to the references. */
function articleText(extract: string): string {
  const kept: string[] = [];
  let skipped = 0;
  for (const line of extract.split('\n')) {
    const [, marks, rest] = /^(={2,6}) ?([^=].*)$/.exec(line.trim()) ?? [];
    const heading = rest === undefined ? undefined : trimEnd(rest, '= ');
    if (marks === undefined || heading === undefined) {
      if (skipped === 0) kept.push(line);
      continue;
    }
    if (skipped > 0 && marks.length > skipped) continue;
    skipped = apparatus.test(heading) ? marks.length : 0;
    if (skipped === 0) kept.push(`${'#'.repeat(marks.length)} ${heading}`);
  }
  return kept
    .map((line) => (line.trim() === '' ? '' : `${line.trimEnd()}\n`))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
