import { maxSections } from '../../protocol/planBounds.ts';
import type { RewrittenPart } from '../../protocol/reportVersion.ts';
import type { Claim } from '../evidence/statement.ts';
import { textsIn } from '../languages/texts.ts';
import type { WrittenChange } from '../ports.ts';
import type { RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';
import type { RenderedReport } from './renderReport.ts';

/** Undefined for a report of its own, and for an answer. */
export function changeOf(
  run: RunContext,
  state: ResearchStateType,
  rendered: RenderedReport,
  claims: readonly Claim[],
  more: Pick<WrittenChange, 'refreshed' | 'judged'>,
): WrittenChange | undefined {
  const { change } = state;
  if (change === undefined || change.as === 'answer') return undefined;
  const { title, markdown, order, sections } = rendered;
  const parts = change.as === 'rewrite' ? rewrittenParts(run, state, rendered) : undefined;
  return { as: change.as, target: change.target, title, markdown, order, sections, claims, parts, ...more };
}

/** The parts of the parent's report, as far as they are planned. What its searches left open, and its news, are written by no rewrite. */
function rewrittenParts(
  { parent }: RunContext,
  { sections, language }: ResearchStateType,
  { sections: written, filled, markdown }: RenderedReport,
): RewrittenPart[] {
  const [was, is] = [textsIn(parent!.language, 'report'), textsIn(language, 'report')];
  const part = (of: (texts: typeof was) => string, isWritten = false) => ({ was: of(was), is: of(is), isWritten });
  return [
    { was: '', is: '', isWritten: filled.has('summary') },
    ...sections.flatMap(({ id }, index) => {
      const before = parent!.sections[Number(id.slice(1)) - 1];
      const heading = /^## (.*)/.exec(written[index]!)?.[1]?.trim();
      const isWritten = heading === undefined || filled.has(id);
      return before ? [{ was: before.title, is: heading ?? before.title, isWritten }] : [];
    }),
    // More than a plan has.
    ...parent!.sections.slice(maxSections).map(({ title }) => ({ was: title, is: title, isWritten: false })),
    part(({ analysis }) => analysis, markdown.includes(`\n## ${is.analysis}\n`)),
    part(({ conclusion }) => conclusion, filled.has('conclusion') || was !== is),
    part(({ disagree }) => disagree.heading),
    part(({ notAnswered }) => notAnswered),
    part(({ refresh }) => refresh.heading),
  ];
}
