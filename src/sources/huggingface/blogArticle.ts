import { ResearchError } from '../../research/errors.ts';
import type { FoundDocument } from '../../research/ports.ts';
import { readDocument } from '../readers/readDocument.ts';

/** Less than this is a page about the article, not the article. In UTF-16 units. */
const leastText = 200;

/** An article of the blog from its page. Rejects as `readDocument`, and with `badAnswer` for a page without an article. */
export async function blogArticle(path: string, html: string, signal: AbortSignal): Promise<FoundDocument> {
  const url = `https://huggingface.co/blog/${path}`;
  const { title, authors, date, text } = await readDocument(Buffer.from(html, 'utf8'), 'text/html', url, signal);
  if (text.length < leastText)
    throw new ResearchError('badAnswer', `The page of "${path}" has no article that can be read.`, {
      next: 'Use another article.',
    });
  const owner = path.includes('/') ? [path.split('/')[0]!] : [];
  return {
    kind: 'huggingface',
    title: title.replace(/ [|·-] Hugging Face$/, '') || path,
    authors: authors.length > 0 ? authors : owner,
    ...(date === undefined ? {} : { date }),
    url,
    text,
    facts: ['article of the Hugging Face blog'],
  };
}
