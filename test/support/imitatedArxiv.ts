import { readFileSync } from 'node:fs';

/** A paper of the sample corpus (`test/fixtures/arxiv/papers.json`; arXiv's metadata is CC0). */
export interface SamplePaper {
  /** With version. */
  readonly id: string;
  readonly title: string;
  readonly published: string;
  readonly updated: string;
  readonly authors: readonly string[];
  readonly primary: string;
  readonly categories: readonly string[];
  readonly summary: string;
  readonly comment?: string;
  readonly journalRef?: string;
  readonly doi?: string;
}

const samplePapers: readonly SamplePaper[] = JSON.parse(
  readFileSync(new URL('../fixtures/arxiv/papers.json', import.meta.url), 'utf8'),
) as SamplePaper[];

export interface ImitatedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers `GET /api/query` from the sample corpus as arXiv does: boolean queries, id lists, error feeds. */
export function answerArxiv(parameters: URLSearchParams): ImitatedAnswer {
  const query = parameters.get('search_query') ?? '';
  const ids = (parameters.get('id_list') ?? '').split(',').filter((id) => id !== '');
  const start = Number(parameters.get('start') ?? 0);
  const size = Number(parameters.get('max_results') ?? 10);
  if (size > 30_000) return errorFeed('max_results_must_be_less_than_30000', 'max_results must be less than 30000');
  const malformed = ids.find((id) => !/^(\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?\/\d{7})(v\d+)?$/.test(id));
  if (malformed !== undefined)
    return errorFeed(`incorrect_id_format_for_${malformed}`, `incorrect id format for ${malformed}`);

  const base = (id: string): string => id.replace(/v\d+$/, '');
  let found =
    ids.length > 0 ? samplePapers.filter((paper) => ids.some((id) => base(id) === base(paper.id))) : [...samplePapers];
  if (query !== '') {
    const matches = parseQuery(query);
    const scored = found.map((paper) => ({ paper, score: matches(paper) })).filter(({ score }) => score > 0);
    found = scored.sort((a, b) => b.score - a.score).map(({ paper }) => paper);
  } else if (ids.length === 0) {
    found = [];
  }
  const sortBy = parameters.get('sortBy');
  if (sortBy === 'submittedDate' || sortBy === 'lastUpdatedDate') {
    const key = sortBy === 'submittedDate' ? 'published' : 'updated';
    found = found.toSorted((a, b) => b[key].localeCompare(a[key]));
    if (parameters.get('sortOrder') === 'ascending') found.reverse();
  }
  return feed(
    `arXiv Query: search_query=${query}&id_list=${ids.join(',')}`,
    found.slice(start, start + size),
    found.length,
    start,
    size,
  );
}

type Matcher = (paper: SamplePaper) => number;

/** AND binds tighter than OR; words that merely stand side by side are OR, as on the real service. 0 means no match. */
function parseQuery(query: string): Matcher {
  const tokens = query.match(/\(|\)|(?:[a-zA-Z]+:)?(?:"[^"]*"?|\[[^\]]*\]?)|[^\s()]+/g) ?? [];
  let at = 0;
  const anyOf = (): Matcher => {
    let left = allOf();
    while (at < tokens.length && tokens[at] !== ')') {
      if (tokens[at] === 'OR') at += 1;
      const [first, second] = [left, allOf()];
      left = (paper) => first(paper) + second(paper);
    }
    return left;
  };
  const allOf = (): Matcher => {
    let left = term();
    while (tokens[at] === 'AND' || tokens[at] === 'ANDNOT') {
      const without = tokens[at] === 'ANDNOT';
      at += 1;
      const [first, second] = [left, term()];
      left = without
        ? (paper) => (second(paper) > 0 ? 0 : first(paper))
        : (paper) => (first(paper) > 0 && second(paper) > 0 ? first(paper) + second(paper) : 0);
    }
    return left;
  };
  const term = (): Matcher => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token === '(') {
      const inner = anyOf();
      at += 1;
      return inner;
    }
    return matchTerm(token);
  };
  return anyOf();
}

