import * as z from 'zod';
import { Slices } from '../../research/calls/slices.ts';
import { commentText } from './commentText.ts';

const nullableText = z.string().nullish();

/** One item of the tree at `/api/v1/items/ID`. Its children are parsed one by one: a thread may be nested to any depth. */
export const threadItem = z.object({
  id: z.int(),
  author: nullableText,
  title: nullableText,
  url: nullableText,
  text: nullableText,
  points: z.number().nullish(),
  created_at: nullableText,
  children: z.array(z.unknown()).nullish(),
});
export type ThreadItem = z.infer<typeof threadItem>;

/** Comments of a thread that are read at most; those with the fewest answers between them and the story come first. */
const maxComments = 400;
/** Answers to answers below this level are not read: few are about the story. */
const maxDepth = 8;
/** In UTF-16 units. */
const maxText = 300_000;

interface Comment {
  readonly item: ThreadItem;
  readonly parent: string | undefined;
  readonly answers: Comment[];
}

/**
 * The comments of an item as Markdown: each under a heading with its author and date, so that a passage always says whose words
 * it holds. Deleted comments are left out, their answers stay. Linear in the answer's length, whatever its nesting.
 */
export async function threadText(
  root: ThreadItem,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly comments: number; readonly isCut: boolean }> {
  const slices = new Slices(signal);
  const { comments, isCut } = await readComments(root, slices);
  const parts: string[] = [];
  let length = 0;
  let written = 0;
  const open = comments.toReversed();
  while (open.length > 0) {
    await slices.next();
    const { item, parent, answers } = open.pop()!;
    for (const one of answers.toReversed()) open.push(one);
    const said = commentText(item.text ?? '');
    if (said === '') continue;
    const part = `${headingOf(item, parent)}\n\n${said}`;
    if (length + part.length > maxText) return { text: parts.join('\n\n'), comments: written, isCut: true };
    parts.push(part);
    length += part.length;
    written += 1;
  }
  return { text: parts.join('\n\n'), comments: written, isCut };
}

/** The comments to be read as a tree, chosen level by level. */
async function readComments(
  root: ThreadItem,
  slices: Slices,
): Promise<{ readonly comments: readonly Comment[]; readonly isCut: boolean }> {
  const top: Comment = { item: root, parent: undefined, answers: [] };
  let level: readonly Comment[] = [top];
  let left = maxComments;
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const next: Comment[] = [];
    for (const above of level) {
      for (const child of above.item.children ?? []) {
        if (left === 0) return { comments: top.answers, isCut: true };
        await slices.next();
        const { data: item } = threadItem.safeParse(child);
        if (item === undefined) continue;
        left -= 1;
        const comment: Comment = { item, parent: above === top ? undefined : nameOf(above.item), answers: [] };
        above.answers.push(comment);
        next.push(comment);
      }
    }
    level = next;
  }
  return { comments: top.answers, isCut: level.some(({ item }) => (item.children ?? []).length > 0) };
}

function headingOf(item: ThreadItem, parent: string | undefined): string {
  const date = item.created_at?.slice(0, 10) ?? '';
  const day = /^\d{4}-\d{2}-\d{2}$/.test(date) ? `, ${date}` : '';
  return `## ${nameOf(item)}${day}${parent === undefined ? '' : `, in reply to ${parent}`}`;
}

/** Names of accounts are letters, digits, `-` and `_`; anything else is not written into a heading. */
function nameOf({ author }: ThreadItem): string {
  return /^[\w-]{1,40}$/.test(author ?? '') ? author! : 'somebody';
}
