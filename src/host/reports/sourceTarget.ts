import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { SourceView } from '../../protocol/runView.ts';

const lines = z.object({ path: z.string(), firstLine: z.number(), lastLine: z.number() });
const keptSources = z.array(z.object({ id: z.string(), file: z.optional(lines) }));

/** Where a source that was cited can be looked at. */
export type SourceTarget =
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string; readonly firstLine: number; readonly lastLine: number }
  | { readonly kind: 'none' };

/**
 * Finds the target of a source: a page by its own address (http and https alone), a workspace file by the run's
 * `sources.json`, and only inside of `workspaceFolder`. Whatever the panel sent is no more than an id.
 */
export async function sourceTarget(source: SourceView | undefined, runFolder: string, workspaceFolder: string | undefined): Promise<SourceTarget> {
  if (source?.url !== undefined) return isWebAddress(source.url) ? { kind: 'page', url: source.url } : { kind: 'none' };
  if (!source || workspaceFolder === undefined) return { kind: 'none' };
  const file = await keptFile(runFolder, source.id);
  if (!file) return { kind: 'none' };
  const absolute = path.resolve(workspaceFolder, file.path);
  const relative = path.relative(workspaceFolder, absolute);
  if (relative === '' || relative.startsWith('..') || path.isAbsolute(relative)) return { kind: 'none' };
  return { kind: 'file', path: absolute, firstLine: file.firstLine, lastLine: file.lastLine };
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

async function keptFile(runFolder: string, id: string): Promise<z.infer<typeof lines> | undefined> {
  try {
    const parsed = keptSources.safeParse(JSON.parse(await readFile(path.join(runFolder, 'sources.json'), 'utf8')));
    return parsed.success ? parsed.data.find((source) => source.id === id)?.file : undefined;
  } catch {
    return undefined;
  }
}
