import path from 'node:path';
import { isInside } from '../../files/isInside.ts';
import type { SourceView } from '../../protocol/runView.ts';

/** Where a cited source can be opened. */
export type SourceTarget =
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string; readonly firstLine: number; readonly lastLine: number }
  | { readonly kind: 'none' };

/**
 * A page by http and https alone, a file only inside of `workspaceFolder`: what a run found is never more than data.
 */
export function sourceTarget(source: SourceView | undefined, workspaceFolder: string | undefined): SourceTarget {
  if (source?.url !== undefined) return isWebAddress(source.url) ? { kind: 'page', url: source.url } : { kind: 'none' };
  if (source?.file === undefined || workspaceFolder === undefined) return { kind: 'none' };
  const { path: below, firstLine, lastLine } = source.file;
  const absolute = path.resolve(workspaceFolder, below);
  if (!isInside(workspaceFolder, absolute)) return { kind: 'none' };
  return { kind: 'file', path: absolute, firstLine, lastLine };
}

export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
