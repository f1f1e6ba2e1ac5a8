import { stripHidden } from '../../research/text/hidden.ts';
import { ResearchError } from '../../research/errors.ts';
import { BlockList, isoDate, maxCharacters, type ReadDocument } from './document.ts';

/** Plain text, Markdown and JSON, unchanged, with the headings that Markdown marks. Linear. */
export function readText(given: string): ReadDocument {
  if (given.slice(0, 10_000).includes('\0'))
    throw new ResearchError('badAnswer', 'It is no text.', { next: 'Use another document.' });
  const text = stripHidden(given.slice(0, maxCharacters)).trim();
  const list = new BlockList();
  list.markdown(text);
  const title = list.blocks.find(({ kind }) => kind === 'heading')?.text ?? '';
  const date = isoDate(/^date:\s*["']?([\d-]{8,10})/m.exec(text.slice(0, 2_000))?.[1]);
  return {
    format: 'text',
    title,
    authors: [],
    ...(date === undefined ? {} : { date }),
    blocks: list.blocks,
    text,
    ...(given.length > maxCharacters ? { isCut: true } : {}),
  };
}
