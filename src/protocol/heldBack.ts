/** Kind of a document that the user attached to the question. */
export const attachedKind = 'attached';

/**
 * True for a source whose passages are in no file that leaves the machine with a report: what was attached from outside of the folder; and
 * the folder's files and commits, unless a model may read them.
 *
 * @param forModel The setting `workspace.forModel`.
 */
export function isHeldBack(
  source: { readonly kind: string; readonly file?: unknown; readonly isPrivate?: boolean | undefined },
  forModel: unknown,
): boolean {
  const { kind, file, isPrivate = false } = source;
  if (kind === attachedKind && file === undefined) return true;
  return (file !== undefined || isPrivate) && forModel !== 'content';
}
