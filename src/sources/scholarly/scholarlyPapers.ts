import * as z from 'zod';
import { arxivIdOf } from '../../research/evidence/paperIdentity.ts';
import { addressIdentity } from '../../research/evidence/addressIdentity.ts';
import { ResearchError } from '../../research/errors.ts';
import type { ToolContext, ToolResult } from '../../research/tools.ts';
import { queryWords, splitScripts, strongest } from '../searchWords.ts';
import type { SourceContext } from '../source.ts';
import { clampCount, emptyQuery, toolResult } from '../toolArguments.ts';
import { Crossref } from './crossref.ts';
import { OpenAlex } from './openAlex.ts';
import { mergeByIdentity, mergeRecords, paperDocument, type PaperRecord } from './paperRecord.ts';
import type { PaperPage, PaperQuery, PaperService } from './paperService.ts';
import { SemanticScholar } from './semanticScholar.ts';
import type { Wikipedia } from './wikipedia.ts';

const mostResults = 50;
const mostIds = 10;
/** Fewer than this, and the next service is asked as well. */
const fewResults = 3;
const mostWords = 8;
/** Words of the second attempt, when nothing has all of them. */
const fewWords = 3;
/** DOIs of repositories, which Crossref does not register: arXiv, Zenodo, figshare, SSRN has its own. */
const datacite = /^10\.(?:48550|5281|6084)\//i;

export const papersArguments = z.object({
  query: z.string().trim().min(1).describe('English keywords, or the title of a paper.'),
  since: z.iso.date().optional().describe('Only papers published on or after this date, YYYY-MM-DD.'),
  sort: z.enum(['relevance', 'citations', 'newest']).optional().describe('Default relevance.'),
  page: z.number().optional().describe('Default 1.'),
  max_results: z.number().optional().describe('1 to 50, default 10.'),
});

/** Papers of all fields, from three services that replace each other when one fails. State of one run. */
export class ScholarlyPapers {
  readonly #context: SourceContext;
  readonly #wikipedia: Wikipedia;
  readonly #semanticScholar: SemanticScholar;
  readonly #openAlex: OpenAlex;
  readonly #crossref: Crossref;
  /** Services that refused or failed in this run: they are asked last. */
  readonly #failing = new Set<PaperService>();

  constructor(context: SourceContext, wikipedia: Wikipedia) {
    this.#context = context;
    this.#wikipedia = wikipedia;
    this.#semanticScholar = new SemanticScholar(context.service('semanticscholar'));
    this.#openAlex = new OpenAlex(context.service('openalex'));
    this.#crossref = new Crossref(context.service('crossref'));
  }

