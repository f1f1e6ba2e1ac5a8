import prompt from '../../../prompts/webSearch.md';
import { fillPrompt } from '../../research/analyst/llm/fill.ts';
import { ResearchError } from '../../research/errors.ts';
import type { FoundPage, WebSearchModel } from '../../research/ports.ts';
import { oneLine } from '../../research/text/hidden.ts';
import type { WebQuery, WebResult, WebSearch } from './webProviders.ts';
import { sitesOf } from './webKinds.ts';

/** The answer names pages, a line or two each. */
const maxTokens = 1_500;

const wantedKinds = {
  general: '',
  academic: 'Wanted are papers, journals and academic pages.',
  code: 'Wanted are repositories, documentation and answers of developers.',
  news: 'Wanted is news.',
  patents: 'Wanted are patents.',
} as const;

/** The web search of a model's provider, as one call of that model. It has no pages of results. */
export function nativeSearch(model: WebSearchModel): WebSearch {
  return async (query, _signal, ask) => {
    if (ask === undefined) throw new Error('The search of a model needs a run to ask it.');
    if (query.page > 1) return { results: [], note: 'This search has no further pages; search with other words.' };
    const { system, user } = fillPrompt(prompt, {
      ...{ count: String(query.count), today: query.today, query: oneLine(query.query) },
      wanted: wantedOf(query),
    });
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ] as const;
    const include = query.include.length > 0 || query.kind !== 'patents' ? query.include : (sitesOf.patents ?? []);
    const sites = { include, exclude: query.exclude };
    const { web } = await ask(await model.port(), { messages, maxTokens, sites });
    const pages = web?.pages ?? [];
    if (pages.length === 0 && web?.problem !== undefined) {
      const { reason, what, next } = problems[web.problem];
      throw new ResearchError(reason, `${what(`The web search of ${model.label}`)}.`, { next });
    }
    return { results: cited(pages).map((page) => resultOf(page, model.label)) };
  };
}

function wantedOf({ kind, since }: WebQuery): string {
  const date = since === '' ? '' : `Wanted are pages since ${since}.`;
  return [wantedKinds[kind], date].filter((line) => line !== '').join('\n');
}

/** What the model speaks of before what its search named beside it. */
function cited(pages: readonly FoundPage[]): readonly FoundPage[] {
  const isCited = ({ quotes, statements }: FoundPage): boolean => quotes.length + statements.length > 0;
  return [...pages.filter(isCited), ...pages.filter((page) => !isCited(page))];
}

/** A model's words on a page are marked as such: what may be quoted of the page is there when it was read. */
function resultOf({ url, title, quotes, statements, date, site }: FoundPage, label: string): WebResult {
  const said = statements.map((statement) => `As the search of ${label} sums it up: ${statement}`);
  return {
    ...{ url, title, text: [...quotes, ...said].join('\n\n') },
    ...(date !== undefined && { date }),
    ...(site !== undefined && { site }),
  };
}

const later = 'Use the other sources, or try again later.';
const problems = {
  limited: { reason: 'rateLimit', what: (label: string) => `${label} is limited now`, next: later },
  unavailable: { reason: 'network', what: (label: string) => `${label} is not available now`, next: later },
  badQuery: {
    reason: 'badRequest',
    what: (label: string) => `${label} refused the query`,
    next: 'Search with fewer words.',
  },
} as const;
