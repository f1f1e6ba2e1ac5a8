import type { Tokens } from 'marked';
import { ResearchError } from '../../research/errors.ts';
import type { PoliteAnswer } from '../http/httpSession.ts';
import { lexBlocks } from '../../research/text/lexer.ts';
import type { ReadDocument } from '../readers/document.ts';
import { type SourceContext } from '../source.ts';
import { endpointUrl } from '../http/endpointUrl.ts';

export interface FullText {
  /** Without the references. Of a PDF with the marks of its pages, which the address of a passage is found by. */
  readonly markdown: string;
  /** Its headings of the first two levels. */
  readonly sections: readonly string[];
  /** For the model: which form was read, and whether all of it. */
  readonly note: string;
}

/** A version never changes. */
const freshMs = 7 * 24 * 60 * 60 * 1_000;
/** Less than this is a page that says that there is no paper, or a cover. In UTF-16 units. */
const leastText = 2_000;
const references = /^(?:\d{1,2}\.?\s+|[A-Z]\.?\s+)?(?:references|bibliography)$/i;

/** Reads whole papers, at the addresses below the endpoint. */
export class ArxivFullText {
  readonly #context: SourceContext;

  constructor(context: SourceContext) {
    this.#context = context;
  }

  /**
   * Rejects with the reasons of the client, `notFound` when there is neither page nor PDF, and `badAnswer` when none can be read.
   * @param id With or without version.
   */
  async read(id: string, signal: AbortSignal): Promise<FullText> {
    const html = await this.#html(id, signal);
    if (html !== undefined) return html;
    const { status, text, headers } = await this.#get(`/pdf/${id}`, 'application/pdf', true, signal);
    const next = 'Rely on its abstract.';
    if (status === 404) throw new ResearchError('notFound', `arXiv has no text of ${id}.`, { status, next });
    if (status !== 200)
      throw new ResearchError('badAnswer', `arXiv did not send the PDF of ${id} (HTTP ${status}).`, { status, next });
    const document = await read(Buffer.from(text, 'latin1'), headers['content-type'] ?? '', id, signal);
    if (document.format !== 'pdf')
      throw new ResearchError('badAnswer', `What arXiv sent for ${id} is no PDF.`, { next });
    const cut = document.isCut ? `, its first ${document.pages} pages` : '';
    return written(document, `Read from the PDF${cut}: tables and formulas may be damaged.`);
  }

  /** Undefined where there is no such page, or it is hardly one. */
  async #html(id: string, signal: AbortSignal): Promise<FullText | undefined> {
    const { status, text } = await this.#get(`/html/${id}`, 'text/html', false, signal);
    if (status !== 200) return undefined;
    try {
      const document = await read(Buffer.from(text, 'utf8'), 'text/html; charset=utf-8', id, signal);
      const full = written(document, 'Read from the HTML page.');
      return full.markdown.length < leastText ? undefined : full;
    } catch (error) {
      if (signal.aborted || !ResearchError.is(error, 'badAnswer', 'timeout')) throw error;
      return undefined;
    }
  }

  #get(path: string, accept: string, isBinary: boolean, signal: AbortSignal): Promise<PoliteAnswer> {
    const { session, endpoint } = this.#context;
    // Only the main site has the pages; PDFs are fetched where programs are asked to (arXiv, bulk data access).
    const base = isBinary ? endpoint : endpoint.replace(/^https:\/\/export\.arxiv\.org(?=\/|$)/, 'https://arxiv.org');
    return session.get({ url: endpointUrl(base, path), accept, freshMs, ...(isBinary ? { isBinary } : {}) }, signal);
  }
}

async function read(bytes: Uint8Array, type: string, id: string, signal: AbortSignal): Promise<ReadDocument> {
  const { readDocument } = await import('../readers/readDocument.ts');
  return readDocument(bytes, type, `https://arxiv.org/abs/${id}`, signal);
}

function written({ text }: ReadDocument, note: string): FullText {
  const parts: string[] = [];
  const sections: string[] = [];
  const trail: Tokens.Heading[] = [];
  for (const { token } of lexBlocks(text)) {
    if (token.type === 'heading') {
      while ((trail.at(-1)?.depth ?? 0) >= (token as Tokens.Heading).depth) trail.pop();
      trail.push(token as Tokens.Heading);
    }
    if (trail.some((heading) => references.test(heading.text))) continue;
    if (token.type === 'heading' && trail.length <= 2) sections.push(token.text as string);
    parts.push(
      token.type === 'heading' ? `${'#'.repeat(Math.min(6, trail.length + 1))} ${token.text}` : token.raw.trim(),
    );
  }
  return { markdown: parts.join('\n\n'), sections, note };
}
