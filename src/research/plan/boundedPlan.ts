import { largest } from '../../protocol/numbers.ts';
import { strategyOf } from '../../protocol/strategy.ts';
import { oneLine, stripHidden } from '../../markdown/hidden.ts';
import { estimatePlan } from '../../protocol/planEstimate.ts';
import { freeName } from '../../protocol/freeName.ts';
import { longest, maxFocus, maxSections } from '../../protocol/planBounds.ts';
import type { EditedPlan, PlanRemark, ProposedPlan } from '../../protocol/ports.ts';
import { briefId } from '../../protocol/reduceRun.ts';
import type { Plan, PlannedSection } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';

/** Queries of a section at most. */
const maxQueries = 10;

type PlanText = Pick<Plan, 'title' | 'sections'>;

/** A plan as it can be researched: ids by position, and its texts as {@link cleaned} leaves them. Idempotent. */
export function numbered<P extends PlanText>(plan: P): P {
  return cleaned({ ...plan, sections: plan.sections.map((section, index) => ({ ...section, id: `s${index + 1}` })) });
}

/** One line a title, none empty and none twice, texts cut, at most 30 sections. */
function cleaned<P extends PlanText>(plan: P): P {
  const taken = new Set<string>();
  const sections = plan.sections.slice(0, maxSections).map((section, index): PlannedSection => {
    const description = cut(stripHidden(section.description).trim(), longest.description);
    const bare = line(section.title, longest.title) || line(description, 80) || `Section ${index + 1}`;
    const title = freeName(bare, (name) => taken.has(name.toLowerCase()));
    taken.add(title.toLowerCase());
    const queries = texts(section.queries, maxQueries, longest.query);
    const { sources, depth } = section;
    return {
      ...{ id: section.id, title, description, queries },
      ...(sources === undefined ? {} : { sources }),
      ...(depth === undefined ? {} : { depth }),
    };
  });
  return { ...plan, title: line(plan.title, longest.title), sections };
}

/**
 * A model's plan within its bounds: of more sections than wanted, neighbours are merged, so that nothing that was planned is lost. Two
 * sections stay two.
 * @param language BCP 47, of the joined titles.
 */
export function merged<P extends PlanText>(plan: P, most: number, language: string): P {
  const { sections } = plan;
  if (sections.length <= most) return plan;
  const join = new Intl.ListFormat(language, { type: 'conjunction' });
  const groups = Array.from({ length: most }, (_, index) => {
    const from = Math.floor((index * sections.length) / most);
    return sections.slice(from, Math.floor(((index + 1) * sections.length) / most));
  });
  const joined = groups.map((group): PlannedSection => {
    const [first] = group;
    if (group.length === 1) return first!;
    return {
      ...first!,
      title: join.format(group.map(({ title }) => cut(title, 90))),
      description: group.map(({ title, description }) => `${title}: ${description}`).join('\n'),
      // The first query of each before the second of any.
      queries: [0, 1].flatMap((rank) => group.flatMap(({ queries }) => queries[rank] ?? [])).slice(0, 6),
    };
  });
  return { ...plan, sections: joined };
}

/** Gives each section, one after the other, the queries that no section before it has. */
export function ownQueries(): (section: Pick<PlannedSection, 'queries'>) => string[] {
  const taken = new Set<string>();
  return ({ queries }) => {
    const own = queries.filter((query) => !taken.has(query.trim().toLowerCase()));
    for (const query of own) taken.add(query.trim().toLowerCase());
    return own;
  };
}

/** What was answered to a proposed plan: the plan that runs, or what to make another one by. */
export type PlanDecision =
  | { readonly plan: ProposedPlan }
  | { readonly another: Pick<PlanRemark, 'remark' | 'as'> & Pick<ProposedPlan, 'focus' | 'strategy'> };

function isRemark(answer: EditedPlan | PlanRemark): answer is PlanRemark {
  return 'remark' in answer;
}

/**
 * Reads the answer to a proposed plan. A brief whose strategy was changed to one with a plan needs that first. Throws `config` for a
 * plan without sections, and for sections that may search none of the run's sources.
 */