function matchTerm(token: string): Matcher {
  const [, field = 'all', value = ''] = /^(?:([a-zA-Z]+):)?(.*)$/s.exec(token) ?? [];
  const dates = /^\[(\d{8})\d* TO (\d{8})\d*\]$/.exec(value);
  if (dates) {
    return (paper) => {
      const day = paper.published.slice(0, 10).replaceAll('-', '');
      return day >= dates[1]! && day <= dates[2]! ? 1 : 0;
    };
  }
  const needle = words(value);
  if (needle === '') return () => 0;
  return (paper) => {
    const fields: Record<string, readonly string[]> = {
      ti: [paper.title],
      au: paper.authors,
      abs: [paper.summary],
      co: [paper.comment ?? ''],
      jr: [paper.journalRef ?? ''],
      cat: paper.categories,
      id: [paper.id],
    };
    const searched = fields[field] ?? Object.values(fields).flat();
    if (field === 'cat') return paper.categories.includes(value) ? 1 : 0;
    return searched.reduce(
      (score, text) => score + (` ${words(text)} `.includes(` ${needle} `) ? (text === paper.title ? 3 : 1) : 0),
      0,
    );
  };
}

/** Lower case, words without plural `s`, single spaces: about what the service's stemming does. */
function words(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word))
    .join(' ');
}

function errorFeed(anchor: string, message: string): ImitatedAnswer {
  const link = `https://arxiv.org/api/errors#${escape(anchor)}`;
  const entry = `<entry><id>${link}</id><title>Error</title><updated>2026-08-20T06:00:00Z</updated>
    <link href="${link}" rel="alternate" type="text/html"/><summary>${escape(message)}</summary><author><name>arXiv api core</name></author></entry>`;
  return { ...envelope('arXiv Search Results', [entry], 1, 0, 1), status: 400 };
}

function feed(
  title: string,
  papers: readonly SamplePaper[],
  total: number,
  start: number,
  size: number,
): ImitatedAnswer {
  return envelope(title, papers.map(entryOf), total, start, size);
}

function entryOf(paper: SamplePaper): string {
  const optional = [
    paper.comment === undefined ? '' : `<arxiv:comment>${escape(paper.comment)}</arxiv:comment>`,
    paper.journalRef === undefined ? '' : `<arxiv:journal_ref>${escape(paper.journalRef)}</arxiv:journal_ref>`,
    paper.doi === undefined
      ? ''
      : `<arxiv:doi>${escape(paper.doi)}</arxiv:doi><link href="https://doi.org/${escape(paper.doi)}" rel="related" title="doi"/>`,
  ].join('');
  return `<entry>
    <id>http://arxiv.org/abs/${paper.id}</id>
    <title>${escape(paper.title)}</title>
    <updated>${paper.updated}</updated>
    <link href="https://arxiv.org/abs/${paper.id}" rel="alternate" type="text/html"/>
    <link href="https://arxiv.org/pdf/${paper.id}" rel="related" type="application/pdf" title="pdf"/>
    <summary>${escape(paper.summary)}</summary>
    ${paper.categories.map((term) => `<category term="${term}" scheme="http://arxiv.org/schemas/atom"/>`).join('')}
    <published>${paper.published}</published>
    ${optional}<arxiv:primary_category term="${paper.primary}"/>
    ${paper.authors.map((name) => `<author><name>${escape(name)}</name></author>`).join('')}
  </entry>`;
}

function envelope(
  title: string,
  entries: readonly string[],
  total: number,
  start: number,
  size: number,
): ImitatedAnswer {
  const body = `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/sample</id>
  <title>${escape(title)}</title>
  <updated>2026-08-20T06:00:00Z</updated>
  <opensearch:itemsPerPage>${size}</opensearch:itemsPerPage>
  <opensearch:totalResults>${total}</opensearch:totalResults>
  <opensearch:startIndex>${start}</opensearch:startIndex>
  ${entries.join('\n  ')}
</feed>
`;
  return { status: 200, headers: { 'content-type': 'application/atom+xml; charset=utf-8' }, body };
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
