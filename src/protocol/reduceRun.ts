import type { EventDetails, ResearchEvent, ResearchEventType } from './events.ts';
import type { RemarkView, RunView, SectionView, UsageView } from './runView.ts';

/** Limit of the thoughts in a view, for each section and for the run as a whole. */
const maxThoughts = 20;
/** Limit of the remarks of a section in a view. */
const maxRemarks = 50;

/** The one "section" of a supervisor's plan: its brief. The real sections are the topics that it delegates. */
export const briefId = 'brief';

/** The reason in `end` of a view that `interrupted` made. */
export const interruptedReason = 'interrupted';

/** The view before any run: status `idle`, everything empty. */
export function emptyView(): RunView {
  return {
    run: '',
    status: 'idle',
    question: '',
    strategy: '',
    strategyWhy: '',
    rounds: [],
    topics: [],
    provider: '',
    model: null,
    analyst: 'llm',
    startedAt: '',
    updatedAt: '',
    waitedMs: 0,
    phase: null,
    phasesSeen: [],
    pending: null,
    waitingFor: null,
    answered: [],
    entities: [],
    coverage: '',
    plan: null,
    remarks: [],
    sections: [],
    thoughts: [],
    sources: [],
    pages: [],
    warnings: [],
    review: null,
    tokens: { in: 0, out: 0, cached: 0, estimated: false },
    cost: null,
    usage: [],
    report: { text: '', done: false, citations: [] },
    end: null,
    lastSeq: 0,
  };
}

/**
 * Folds one event into the view. Pure and total: the fold of all events of a run gives the same view after every replay.
 * An event that was already folded (`seq` not above `lastSeq`) and a straggler of another run give the same object back;
 * `run/started` of another run starts from the empty view. Parts that an event does not touch keep their identity, so that a consumer can
 * compare by reference.
 */
export function reduceRun(view: RunView, event: ResearchEvent): RunView {
  if (event.run !== view.run) return event.type === 'run/started' ? fold(advance(emptyView(), event), event) : view;
  if (event.seq <= view.lastSeq) return view;
  return fold(advance(view, event), event);
}

/** What every event changes: the run it belongs to, the place in its order, the clock. */
function advance(view: RunView, event: ResearchEvent): RunView {
  // Between its end or interruption and its resumption the run was not running, whatever the view says.
  const idleMs =
    view.startedAt !== '' && (view.status !== 'running' || event.type === 'run/resumed')
      ? milliseconds(view.updatedAt, event.at)
      : 0;
  return {
    ...view,
    run: event.run,
    lastSeq: event.seq,
    startedAt: view.startedAt || event.at,
    updatedAt: event.at,
    waitedMs: view.waitedMs + idleMs,
  };
}

/** How long a run had been running at an instant, in milliseconds: without the time in which it waited, was paused or interrupted. */
export function activeMs(view: RunView, now: Date): number {
  if (view.startedAt === '') return 0;
  const last = Date.parse(view.updatedAt);
  const until = view.status === 'running' ? Math.max(now.getTime(), last) : last;
  return Math.max(0, until - Date.parse(view.startedAt) - view.waitedMs);
}

/** The view of a run that is being resumed: the time since its last event does not count as running time. */
export function resuming(view: RunView, at: Date): RunView {
  const updatedAt = at.toISOString();
  return {
    ...view,
    status: 'running',
    end: null,
    updatedAt,
    waitedMs: view.waitedMs + milliseconds(view.updatedAt, updatedAt),
  };
}

type EventOf<T extends ResearchEventType> = Extract<ResearchEvent, { type: T }>;
type Folds = { readonly [T in ResearchEventType]: (view: RunView, event: EventOf<T>) => RunView };

function fold(view: RunView, event: ResearchEvent): RunView {
  // The compiler cannot see that the handler and the event have the same type.
  const handler = folds[event.type] as ((view: RunView, event: ResearchEvent) => RunView) | undefined;
  // Types that this version does not know change only the position in the order.
  return handler ? handler(view, event) : view;
}

/** What an event says, as the view holds it. */
function detailsOf<T extends ResearchEvent>({ type: _type, run: _run, seq: _seq, at: _at, ...details }: T) {
  return details;
}

