import { decodeHTMLStrict } from 'entities';
import type { FoundDocument } from '../../research/ports.ts';
import { doiIdentity } from '../../research/evidence/paperIdentity.ts';
import { paperTitleIdentities } from '../../research/evidence/titleIdentity.ts';
import { oneLine } from '../../research/text/hidden.ts';

/** What one service knows of a paper. */
export interface PaperRecord {
  readonly title: string;
  readonly authors: readonly string[];
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  readonly date?: string | undefined;
  readonly doi?: string | undefined;
  readonly arxiv?: string | undefined;
  readonly pmid?: string | undefined;
  readonly pmcid?: string | undefined;
  /** Addresses of its records at the services. */
  readonly pages?: readonly string[];
  readonly venue?: string | undefined;
  readonly abstract?: string | undefined;
  /** One sentence of a machine's, used where there is no abstract. */
  readonly gist?: string | undefined;
  readonly citations?: number | undefined;
  readonly standing?: FoundDocument['standing'];
  /** What the notice says: its kind, its date, its DOI. */
  readonly notice?: string | undefined;
  /** Such as "review", "preprint". */
  readonly type?: string | undefined;
  /** Where it can be read freely. */
  readonly openUrl?: string | undefined;
}

const longestAbstract = 20_000;
const standingWords = {
  retracted: 'RETRACTED by its publisher: do not rely on it',
  withdrawn: 'WITHDRAWN: do not rely on it',
  doubted: 'under an EXPRESSION OF CONCERN',
} as const;
/** Publishers put it before the title of a paper that they have retracted (COPE retraction guidelines). */
const markedTitle =
  /^[[(]?(retracted|withdrawn)(?: (?:article|paper|chapter))?[\])]?(?: ?[:–—] ?| - |\. |(?<=[\])]) )/i;

export function paperDocument(record: PaperRecord): FoundDocument {
  const { authors, date, doi, arxiv, pmid, pmcid, venue, citations, type, openUrl, notice } = record;
  const named = oneLine(record.title);
  const mark = markedTitle.exec(named)?.[1]?.toLowerCase();
  const title = named.replace(markedTitle, '');
  const standing = record.standing ?? (mark === 'retracted' || mark === 'withdrawn' ? mark : undefined);
  const abstract = record.abstract?.trim().slice(0, longestAbstract) ?? '';
  const pages = [
    ...(record.pages ?? []),
    ...(pmid === undefined ? [] : [`https://pubmed.ncbi.nlm.nih.gov/${pmid}/`]),
    ...(pmcid === undefined ? [] : [`https://pmc.ncbi.nlm.nih.gov/articles/${pmcid}/`]),
  ];
  const url =
    doi !== undefined ? `https://doi.org/${doi}` : arxiv !== undefined ? `https://arxiv.org/abs/${arxiv}` : pages[0];
  return {
    kind: 'scholarly',
    title: title || doi || 'Untitled',
    authors: authors.map(oneLine).filter((name) => name !== ''),
    ...(date === undefined ? {} : { date }),
    ...(url === undefined ? {} : { url }),
    ids: {
      ...(doi === undefined ? {} : { doi }),
      ...(arxiv === undefined ? {} : { arxiv }),
      ...(pages.length === 0 ? {} : { pages }),
    },
    ...(standing === undefined ? {} : { standing }),
    text: abstract || oneLine(record.gist ?? '') || title,
    facts: [
      ...(standing === undefined ? [] : [standingWords[standing] + (notice === undefined ? '' : ` (${notice})`)]),
      ...(citations === undefined ? [] : [`cited ${citations} times`]),
      ...(venue === undefined || venue === '' ? [] : [`published in ${oneLine(venue)}`]),
      ...(type === undefined || type === '' ? [] : [type.replace(/[-_]/g, ' ')]),
      ...(openUrl === undefined ? [] : [`open access: ${openUrl}`]),
      ...(abstract === '' ? ['no abstract is known'] : []),
    ],
  };
}

/** Merges records of one paper: the first value of a field is taken, the gravest standing and the most citations. */
export function mergeRecords([first, ...others]: readonly [PaperRecord, ...PaperRecord[]]): PaperRecord {
  let merged = first;
  for (const other of others) {
    const [own, added] = [present(merged), present(other)];
    const standing = worse(merged.standing, other.standing);
    const citations = Math.max(merged.citations ?? -1, other.citations ?? -1);
    merged = {
      ...added,
      ...own,
      pages: [...new Set([...(merged.pages ?? []), ...(other.pages ?? [])])],
      ...(standing === undefined ? {} : { standing }),
      ...(citations < 0 ? {} : { citations }),
      abstract: (merged.abstract ?? '') === '' ? other.abstract : merged.abstract,
    };
  }
  return merged;
}

/** The same paper in several lists, once; the order is the first list's. */
export function mergeByIdentity(records: readonly PaperRecord[]): PaperRecord[] {
  const groups: { readonly keys: Set<string>; readonly records: [PaperRecord, ...PaperRecord[]] }[] = [];
  for (const record of records) {
    const keys = [
      ...(record.doi === undefined ? [] : [doiIdentity(record.doi)]),
      ...(record.arxiv === undefined ? [] : [`arxiv:${record.arxiv.toLowerCase()}`]),
      ...(record.pmid === undefined ? [] : [`pmid:${record.pmid}`]),
      ...paperTitleIdentities(record.title, record.authors),
    ];
    const group = groups.find(({ keys: known }) => keys.some((key) => known.has(key)));
    if (group === undefined) groups.push({ keys: new Set(keys), records: [record] });
    else {
      group.records.push(record);
      for (const key of keys) group.keys.add(key);
    }
  }
  return groups.map((group) => mergeRecords(group.records));
}

const gravity = ['doubted', 'withdrawn', 'retracted'] as const;

function worse(a: FoundDocument['standing'], b: FoundDocument['standing']): FoundDocument['standing'] {
  if (a === undefined || b === undefined) return a ?? b;
  return gravity.indexOf(a) >= gravity.indexOf(b) ? a : b;
}

function present(record: PaperRecord): PaperRecord {
  const kept = Object.entries(record).filter(([, value]) => value !== undefined && value !== '');
  return { title: record.title, authors: record.authors, ...Object.fromEntries(kept) };
}

/** Text of JATS or HTML markup: paragraphs stay apart, what is no text goes. In linear time. */
export function plainMarkup(markup: string): string {
  const text = markup
    .slice(0, 100_000)
    .replace(/<(?:jats:)?title[^<>]{0,200}>\s*(?:abstract|summary)\s*<\/(?:jats:)?title>/gi, '')
    .replace(/<\/(?:jats:)?(?:p|title|sec|list-item|div|h\d)>/gi, '\n\n')
    .replace(/<[^<>]{0,2000}>/g, '');
  return decodeHTMLStrict(text)
    .replace(/(?!\n)\p{Cc}|\uFFFD/gu, ' ')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}