  async search(args: z.infer<typeof papersArguments>, called: ToolContext, signal: AbortSignal): Promise<ToolResult> {
    const { sort = 'relevance' } = args;
    const { words, notes, english } = await this.#words(args.query, called, signal);
    const count = clampCount(args.max_results, 10, mostResults);
    const page = clampCount(args.page, 1, 20);
    const since = [args.since ?? '', this.#context.settings['sources.since']].sort().at(-1)!;
    const query: PaperQuery = {
      words: words.join(' '),
      ...(since === '' ? {} : { since }),
      sort,
      offset: (page - 1) * count,
      count,
    };
    const found = await this.#find(query, signal);
    let used = query.words;
    if (found.records.length === 0 && words.length > fewWords && page === 1) {
      const bare = words.map((value) => ({ value, quoted: false }));
      used = strongest(bare, fewWords)
        .map(({ value }) => value)
        .join(' ');
      const fewer = await this.#find({ ...query, words: used }, signal);
      for (const one of fewer.records) found.records.push(one);
      if (fewer.records.length > 0) notes.push('Nothing has all the words; searched with fewer.');
    }
    const merged = mergeByIdentity(found.records).slice(0, count);
    const checked = await this.#withNotices(merged, notes, signal);
    notes.unshift(
      checked.length === 0
        ? `No paper for: ${used}. Try fewer or other English words.`
        : `${checked.length} of ${Math.max(found.total, checked.length)} papers for: ${used}${since === '' ? '' : ` since ${since}`} (${found.asked.join(', ')}).`,
    );
    if (found.total > page * count && checked.length > 0) notes.push(`More with page ${page + 1}.`);
    return {
      documents: checked.map(paperDocument),
      note: [...notes, ...found.failed].join(' '),
      ...(english === undefined ? {} : { english }),
    };
  }

  async get(asked: readonly string[], signal: AbortSignal): Promise<ToolResult> {
    const read = asked.map((text) => ({ text, key: keyOf(text) }));
    const invalid = read.filter(({ key }) => key === undefined).map(({ text }) => `"${text.slice(0, 60)}"`);
    const keys = [...new Set(read.flatMap(({ key }) => key ?? []))];
    if (keys.length === 0) {
      const problem = invalid.length > 0 ? `Not ids of papers: ${invalid.slice(0, 5).join(', ')}.` : 'No id was given.';
      throw new ResearchError('badRequest', problem, {
        next: 'Give a DOI, an arXiv id, a PMID or the URL of a paper, or search for its title.',
      });
    }
    const results = await Promise.all(keys.slice(0, mostIds).map((key) => this.#resolve(key, signal)));
    const found = results.flatMap((result) => (result instanceof ResearchError ? [] : result));
    const failed = results.filter((result) => result instanceof ResearchError);
    if (found.length === 0) throw failed[0]!;
    const missing = keys.filter((_, index) => results[index] instanceof ResearchError);
    const notes = [
      ...(missing.length > 0 ? [`Not found: ${missing.join(', ')}.`] : []),
      ...(invalid.length > 0 ? [`Not ids of papers: ${invalid.slice(0, 5).join(', ')}.`] : []),
    ];
    return toolResult(found.map(paperDocument), notes);
  }

  /** Asks one service after the other until one has enough. Rejects when none answered. */
  async #find(
    query: PaperQuery,
    signal: AbortSignal,
  ): Promise<PaperPage & { readonly records: PaperRecord[]; readonly asked: string[]; readonly failed: string[] }> {
    // Semantic Scholar's search has one order, and only of its own.
    const fitting =
      query.sort === 'relevance'
        ? [this.#semanticScholar, this.#openAlex, this.#crossref]
        : [this.#openAlex, this.#crossref];
    const order = fitting.toSorted((a, b) => Number(this.#failing.has(a)) - Number(this.#failing.has(b)));
    const records: PaperRecord[] = [];
    const asked: string[] = [];
    const failures: ResearchError[] = [];
    let total = 0;
    for (const service of order) {
      // One that fails is asked only when there is nothing else.
      if (asked.length > 0 && this.#failing.has(service)) continue;
      try {
        const page = await service.search(query, signal);
        asked.push(service.label);
        for (const one of page.records) records.push(one);
        total = Math.max(total, page.total);
        if (records.length >= Math.min(fewResults, query.count) || asked.length > 1) break;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        failures.push(ResearchError.from(error));
        this.#failing.add(service);
      }
    }
    if (asked.length === 0) throw failures[0]!;
    return { records, total, asked, failed: failures.map(({ message }) => message) };
  }

  /** With what Crossref knows of retractions. A failure is a note. */
  async #withNotices(records: readonly PaperRecord[], notes: string[], signal: AbortSignal): Promise<PaperRecord[]> {
    const dois = records.flatMap(({ doi }) => (doi === undefined || datacite.test(doi) ? [] : [doi]));
    if (dois.length === 0) return [...records];
    try {
      const notices = await this.#crossref.notices(dois, signal);
      return records.map((record) => {
        const notice = record.doi === undefined ? undefined : notices.get(record.doi.toLowerCase());
        return notice === undefined ? record : { ...record, standing: notice.standing, notice: notice.words };
      });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      ResearchError.from(error);
      notes.push('Whether they were retracted could not be checked.');
      return [...records];
    }
  }

  /** Everything that the services know of one paper, or why nothing is known. */
  async #resolve(key: string, signal: AbortSignal): Promise<PaperRecord | ResearchError> {
    const records: PaperRecord[] = [];
    const failures: ResearchError[] = [];
    const ask = async (service: PaperService, id: string | undefined): Promise<void> => {
      if (id === undefined) return;
      try {
        records.push(await service.get(id, signal));
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        failures.push(ResearchError.from(error));
      }
    };
    const ids = idsOf(key);
    await ask(this.#openAlex, ids.openAlex);
    const doi = ids.doi ?? records[0]?.doi;
    await ask(this.#crossref, doi === undefined || datacite.test(doi) ? undefined : doi);
    // Not asked where it has nothing to add: all of its users share one quota.
    if (records.every(({ abstract }) => (abstract ?? '') === ''))
      await ask(this.#semanticScholar, ids.semanticScholar ?? (doi === undefined ? undefined : `DOI:${doi}`));
    const [first, ...others] = records;
    if (first !== undefined) return mergeRecords([first, ...others]);
    return (
      failures.find(({ reason }) => reason !== 'notFound') ??
      failures[0] ??
      new ResearchError('notFound', `No service knows ${key}.`, { next: 'Check the id, or search by title.' })
    );
  }

  /** English words of a query: in another script, what the encyclopedia calls its subject in English. */
  async #words(
    query: string,
    { language }: ToolContext,
    signal: AbortSignal,
  ): Promise<{ readonly words: string[]; readonly notes: string[]; readonly english: string | undefined }> {
    const notes: string[] = [];
    const isForeign = /(?!\p{Script=Latin})\p{L}/u.test(query);
    const english = isForeign ? await this.#wikipedia.english(query, language, signal) : undefined;
    const { latin } = splitScripts(queryWords(`${english ?? ''} ${query}`, language));
    const words = latin.map(({ value }) => value).slice(0, mostWords);
    if (words.length === 0) throw emptyQuery(query, 'papers', 'Search with English words.');
    if (english !== undefined) notes.push(`Searched in English, as Wikipedia calls it: ${english}.`);
    return { words, notes, english };
  }
}

/** `doi:…`, `arxiv:…`, `pmid:…`, `pmc:…`, `openalex:W…` or `s2:…` of what a model gives; undefined for anything else. */
function keyOf(text: string): string | undefined {
  const given = text.trim();
  if (/^https?:\/\//i.test(given)) {
    const identity = addressIdentity(given) ?? '';
    return /^(?:doi|arxiv|pmid|pmc|openalex|s2):/.test(identity) ? identity : undefined;
  }
  const arxiv = arxivIdOf(given);
  if (arxiv !== undefined) return `arxiv:${arxiv}`;
  const doi = /^(?:doi:\s*)?(10\.\d{4,9}\/\S{1,300})$/i.exec(given)?.[1];
  if (doi !== undefined) return addressIdentity(`https://doi.org/${doi.replace(/[?#%]/g, encodeURIComponent)}`);
  const pmid = /^(?:pmid:?\s*)(\d{1,9})$/i.exec(given)?.[1];
  if (pmid !== undefined) return `pmid:${pmid}`;
  const pmc = /^PMC:?\s*(\d{1,9})$/i.exec(given)?.[1];
  if (pmc !== undefined) return `pmc:${pmc}`;
  const work = /^(?:openalex:)?(W\d{4,12})$/i.exec(given)?.[1];
  if (work !== undefined) return `openalex:${work.toUpperCase()}`;
  const hash = /^(?:s2:)?([0-9a-f]{40})$/i.exec(given)?.[1];
  return hash === undefined ? undefined : `s2:${hash.toLowerCase()}`;
}

/** What each service calls a paper. */
function idsOf(key: string): Readonly<Partial<Record<'openAlex' | 'doi' | 'semanticScholar', string>>> {
  const id = key.slice(key.indexOf(':') + 1);
  switch (key.slice(0, key.indexOf(':'))) {
    case 'doi':
      return { openAlex: `doi:${id}`, doi: id, semanticScholar: `DOI:${id}` };
    case 'arxiv':
      return { openAlex: `doi:10.48550/arXiv.${id}`, semanticScholar: `ARXIV:${id}` };
    case 'pmid':
      return { openAlex: `pmid:${id}`, semanticScholar: `PMID:${id}` };
    case 'pmc':
      return { openAlex: `pmcid:PMC${id}`, semanticScholar: `PMCID:${id}` };
    case 'openalex':
      return { openAlex: id };
    default:
      return { semanticScholar: id };
  }
}
