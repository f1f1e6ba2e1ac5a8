import * as z from 'zod';
import { ResearchError } from '../../research/errors.ts';
import { plainText } from '../../research/evidence/metadata.ts';
import type { ResearchTool } from '../../research/tools.ts';
import { toolResult } from '../toolArguments.ts';
import { readInputSchema } from './inputSchema.ts';
import { documentsOf, type OutsideAnswer } from './outsideDocuments.ts';

/** A tool from outside: of an MCP server, or of the editor. */
export interface OutsideFunction {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, as its maker wrote it. */
  readonly inputSchema: unknown;
  /** Its maker says that a call changes nothing. */
  readonly isReadOnly: boolean;
  call(
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<OutsideAnswer & { readonly warnings?: readonly string[] }>;
}

/** Names that models accept have 64 characters at most. */
const longestName = 60;
const longestDescription = 800;
const longestError = 300;

/**
 * The tools of one server, under plain names that no other tool has. One with which code may search, and that takes the words of a search
 * and needs nothing else, becomes a search with a `query`; any other is for a model to call.
 *
 * @param server Name by which the user knows it; of letters, digits, `-` and `_`.
 * @param hint What the user says about using it; may be empty.
 * @param taken Names in use; those that are given are added.
 * @param isSearch Whether the user named the tool as a search, with which code may search too.
 */
export function outsideTools(
  server: string,
  functions: readonly OutsideFunction[],
  hint: string,
  taken: Set<string>,
  isSearch: (one: OutsideFunction) => boolean,
): ResearchTool[] {
  return functions.map((one, index) => outsideTool(server, one, index === 0 ? hint : '', taken, isSearch));
}

function outsideTool(
  server: string,
  one: OutsideFunction,
  hint: string,
  taken: Set<string>,
  isSearch: (one: OutsideFunction) => boolean,
): ResearchTool {
  const { parameters, queryName: words } = readInputSchema(one.inputSchema);
  const queryName = isSearch(one) ? words : undefined;
  const about = plainText(one.description, longestDescription);
  const name = freeName(`${server}_${one.name}`, taken);
  const shown = [about || `${name}.`, `(From ${server}.)`, hint === '' ? '' : `The user says: ${hint}`];
  return {
    name,
    description: shown.filter((part) => part !== '').join(' '),
    parameters: queryName === undefined ? parameters : withQuery(parameters, queryName),
    source: server,
    kind: queryName === undefined ? 'read' : 'search',
    ...(one.isReadOnly ? {} : { hasEffects: true }),
    async run(given, _context, signal) {
      const { query, ...rest } = given;
      const args = queryName === undefined || queryName === 'query' ? given : { ...rest, [queryName]: query };
      const answer = await one.call(args, signal);
      if (answer.isError === true) {
        const said = plainText(answer.texts.join(' '), longestError);
        throw new ResearchError('badRequest', `${server} reports an error: ${said || 'it gives no reason'}.`, {
          next: 'Correct the arguments, or use another tool.',
        });
      }
      const documents = documentsOf(answer, titleOf(server, plainText(one.name, longestName), args));
      const { dropped = 0, warnings = [] } = answer;
      const nothing = documents.length === 0 ? `${server} found nothing.` : '';
      const left = dropped > 0 ? `${dropped} parts that are no text were left out.` : '';
      return toolResult(documents, [nothing, left], warnings);
    },
  };
}

/** The parameter for the words of a search is called `query` everywhere, so that a search without a model can use it. */
function withQuery(parameters: z.ZodObject, queryName: string): z.ZodObject {
  const { [queryName]: query, ...rest } = parameters.shape as Record<string, z.ZodType>;
  return z.object({
    query: z
      .string()
      .min(1)
      .describe(query?.description ?? 'Words to search for.'),
    ...rest,
  });
}

/** Plain letters, digits and `_`; with a number when it is taken. */
function freeName(wanted: string, taken: Set<string>): string {
  const plain = wanted
    .normalize('NFKC')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/_{2,}/g, '_')
    .slice(0, longestName);
  const base = /^[A-Za-z]/.test(plain) ? plain : `t_${plain}`.slice(0, longestName);
  let name = base;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${base.slice(0, longestName - 4)}_${number}`;
  taken.add(name.toLowerCase());
  return name;
}

/** What a result without a title of its own is called. */
function titleOf(server: string, tool: string, args: Readonly<Record<string, unknown>>): string {
  const values = Object.values(args).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return `${server}: ${tool} ${values.join(' ')}`.slice(0, 200).trim();
}
