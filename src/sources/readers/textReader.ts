import { stripHidden } from '../../research/text/hidden.ts';
import { ResearchError } from '../../research/errors.ts';
import { BlockList, isoDate, maxCharacters, type ReadDocument } from './document.ts';

/** Plain text, Markdown and JSON, as they stand, with the headings that Markdown marks. Linear. */
export function readText(given: string): ReadDocument {
  if (given.slice(0, 10_000).includes('\0'))
    throw new ResearchError('badAnswer', 'It is no text.', { next: 'Use another document.' });
  const text = stripHidden(given.slice(0, maxCharacters)).trim();
  const list = new BlockList();
  let lines: string[] = [];
  let fence: string | undefined;
  const end = (): void => {
    const block = lines.join('\n').trim();
    lines = [];
    const kind = /^(?:```|~~~)/.test(block)
      ? 'code'
      : /^\|.*\|$/m.test(block)
        ? 'table'
        : /^\s*(?:[-*+]|\d+[.)])\s/.test(block)
          ? 'list'
          : 'paragraph';
    list.add(block.startsWith('> ') ? 'quote' : kind, block);
  };
  for (const line of text.split('\n')) {
    const mark = /^(?:`{3,}|~{3,})/.exec(line)?.[0];
    if (fence === undefined && mark !== undefined) {
      end();
      fence = mark;
    } else if (fence !== undefined && mark !== undefined && mark.startsWith(fence)) {
      fence = undefined;
      lines.push(line);
      end();
      continue;
    }
    const heading = fence === undefined ? /^(#{1,6})\s+(\S.*)$/.exec(line.slice(0, 500)) : null;
    if (heading) {
      end();
      list.heading(heading[1]!.length, heading[2]!.replace(/\s#+\s*$/, ''));
    } else if (line.trim() === '' && fence === undefined) end();
    else lines.push(line);
  }
  end();
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
