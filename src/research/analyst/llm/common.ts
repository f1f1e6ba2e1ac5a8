import type * as z from 'zod';
import { ResearchError } from '../../errors.ts';
import type { WorkspaceFacts } from '../../tools.ts';
import type { QuestionInput, Scope } from '../analyst.ts';
import { fencedOrNone, oneLine, questionText } from './fence.ts';
import { jsonSchemaOf } from './fields.ts';

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

export function schemaText(schema: z.ZodType): string {
  return JSON.stringify(jsonSchemaOf(schema));
}

/** The question as it was understood, and the user's own words where they differ. */
export function questionValues(input: QuestionInput): { readonly question: string; readonly original: string } {
  const question = questionText(input.clarifiedQuestion || input.question);
  const original = questionText(input.question);
  return { question, original: original === question ? '' : fencedOrNone('original', input.question.slice(0, 4_000)) };
}

export function assumptionsBlock(assumptions: readonly string[]): string {
  return fencedOrNone('assumptions', bullets(assumptions));
}

export function bullets(lines: readonly string[]): string {
  return lines
    .map(oneLine)
    .filter((line) => line !== '')
    .map((line) => `- ${line}`)
    .join('\n');
}

/** What the person's workspace is about, in a few lines. */
export function workspaceBlock(facts: WorkspaceFacts | undefined): string {
  if (facts === undefined || facts.fileCount === 0) return '';
  const line = (label: string, values: readonly string[], most: number) =>
    values.length === 0
      ? ''
      : `${label}: ${values.slice(0, most).map(oneLine).join(', ')}${values.length > most ? ', …' : ''}`;
  return fencedOrNone(
    'workspace',
    [
      `The person works in the folder "${oneLine(facts.name)}" (${facts.fileCount} files).`,
      line('Public repositories', facts.repos, 5),
      line('Languages', facts.languages, 6),
      line('Packages', facts.packages, 25),
      line('Cited arXiv papers', facts.arxivIds, 20),
      line('Linked repositories', facts.githubLinks, 20),
    ]
      .filter((part) => part !== '')
      .join('\n'),
  );
}

/** Tokens that a prompt reserves for its fixed text and the answer. */
const reserved = 6_000;

/** Tokens of material that fit into the context window of a role's model beside `fixed` tokens of prompt. */
export async function materialTokens(
  scope: Scope,
  role: Parameters<Scope['contextTokens']>[0],
  fixed = 0,
): Promise<number> {
  const window = await scope.contextTokens(role);
  const answer = scope.limits.maxTokens[role] ?? Math.min(reserved, Math.floor(window / 4));
  return Math.max(300, Math.floor((window - answer - fixed) * 0.8) - Math.min(2_000, Math.floor(window / 6)));
}

/** Share of the material that is left at each further try. */
const lessShares = [1, 0.5, 0.25, 0.1] as const;

/**
 * Tries a step with less and less material while the model says that the prompt is too long. `suffix` makes the labels of
 * the tries differ.
 */
export async function withLess<T>(material: number, step: (tokens: number, suffix: string) => Promise<T>): Promise<T> {
  for (const [index, share] of lessShares.entries()) {
    try {
      return await step(Math.max(200, Math.floor(material * share)), index === 0 ? '' : `/less/${index}`);
    } catch (error) {
      if (!ResearchError.is(error, 'contextLength') || index === lessShares.length - 1) throw error;
    }
  }
  throw new Error('Unreachable: the last try returns or throws.');
}

/** A source id as models write it: with brackets, spaces, in other cases, or as the whole marker. */
export function sourceIdIn(text: string): string | undefined {
  const id = /\bS([0-9a-f]{5,64})\b/i.exec(text)?.[1];
  return id === undefined ? undefined : `S${id.toLowerCase()}`;
}
