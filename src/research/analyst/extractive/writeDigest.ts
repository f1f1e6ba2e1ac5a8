import type { ReportInput } from '../analyst.ts';
import { literalMarkdown } from '../../evidence/neutralize.ts';
import { textsIn } from '../../languages/texts.ts';

/**
 * The report of the extractive analyst, in pieces: title, one line on what it is, the sections with their quotes, and how to
 * read them. Every sentence but those of the fixed texts is a quote with its source's id, and is in the report once. Pure.
 */
export function* writeDigest(input: ReportInput, language: string): Generator<string, void, void> {
  const texts = textsIn(language, 'digest');
  const quoted = new Set<string>();
  const isEmpty = input.sections.every(({ status, content }) => status === 'failed' || content === '');
  yield `# ${literalMarkdown(input.title, 'middle')}\n\n${isEmpty ? '' : `${texts.digest}\n\n`}`;
  for (const { title, status, content } of input.sections) {
    yield `## ${oneLine(title)}\n\n`;
    const fresh = status === 'failed' ? '' : withoutRepeats(content, quoted);
    if (fresh !== '') yield `${fresh}\n\n`;
    const isAbove = fresh === '' ? content !== '' : hasQuote.test(content) && !hasQuote.test(fresh);
    if (isAbove) yield `${texts.above}\n\n`;
  }
  if (!isEmpty) yield `## ${texts.conclusion}\n\n${texts.outlook}\n`;
}

const hasQuote = /^(`{3,}|~{3,})quote-S/m;

/** A section's content without the quotes that an earlier section has. */
function withoutRepeats(content: string, quoted: Set<string>): string {
  return content
    .replace(/^(`{3,}|~{3,})quote-S[0-9a-f]{5,64}\n[\s\S]*?\n\1(?:\n+|$)/gm, (block) => {
      const quote = block.trimEnd();
      if (quoted.has(quote)) return '';
      quoted.add(quote);
      return block;
    })
    .trim();
}

/** Titles come from people and plans: one line without anything that would start markup. */
function oneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[[\]<>|`*]/g, '')
    .trim();
}