export function decided(proposed: ProposedPlan, answer: EditedPlan | PlanRemark): PlanDecision {
  const strategy = answer.strategy ?? proposed.strategy;
  const focus = answer.focus === undefined ? proposed.focus : texts(answer.focus, maxFocus, longest.focus);
  const needsPlan = isBrief(proposed) && strategyOf(strategy).planner !== 'brief';
  if (isRemark(answer) || needsPlan) {
    const remark = isRemark(answer) ? cut(stripHidden(answer.remark).trim(), longest.remark) : '';
    const as = isRemark(answer) ? answer.as : undefined;
    return { another: { remark, focus, strategy, ...(as && { as }) } };
  }
  return { plan: { ...approvedPlan(proposed, answer), strategy, focus } };
}

/**
 * The plan that runs, from the user's edit of the proposed one: numbered, each section with the queries that still fit it. The edit
 * of a brief becomes its text. What is shown as approved, journalled and researched is this one plan.
 */
function approvedPlan(proposed: ProposedPlan, edited: EditedPlan): ProposedPlan {
  if (edited.sections.length === 0) {
    throw new ResearchError('config', 'The approved plan has no sections, so there is nothing to research.', {
      next: 'Approve a plan of 1 to 30 sections.',
    });
  }
  const title = line(edited.title ?? '', longest.title) || proposed.title;
  const [brief] = proposed.sections;
  if (brief && isBrief(proposed)) {
    const description = edited.sections.map((section) => section.description.trim() || section.title).join('\n\n');
    return { ...proposed, title, sections: [{ ...brief, description: cut(description, longest.brief) }] };
  }
  const before = new Map(proposed.sections.map((section) => [section.id, section]));
  const sections = edited.sections.map((section): PlannedSection => {
    const { id, title: heading, description = '' } = section;
    const known = before.get(id);
    // The queries of a section that was changed no longer fit it.
    const isSame = known?.title === heading && known.description === description;
    const { queries = [] } = section;
    const isStale = !isSame && queries.join('\n') === known?.queries.join('\n');
    const sources = chosenSources(section.sources, proposed.basis.sources);
    return {
      ...{ id, title: heading, description, queries: isSame ? known.queries : isStale ? [] : queries },
      ...(sources === undefined ? {} : { sources }),
      ...(section.depth === undefined || section.depth === proposed.basis.depth ? {} : { depth: section.depth }),
    };
  });
  const plan = cleaned({ ...proposed, title, sections: withIds(sections, proposed) });
  const strategy = edited.strategy ?? proposed.strategy;
  return { ...plan, strategy, estimate: estimatePlan({ strategy, sections: plan.sections }, proposed.basis) };
}

/** A section that was proposed keeps its id; a new one never gets that of one that was removed. */
function withIds(sections: readonly PlannedSection[], proposed: PlanText): PlannedSection[] {
  const known = new Set(proposed.sections.map(({ id }) => id));
  let last = largest(proposed.sections.map(({ id }) => Number(id.slice(1)) || 0));
  return sections.map((section) => ({ ...section, id: known.delete(section.id) ? section.id : `s${(last += 1)}` }));
}

/** Undefined: all of the run. */
function chosenSources(chosen: readonly string[] | undefined, known: readonly string[]): string[] | undefined {
  if (chosen === undefined) return undefined;
  const sources = known.filter((name) => chosen.includes(name));
  if (sources.length === 0) {
    throw new ResearchError('config', `A section may search none of the sources of this run: ${chosen.join(', ')}.`, {
      next: `Choose at least one of ${known.join(', ')}.`,
    });
  }
  return sources.length === known.length ? undefined : sources;
}

/** A plan of sections as the text that a lead researcher works from. */
export function briefOf(question: string, { title, sections }: PlanText): string {
  const parts = sections.map(
    ({ title: heading, description }) => `- ${heading}${description === '' ? '' : `: ${description}`}`,
  );
  return cut([title, question, parts.join('\n')].filter((text) => text.trim() !== '').join('\n\n'), longest.brief);
}

export function isBrief({ sections }: Pick<Plan, 'sections'>): boolean {
  return sections[0]?.id === briefId;
}

/** Each on one line, without empty ones and repetitions. */
function texts(values: readonly string[], most: number, length: number): string[] {
  const lines = values.map((value) => line(value, length)).filter((value) => value !== '');
  return [...new Set(lines)].slice(0, most);
}

function line(text: string, length: number): string {
  return cut(oneLine(text), length);
}

/** Never between the halves of a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
