import { append, wordsOf, type Inline } from '../../markdown/tree.ts';
import { isDocument } from '../../protocol/isDocument.ts';
import { longestName, longestTitle, plainDate, plainText } from '../evidence/metadata.ts';
import { inertLine, literalNodes, safeUrl } from '../evidence/neutralize.ts';
import type { Source } from '../evidence/source.ts';
import type { Texts } from '../languages/texts.ts';

/**
 * One item of the references, behind the mark of its list: `[3] Title. Authors, date. URL. Retrieved DATE`; of a retracted paper
 * `[3] Title. RETRACTED. …`.
 */
export function reference(
  number: number,
  source: Source,
  { retrieved, standing }: Pick<Texts['report'], 'retrieved'> & Partial<Pick<Texts['report'], 'standing'>>,
  toWorkspace?: string,
): Inline[] {
  const authors = source.authors.slice(0, 3).map((name) => literalNodes(plainText(name, longestName), 'drop'));
  const by = joined(
    authors.filter((name) => name.length > 0),
    ', ',
  );
  if (by.length > 0 && source.authors.length > 3) append(by, { type: 'text', text: ' et al.' });
  // A file's date is that of its last change on this disk: no date of publication.
  const date = source.file ? undefined : plainDate(source.date);
  const parts = [
    titleOf(source),
    source.standing && standing ? [{ type: 'text', text: standing[source.standing] }] : [],
    joined(date === undefined ? [by] : [by, [{ type: 'text', text: date }]], ', '),
    placeOf(source, toWorkspace),
    [{ type: 'text', text: `${retrieved} ${plainDate(source.retrievedAt) ?? ''}`.trim() }],
  ] satisfies Inline[][];
  return [
    { type: 'citation', number, isTarget: true },
    ...joined([[{ type: 'text', text: ' ' }, ...joined(parts.map(withoutStop), '. ')]], ''),
  ];
}

function titleOf(source: Source): Inline[] {
  const nodes = literalNodes(plainText(source.title, longestTitle), 'drop');
  return /[\p{L}\p{N}]/u.test(wordsOf(nodes)) ? nodes : [{ type: 'text', text: source.id }];
}

function placeOf({ file, url }: Source, toWorkspace: string | undefined): Inline[] {
  if (file) {
    // Of a notebook or PDF they are those of the text that was read of it: its own would be others.
    const lines = `#L${file.firstLine}-L${file.lastLine}`;
    const shown = fileNodes(inertLine(file.path) + lines);
    const isLinked = toWorkspace !== undefined && isBelow(file.path);
    const path = isLinked ? `${toWorkspace}/${file.path}`.replace(/^\//, '') : '';
    const steps = path.split('/').map((step) => encodeURIComponent(step.toWellFormed()));
    return path === ''
      ? shown
      : [{ type: 'link', href: steps.join('/') + (isDocument(file.path) ? '' : lines), children: shown }];
  }
  const address = url === undefined ? undefined : safeUrl(url);
  return address === undefined ? [] : [{ type: 'link', href: address, children: [] }];
}

/** Whether a path stays in its folder, on any system: one from the files of a run that was copied may not. */
function isBelow(path: string): boolean {
  return !/^(?:[a-z]:|[\\/])/i.test(path) && !path.split(/[\\/]/).includes('..');
}

/** The path as it is, unless a renderer could take a part of it for an address. */
function fileNodes(path: string): Inline[] {
  const isAddress = /[a-z][a-z0-9+.-]{0,30}:|\/\/|\bwww\.|@/i.test(path);
  return [{ type: isAddress ? 'code' : 'text', text: path }];
}

function withoutStop(nodes: readonly Inline[]): Inline[] {
  const last = nodes.at(-1);
  return last?.type === 'text' ? [...nodes.slice(0, -1), { ...last, text: last.text.replace(/\.$/, '') }] : [...nodes];
}

function joined(parts: readonly (readonly Inline[])[], separator: string): Inline[] {
  const all: Inline[] = [];
  for (const part of parts) {
    if (part.length === 0) continue;
    if (all.length > 0) append(all, { type: 'text', text: separator });
    for (const node of part) append(all, node);
  }
  return all;
}
