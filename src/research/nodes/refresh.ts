import { Command } from '@langchain/langgraph';
import type { PlannedSection } from '../analyst/analyst.ts';
import { freeName } from '../../protocol/freeName.ts';
import { fillText } from '../../protocol/fillText.ts';
import { textsIn } from '../languages/texts.ts';
import { numbered } from '../plan/boundedPlan.ts';
import { proposalOf, shown } from '../plan/proposal.ts';
import type { Route } from '../routes.ts';
import type { RunContext } from '../run/runContext.ts';
import { unanalyzed } from '../stateSchema.ts';
import { pendingSections, singlePlan } from './plan.ts';

/** A section, and the sources that it begins with. */
type Begun = readonly [section: PlannedSection, sources: readonly string[]];

/** Sections whose sources changed are written again from their text of today, and one says what is new. Without a model neither is. */
export function refreshRoute(run: RunContext): Route<'followUp'> {
  const { language, question } = run.parent!;
  const strategy = 'short';
  const decision = 'START_RESEARCH';
  run.emit({ type: 'run/strategy', strategy, why: run.texts.strategies.refresh });
  const begun = run.analyst.kind === 'llm' ? [...changedSections(run), newSection(run)] : [];
  const plan = singlePlan({ originalQuery: question, clarifiedQuery: question });
  const outline = numbered({ ...plan, sections: begun.map(([section]) => section) });
  if (begun.length > 0) {
    const proposed = proposalOf(run, outline, { strategy, focus: [], planRemarks: [], decision });
    run.emit({ type: 'plan/approved', ...shown(proposed) });
  }
  const sections = pendingSections(outline.sections, []).map((section, index) => ({
    ...section,
    sourceIds: begun[index]![1],
  }));
  return new Command({
    update: {
      ...{ clarifiedQuery: question, language, decision, strategy, analysis: unanalyzed, outline, sections },
      change: { as: 'refresh', target: '' },
    },
    goto: sections.length > 0 ? 'dispatch' : 'report',
  });
}

/** Those with words that a source has no more, with all that they cite. */
function changedSections({ looks = [], parent }: RunContext): readonly Begun[] {
  const titles = parent!.sections.map(({ title }) => title);
  return titles
    .filter((title) => looks.some(({ lost }) => lost.includes(title)))
    .map((title) => {
      const cited = looks.filter(({ passages }) => passages.some(({ section }) => section === title));
      const ids = cited.flatMap(({ source, now }) => (now.length > 0 ? now : [source]));
      const description = `${title}: ${parent!.question}`;
      return [{ id: '', title, description, queries: [], sources: [] }, [...new Set(ids)]];
    });
}

function newSection({ parent }: RunContext): Begun {
  const { question, language, refresh, sections } = parent!;
  const { since } = refresh!;
  const name = fillText(textsIn(language, 'report').refresh.newSince, { since });
  // A report that is looked at twice in a day has such a section already.
  const title = freeName(name, (one) => sections.some((section) => section.title === one));
  const description = `What was published or has changed since ${since}, about: ${question}`;
  return [{ id: '', title, description, queries: [question] }, []];
}
