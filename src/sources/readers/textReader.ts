import type { Tokens } from 'marked';
import { stripHidden } from '../../research/text/hidden.ts';
import { lexBlocks } from '../../research/text/lexer.ts';
import { ResearchError } from '../../research/errors.ts';
import { isoDate, maxCharacters, type ReadDocument, readable } from './document.ts';

/** Plain text, Markdown and JSON, unchanged, with the headings that Markdown marks. Linear. */
export function readText(given: string): ReadDocument {
  if (given.slice(0, 10_000).includes('\0'))
    throw new ResearchError('badAnswer', 'It is no text.', { next: 'Use another document.' });
  const text = stripHidden(given.slice(0, maxCharacters)).trim();
  const heading = [...lexBlocks(text)].find(({ token }) => token.type === 'heading');
  const title = (heading?.token as Tokens.Heading | undefined)?.text ?? '';
  const date = isoDate(/^date:\s*["']?([\d-]{8,10})/m.exec(text.slice(0, 2_000))?.[1]);
  return {
    format: 'text',
    title,
    authors: [],
    ...(date === undefined ? {} : { date }),
    ...readable(text, given.length > maxCharacters),
  };
}
