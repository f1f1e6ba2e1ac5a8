import type { Source } from '../../evidence/source.ts';
import type { WorkspaceFacts } from '../../tools.ts';
import type { QuestionInput, Scope } from '../analyst.ts';
import type { Contradiction } from '../../stateSchema.ts';
import { cutToTokens, estimateTokens } from '../../text/estimateTokens.ts';
import { fenced, fencedOrNone, oneLine, questionText } from './fence.ts';
import { bestEntries } from './passages.ts';

/** Values of every prompt. */
export function runValues(scope: Scope): { readonly today: string; readonly language: string } {
  return { today: scope.today, language: languageName(scope.language) };
}

/** "Chinese (zh)"; the tag alone when it is none that is known. */
function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(tag);
    return name === undefined || name === tag ? tag : `${name} (${tag})`;
  } catch {
    return tag;
  }
}

/** A line on how deep the person wants the work to go; "" for the usual depth. */
export function depthLine(scope: Scope, lines: { readonly quick: string; readonly deep: string }): string {
  return scope.limits.depth === 'standard' ? '' : lines[scope.limits.depth];
}

/**
 * The question as it was understood, and the user's own words where they differ.
 * @param tokens Of the prompt's material.
 */
export function questionValues(
  input: QuestionInput,
  tokens: number,
): { readonly question: string; readonly original: string } {
  const question = questionText(input.clarifiedQuestion || input.question, tokens / 2);
  const original = questionText(input.question, tokens / 4);
  const isSame = original === question || input.question === input.clarifiedQuestion;
  return { question, original: isSame ? '' : fencedOrNone('original', original) };
}

/** @param learnt What a look-up gave on terms of the question. */
export function assumptionsBlock(assumptions: readonly string[], learnt: QuestionInput['learnt'] = []): string {
  const found = learnt.map(({ term, summary }) => fenced('lookup', oneLine(summary), { term, outcome: 'found' }));
  return [fencedOrNone('assumptions', bullets(assumptions)), ...found].filter((block) => block !== '').join('\n');
}

/** "topic: one value [S1a2b3]; another value [S4c5d6]". */
export function contradictionLine({ topic, values }: Contradiction): string {
  const sides = values.map(({ text, sources }) => `${text} ${sources.map((id) => `[${id}]`).join('')}`.trim());
  return sides.length === 0 ? topic : `${topic}: ${sides.join('; ')}`;
}

/** What is left of a list when space is short: the entries that bear on the question. */
export function bestBullets(lines: readonly string[], query: string, tokens: number): string {
  const shown = lines.map(oneLine).filter((line) => line !== '');
  return bullets(bestEntries(shown, query, tokens).map((index) => shown[index]!));
}

export function bullets(lines: readonly string[]): string {
  return lines
    .map(oneLine)
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n');
}

/** Of all remarks, in tokens. */
const remarkTokens = 900;

/**
 * The user's own words to a researcher along the way, in their order: the latest in full before any earlier one.
 * @param note What the model does with them.
 * @param tokens Of the prompt's material.
 */
export function remarksBlock(remarks: readonly string[] = [], note: string, tokens: number): string {
  let left = Math.min(remarkTokens, Math.floor(tokens / 6));
  const shown: string[] = [];
  for (const remark of remarks.toReversed()) {
    if (left < 20) break;
    const text = cutToTokens(oneLine(remark), left);
    left -= estimateTokens(text);
    shown.unshift(text);
  }
  const dropped = remarks.length - shown.length;
  const lines = [...(dropped > 0 ? [`(${dropped} earlier remarks are not shown)`] : []), ...shown];
  return fencedOrNone('remarks', lines.length === 0 ? '' : `${note}\n${bullets(lines)}`);
}

/** Tokens of material from which on the workspace is described in full. */
const ample = 6_000;

/**
 * What the person's workspace is about, in a few lines, and what the person attached to the question.
 * @param tokens Of the prompt's material: with little of it the lists are short.
 */
export function workspaceBlock(facts: WorkspaceFacts | undefined, tokens: number): string {
  return [attachedBlock(facts, tokens), folderBlock(facts, tokens)].filter((block) => block !== '').join('\n\n');
}

/** The beginnings of the attached documents. Their passages come with the sources of each section. */
function attachedBlock({ attached = [] }: Partial<Pick<WorkspaceFacts, 'attached'>> = {}, tokens: number): string {
  const documents = attached.map(
    ({ id, title, beginning }) => `[${id}] ${oneLine(title)}${beginning === '' ? '' : `\n${beginning.trim()} […]`}`,
  );
  const note =
    'The person attached these documents. They are sources of every section already and come first: "this document" means them.';
  return documents.length === 0
    ? ''
    : fenced('attached', cutToTokens(`${note}\n\n${documents.join('\n\n')}`, Math.max(200, Math.floor(tokens / 4))));
}

function folderBlock(facts: WorkspaceFacts | undefined, tokens: number): string {
  if (facts === undefined || tokens < ample / 20) return '';
  const { openFile, earlierQuestion } = facts;
  const around = [
    openFile === undefined ? '' : `Open in the editor ("this file", "this code"): ${oneLine(openFile)}`,
    earlierQuestion === undefined
      ? ''
      : `The question that they asked before: ${oneLine(earlierQuestion).slice(0, 300)}`,
  ].filter((part) => part !== '');
  if (facts.fileCount === 0) return fencedOrNone('workspace', around.join('\n'));
  const line = (label: string, values: readonly string[], usual: number) => {
    const most = Math.ceil(usual * Math.min(1, tokens / ample));
    if (values.length === 0) return '';
    return `${label}: ${values.slice(0, most).map(oneLine).join(', ')}${values.length > most ? ', …' : ''}`;
  };
  return fencedOrNone(
    'workspace',
    [
      `The person works in the folder "${oneLine(facts.name)}" (${facts.fileCount} files).`,
      line('Public repositories', facts.repos, 5),
      line('Languages', facts.languages, 6),
      line('Packages', facts.packages, 25),
      line('Cited arXiv papers', facts.arxivIds, 20),
      line('Linked repositories', facts.githubLinks, 20),
      ...around,
    ]
      .filter((part) => part !== '')
      .join('\n'),
  );
}

/** A source id as models write it: with brackets, spaces, in other cases, or as the whole marker. */
export function sourceIdIn(text: string): string | undefined {
  const id = /\bS([0-9a-f]{5,64})\b/i.exec(text)?.[1];
  return id === undefined ? undefined : `S${id.toLowerCase()}`;
}

/** A shorter text than this is in too many titles, in UTF-16 units. */
const leastTitle = 8;

/** The source that a model refers to: by its id, its place among the sources of the prompt, its title or its address. */
export function sourceNamed(reference: string, sources: readonly Source[]): Source | undefined {
  const id = sourceIdIn(reference) ?? `S${/\b[0-9a-f]{5,64}\b/i.exec(reference)?.[0].toLowerCase() ?? ''}`;
  const byId = sources.find((source) => source.id === id);
  if (byId) return byId;
  const place = /^\D{0,12}(\d{1,3})\D{0,3}$/.exec(reference)?.[1];
  if (place !== undefined) return sources[Number(place) - 1];
  const wanted = lettersOf(reference);
  // "Scaling laws" is a title too, and the beginning of another one.
  let named: { readonly source: Source; readonly length: number } | undefined;
  for (const source of sources)
    for (const { length } of [source.title, source.url ?? ''].map(lettersOf).filter((name) => wanted.includes(name)))
      if (length >= leastTitle && length > (named?.length ?? 0)) named = { source, length };
  return named?.source;
}

export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
