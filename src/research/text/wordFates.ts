import * as z from 'zod';
import type { Warning } from '../languages/warning.ts';

/** What the texts of a source know of a word of a query. */
export const wordFate = z.object({
  word: z.string().max(200),
  /** `near`: only forms and compounds of it occur; `corrected`: only a word that is spelt alike. */
  fate: z.enum(['held', 'near', 'corrected', 'missing']),
  /** Its rarity: 1 for a word that no passage has, near 0 for one that all have. */
  weight: z.number().optional(),
  /** Of a `corrected` one: the terms that it is read as. */
  as: z.array(z.string().max(200)).readonly().optional(),
});
export const wordFates = z.array(wordFate).max(500);
export type WordFate = z.infer<typeof wordFate>;

/** How far a search of a folder got. */
export const folderReach = z.object({
  files: z.number(),
  /** Files that were searched in full; the others were searched for the words of the query alone. */
  indexed: z.number(),
  /** Files that were not searched: documents, and what a user did not wait for. */
  unread: z.number(),
  /** The folder has more files than were listed. */
  isCut: z.boolean(),
});
export type FolderReach = z.infer<typeof folderReach>;

/** What a search of the folder left out. */
export function gapsOf({ files, indexed, unread, isCut }: FolderReach): readonly Warning[] {
  const scanned = files - indexed - unread;
  return [
    ...(scanned > 0 ? [{ kind: 'folder.scanned', scanned, files } as const] : []),
    ...(unread > 0 ? [{ kind: 'folder.unread', unread, files } as const] : []),
    ...(isCut ? [{ kind: 'folder.cut', files } as const] : []),
  ];
}
