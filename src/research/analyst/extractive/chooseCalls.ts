import type { ActInput, Scope, Turn } from '../analyst.ts';
import { type ChosenCall, type ResearchTool, sourceTraits } from '../../tools.ts';
import { readQuery } from '../../text/query.ts';
import { asksFor } from './asksFor.ts';
import { isPart } from './planSections.ts';

/** Passages of one search on this machine. */
const nearResults = { answer: 8, side: 4, parts: 20 } as const;
/** Of them, what is worth less than this share of the best is about something else (measured on `test/eval/keyless/dev`). */
const leastShare = 0.62;
/** The parts of a subject are found among more, and each picks what stands in its document. */
const leastShareOfParts = 0.2;
/** A service matches words, not sentences: more of them find less. */
const mostFarWords = 6;
/** Found documents that are opened, of each source. */
const opened = { quick: 1, standard: 2, deep: 4 } as const;

/** The whole question to the user's own files, its words to services; then the best of what was found opened; then the end. */
export function chooseCalls(input: ActInput, { source, limits, language }: Scope): Turn {
  const calls = callsOf(input, language).slice(0, Math.max(0, input.callsLeft));
  const opening = input.turn === 1 ? openings(input, source, opened[limits.depth]) : [];
  return {
    said: '',
    calls: [...calls, ...opening].slice(0, Math.max(0, input.callsLeft)).map(({ name, args }, index) => ({
      id: `call-${input.turn}-${index}`,
      name,
      args,
    })),
  };
}

function callsOf(input: ActInput, language: string): ChosenCall[] {
  if (input.turn > 0) return [];
  const query = input.task.queries[0] ?? input.question;
  const { sides } = asksFor(query, language);
  const searches = input.tools.filter(({ kind }) => kind === 'search');
  const near = searches.filter(({ traits }) => traits?.isLocal);
  return [
    ...near.map((tool) =>
      input.role === 'discoverer' || isPart(input.task)
        ? nearSearch(tool, query, nearResults.parts, leastShareOfParts)
        : nearSearch(tool, query, nearResults.answer),
    ),
    ...near.flatMap((tool) => sides.map((side) => nearSearch(tool, `${side} ${query}`, nearResults.side))),
    // The parts of a subject are those that the user's own files name.
    ...(input.role === 'discoverer' ? [] : searches)
      .filter((tool) => !near.includes(tool))
      .flatMap((tool) => {
        const fitted = farQuery(tool, query, language);
        return fitted === '' ? [] : [{ name: tool.name, args: { query: fitted } }];
      }),
  ];
}

function nearSearch(tool: ResearchTool, query: string, results: number, share = leastShare): ChosenCall {
  const known = tool.parameters.shape;
  return {
    name: tool.name,
    args: {
      query,
      ...('max_results' in known ? { max_results: results } : {}),
      ...('least_share' in known ? { least_share: share } : {}),
    },
  };
}

function farQuery({ traits }: ResearchTool, query: string, language: string): string {
  const words = readQuery(query, language)
    .words.filter(({ weight }) => weight === 1)
    .map(({ word }) => word);
  const subject = words.slice(0, mostFarWords).join(' ');
  const isLatin = !/(?!\p{Script=Latin})\p{L}/u.test(subject);
  return traits?.fitQuery?.({ text: subject, subject, englishSubject: isLatin ? subject : '' }) ?? subject;
}

function openings(input: ActInput, sourceOf: Scope['source'], most: number): ChosenCall[] {
  const found = [...new Set(input.gathered.flatMap(({ sources }) => sources))]
    .map(sourceOf)
    .filter((one) => one !== undefined);
  const failed = new Set(input.gathered.filter(({ error }) => error !== undefined).map(({ call }) => call.name));
  return sourceTraits(input.tools.filter(({ kind, name }) => kind === 'read' && !failed.has(name)))
    .flatMap((traits) => traits.open?.(found, input.workspace).slice(0, most) ?? [])
    .filter(({ name }) => input.tools.some((tool) => tool.name === name));
}
