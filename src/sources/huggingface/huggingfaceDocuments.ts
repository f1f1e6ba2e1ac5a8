import * as z from 'zod';
import type { FoundDocument } from '../../research/ports.ts';
import { oneLine } from '../../research/text/hidden.ts';
import { cleanReadme } from '../github/cleanReadme.ts';
import { isoDate } from '../readers/document.ts';

const nullableText = z.string().nullish();
const paper = z.object({
  /** arXiv id without version. */
  id: z.string().regex(/^\d{4}\.\d{4,5}$/),
  title: nullableText,
  summary: nullableText,
  authors: z.array(z.object({ name: nullableText })).catch([]),
  publishedAt: nullableText,
  upvotes: z.number().nullish(),
  ai_keywords: z.array(z.string()).nullish().catch(undefined),
  githubRepo: nullableText,
  githubStars: z.number().nullish(),
  organization: z.object({ fullname: nullableText, name: nullableText }).nullish().catch(undefined),
});
/** An entry of the daily papers and of the search. */
export const paperItem = z.object({
  paper,
  title: nullableText,
  summary: nullableText,
  numComments: z.number().nullish(),
});

export const modelItem = z.object({
  id: z.string().regex(/^[\w.-]+(?:\/[\w.-]+)?$/),
  likes: z.number().nullish(),
  downloads: z.number().nullish(),
  tags: z.array(z.string()).catch([]),
  pipeline_tag: nullableText,
  library_name: nullableText,
  createdAt: nullableText,
  lastModified: nullableText,
});

export function paperDocument({ paper: own, title, summary, numComments }: z.infer<typeof paperItem>): FoundDocument {
  const name = oneLine(own.title ?? title ?? '') || own.id;
  const date = own.publishedAt?.slice(0, 10);
  const organization = own.organization?.fullname ?? own.organization?.name;
  return {
    kind: 'huggingface',
    title: name,
    authors: own.authors.map(({ name: author }) => oneLine(author ?? '')).filter((author) => author !== ''),
    ...(date ? { date } : {}),
    url: `https://huggingface.co/papers/${own.id}`,
    ids: { arxiv: own.id },
    text: oneLine(own.summary ?? summary ?? '') || name,
    facts: [
      ...(typeof own.upvotes === 'number' ? [`${own.upvotes} upvotes on Hugging Face`] : []),
      ...(organization ? [`from ${organization}`] : []),
      ...(own.githubRepo
        ? [`code: ${own.githubRepo}${typeof own.githubStars === 'number' ? ` (${own.githubStars} stars)` : ''}`]
        : []),
      ...(numComments ? [`${numComments} comments`] : []),
      ...(own.ai_keywords && own.ai_keywords.length > 0 ? [`keywords ${own.ai_keywords.slice(0, 8).join(', ')}`] : []),
    ],
  };
}

/** @param card Its model card as Markdown; "" when it was not read. */
export function modelDocument(item: z.infer<typeof modelItem>, card = ''): FoundDocument {
  const { id, likes, downloads, tags, pipeline_tag, library_name, createdAt, lastModified } = item;
  const tagged = (prefix: string): string[] =>
    tags.filter((tag) => tag.startsWith(prefix)).map((tag) => tag.slice(prefix.length));
  const [licence] = tagged('license:');
  const [base] = tagged('base_model:').filter((name) => !name.includes(':'));
  const arxiv = tagged('arxiv:').slice(0, 3);
  const date = (lastModified ?? createdAt)?.slice(0, 10);
  const facts = [
    ...(pipeline_tag ? [`task ${pipeline_tag}`] : []),
    ...(typeof downloads === 'number' ? [`${downloads} downloads in 30 days`] : []),
    ...(typeof likes === 'number' ? [`${likes} likes`] : []),
    ...(licence === undefined ? [] : [`licence ${licence}`]),
    ...(base === undefined ? [] : [`based on ${base}`]),
    ...(library_name ? [`library ${library_name}`] : []),
    ...(arxiv.length > 0 ? [`papers ${arxiv.map((paperId) => `arXiv:${paperId}`).join(', ')}`] : []),
  ];
  const owner = id.split('/')[0]!;
  return {
    kind: 'huggingface',
    title: id,
    authors: id.includes('/') ? [owner] : [],
    ...(date ? { date } : {}),
    url: `https://huggingface.co/${id}`,
    text: card === '' ? `${id}: ${facts.join('; ')}.` : card,
    facts,
  };
}

export interface BlogItem {
  readonly title: string;
  /** What follows `/blog/`. */
  readonly path: string;
  readonly date?: string;
}

/** The articles among the entries of a feed, in its order. */
export function blogItems(
  entries: readonly { readonly title: string; readonly url: string; readonly date: string }[],
): readonly BlogItem[] {
  return entries.flatMap(({ title: written, url, date: instant }) => {
    const path = /\/blog\/([\w.-]+(?:\/[\w.-]+)?)\/?$/.exec(url)?.[1];
    const title = oneLine(written);
    const date = isoDate(instant);
    return path === undefined || title === '' ? [] : [{ title, path, ...(date !== undefined && { date }) }];
  });
}

export function postDocument({ title, path, date }: BlogItem): FoundDocument {
  const owner = path.includes('/') ? path.split('/')[0]! : '';
  return {
    kind: 'huggingface',
    title,
    authors: owner === '' ? [] : [owner],
    ...(date === undefined ? {} : { date }),
    url: `https://huggingface.co/blog/${path}`,
    text: title,
    facts: ['article of the Hugging Face blog', 'only its title is known so far'],
  };
}

/** A model card without its metadata, images and markup. */
export function modelCard(markdown: string): string {
  return cleanReadme(markdown.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, ''));
}