const folds: Folds = {
  'run/started': (view, event) => ({
    ...{ ...view, ...detailsOf(event) },
    ...{ status: 'running', waitingFor: null, pending: null, end: null },
  }),
  // A call that failed is not counted: what had arrived of it goes with its phase.
  'run/phase': ({ receiving: _, ...view }, { phase }) => ({
    ...running(view),
    phase,
    phasesSeen: view.phasesSeen.includes(phase) ? view.phasesSeen : [...view.phasesSeen, phase],
  }),
  'run/strategy': (view, { strategy, why }) => ({ ...view, strategy, strategyWhy: why }),
  'clarify/asked': (view, event) => ({ ...waitFor(view, 'answer'), pending: detailsOf(event) }),
  'clarify/answered'(view, { id, answer, skipped }) {
    const question = view.pending?.id === id ? view.pending.question : '';
    const answered = [...view.answered, { id, question, answer: skipped ? null : answer }];
    return { ...running(view), pending: null, answered };
  },
  'discover/found': (view, { entities, coverage = '', needsApproval }) => ({
    ...(needsApproval === true ? waitFor(view, 'entities') : view),
    entities,
    coverage,
  }),
  'discover/approved': (view, { entities }) => ({ ...running(view), entities }),
  'plan/proposed': (view, event) => withPlan(event.needsApproval ? waitFor(view, 'plan') : running(view), event),
  'plan/approved': (view, event) => withPlan(running(view), { ...event, needsApproval: false }),
  'plan/sentBack'(view, { remark, round }) {
    return { ...running(view), remarks: [...view.remarks.slice(0, round), remark] };
  },
  'section/updated': (view, event) => ({ ...view, sections: updateSection(view.sections, event) }),
  'section/remark': (view, event) => ({ ...view, sections: withRemark(view.sections, event) }),
  'round/updated': (view, event) => ({
    ...view,
    rounds: replaced(view.rounds, detailsOf(event), ({ round }) => round === event.round),
  }),
  'topic/updated': (view, event) => ({
    ...view,
    topics: replaced(view.topics, detailsOf(event), ({ id }) => id === event.id),
  }),
  thought: (view, { section, text }) =>
    section === undefined
      ? { ...view, thoughts: latest(text, view.thoughts) }
      : { ...view, sections: addThought(view.sections, section, text) },
  // A section's are shown through its activity; the log has the calls.
  'tool/started': (view, { section, args }) =>
    section === undefined && args !== '' && args !== view.lookUps?.[0]
      ? { ...view, lookUps: latest(args, view.lookUps ?? []) }
      : view,
  'tool/finished': ({ indexed: _, ...view }) => view,
  'source/added'(view, event) {
    const { id, work } = event;
    const known = view.sources.find((source) => source.id === id);
    if (known && (work === undefined || work === known.work)) return view;
    if (known) return { ...view, sources: view.sources.map((one) => (one === known ? { ...one, work } : one)) };
    return { ...view, sources: [...view.sources, detailsOf(event)] };
  },
  'page/unread': (view, { url, why }) =>
    view.pages.some((page) => page.url === url) ? view : { ...view, pages: [...view.pages, { url, why }] },
  'page/supplied': (view, { url, source }) => ({
    ...view,
    pages: view.pages.map((page) => (page.url === url ? { ...page, source } : page)),
  }),
  'folder/indexed': (view, { files, of }) => ({ ...view, indexed: { files, of } }),
  'model/progress': (view, { call, tokens }) => ({ ...view, receiving: { ...view.receiving, [call]: tokens } }),
  usage: (view, { model, phase, tokens, cost, estimated, call }) => ({
    ...(call === undefined ? view : withoutReceiving(view, call)),
    tokens: {
      in: view.tokens.in + tokens.in,
      out: view.tokens.out + tokens.out,
      cached: view.tokens.cached + tokens.cached,
      estimated: view.tokens.estimated || estimated,
    },
    cost: cost === null ? view.cost : (view.cost ?? 0) + cost,
    usage: withUsage(view.usage, { model, phase, calls: 1, ...tokens, cost, estimated }),
  }),
  'review/finished'(view, event) {
    const { needsApproval, ...review } = detailsOf(event);
    return { ...(needsApproval ? waitFor(view, 'review') : running(view)), review };
  },
  'review/decided': (view, { retry }) => ({
    ...running(view),
    ...(view.review && { review: { ...view.review, retry } }),
  }),
  'report/delta'(view, { offset, text: added, citations = view.report.citations }) {
    const { text } = view.report;
    // The common case is an append: slicing would flatten the string each time.
    const before = offset >= text.length ? text : text.slice(0, offset);
    return { ...view, report: { ...view.report, text: before + added, done: false, citations } };
  },
  'report/revision': (view, event) => ({ ...view, revision: detailsOf(event) }),
  // Who shows a report reads its statements from the events of the run.
  'report/claim': (view) => view,
  'report/finished'(view, event) {
    const { citations, ...written } = detailsOf(event);
    return { ...view, report: { ...view.report, ...written, done: true, checked: citations } };
  },
  'run/warning'(view, event) {
    const { code, message, section } = event;
    const isKnown = view.warnings.some((w) => w.code === code && w.message === message && w.section === section);
    return isKnown ? view : { ...view, warnings: [...view.warnings, detailsOf(event)] };
  },
  'run/finished': (view, { outcome, gaps = [], searched, path, tokens }) =>
    ended(view, 'finished', {
      report: { ...view.report, ...(path === undefined ? {} : { path }) },
      tokens: { ...tokens, estimated: view.tokens.estimated },
      end: { outcome, gaps, ...(searched && { searched }), reason: outcome, message: '', next: '' },
    }),
  'run/failed': (view, { reason, message, next }) => ended(view, 'failed', { end: { reason, message, next } }),
  'run/cancelled': (view, { reason, message, next }) => ended(view, 'cancelled', { end: { reason, message, next } }),
  'run/paused': (view, { reason, message, next }) =>
    // The open question stays: its answer may be what resumes the run.
    isOver(view) ? view : { ...view, status: 'paused', waitingFor: null, end: { reason, message, next } },
  'run/resumed': (view) => ({
    ...view,
    end: null,
    ...(view.pending ? { status: 'waiting', waitingFor: 'answer' } : { status: 'running', waitingFor: null }),
  }),
};

function withPlan(view: RunView, proposed: EventDetails<'plan/proposed'>): RunView {
  const { title, sections, estimate, needsApproval, strategy, focus = [], round = 0, basis, as } = proposed;
  const shown = sections.filter(({ id }) => id !== briefId);
  return {
    ...view,
    ...(strategy === undefined ? {} : { strategy }),
    plan: {
      ...{ title, sections, estimate, focus, round, ...(as && { as }) },
      approved: !needsApproval,
      basis: basis ?? view.plan?.basis ?? null,
    },
    sections: planned(view.sections, shown),
  };
}

/** The first end counts: a cancelled run may still emit that its calls failed. */
function ended(view: RunView, status: RunView['status'], changes: Partial<RunView>): RunView {
  return isOver(view) ? view : { ...view, waitingFor: null, pending: null, status, ...changes };
}

function replaced<T>(list: readonly T[], item: T, isSame: (known: T) => boolean): readonly T[] {
  const index = list.findIndex(isSame);
  return index < 0 ? [...list, item] : list.with(index, item);
}

function waitFor(view: RunView, what: NonNullable<RunView['waitingFor']>): RunView {
  return isOver(view) ? view : { ...view, status: 'waiting', waitingFor: what };
}

/** The run continues. What arrives after its end (a cancelled call that still emits) doesn't revive it. */
function running(view: RunView): RunView {
  return isOver(view) ? view : { ...view, status: 'running', waitingFor: null, pending: null, end: null };
}

function isOver(view: RunView): boolean {
  return view.status === 'finished' || view.status === 'failed' || view.status === 'cancelled';
}

/** The plan decides which sections there are and in which order; what is known of a section stays. */
function planned(
  known: readonly SectionView[],
  plan: readonly { readonly id: string; readonly title: string; readonly description: string }[],
): SectionView[] {
  return plan.map(({ id, title, description }) => {
    const section = known.find((s) => s.id === id);
    return section ? { ...section, title, description } : newSection(id, title, description);
  });
}

function newSection(id: string, title: string, description: string): SectionView {
  return { id, title, description, status: 'pending', attempt: 1, activity: '', sources: 0, thoughts: [] };
}

function updateSection(sections: readonly SectionView[], event: EventOf<'section/updated'>): readonly SectionView[] {
  const { id, title } = event;
  const index = sections.findIndex((section) => section.id === id);
  const { error: _healed, stopped: _reopened, ...known } = sections[index] ?? newSection(id, title, '');
  const updated: SectionView = { ...known, ...detailsOf(event) };
  return index < 0 ? [...sections, updated] : sections.with(index, updated);
}

/** A remark to a section that the plan no longer has is not shown. */
function withRemark(
  sections: readonly SectionView[],
  { id, section: named, text, state }: EventOf<'section/remark'>,
): readonly SectionView[] {
  const index = sections.findIndex((section) => section.id === named);
  const section = sections[index];
  if (section === undefined) return sections;
  const { remarks = [] } = section;
  const known = remarks.findIndex((remark) => remark.id === id);
  const remark: RemarkView = { id, text: text ?? remarks[known]?.text ?? '', state };
  const changed = known < 0 ? [remark, ...remarks].slice(0, maxRemarks) : remarks.with(known, remark);
  return sections.with(index, { ...section, remarks: changed });
}

function addThought(sections: readonly SectionView[], id: string, text: string): readonly SectionView[] {
  const index = sections.findIndex((section) => section.id === id);
  const section = sections[index];
  return section ? sections.with(index, { ...section, thoughts: latest(text, section.thoughts) }) : sections;
}

function latest(text: string, thoughts: readonly string[]): readonly string[] {
  return [text, ...thoughts.slice(0, maxThoughts - 1)];
}

/** From one ISO instant to another; 0 for a clock that went backwards or an instant that can't be read. */
function milliseconds(from: string, to: string): number {
  const span = Date.parse(to) - Date.parse(from);
  return span > 0 ? span : 0;
}

function withoutReceiving({ receiving, ...view }: RunView, call: string): RunView {
  const rest = Object.entries(receiving ?? {}).filter(([one]) => one !== call);
  return rest.length === 0 ? view : { ...view, receiving: Object.fromEntries(rest) };
}

function withUsage(usage: readonly UsageView[], more: UsageView): readonly UsageView[] {
  const at = usage.findIndex(({ model, phase }) => model === more.model && phase === more.phase);
  if (at < 0) return [...usage, more];
  const before = usage[at]!;
  return usage.with(at, {
    ...more,
    calls: before.calls + more.calls,
    in: before.in + more.in,
    out: before.out + more.out,
    cached: before.cached + more.cached,
    cost: more.cost === null ? before.cost : (before.cost ?? 0) + more.cost,
    estimated: before.estimated || more.estimated,
  });
}
