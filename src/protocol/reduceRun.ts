import type { ResearchEvent } from './events.ts';
import type { RoundView, RunView, SectionView, TopicView } from './runView.ts';

/** How many thoughts a view keeps of a section, and of the run as a whole. */
const keptThoughts = 20;

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
    plan: null,
    sections: [],
    thoughts: [],
    sources: [],
    warnings: [],
    review: null,
    tokens: { in: 0, out: 0, cached: 0, estimated: false },
    cost: null,
    report: { text: '', done: false, citations: [] },
    end: null,
    lastSeq: 0,
  };
}

/**
 * Folds one event into the view. Pure and total: the fold of all events of a run gives the same view after every replay.
 * An event that was already folded (`seq` not above `lastSeq`) and a straggler of another run give the same object back;
 * `run/started` of another run begins anew. Parts that an event does not touch keep their identity, so that a consumer can
 * compare by reference.
 */
export function reduceRun(view: RunView, event: ResearchEvent): RunView {
  if (event.run !== view.run) return event.type === 'run/started' ? fold(advance(emptyView(), event), event) : view;
  if (event.seq <= view.lastSeq) return view;
  return fold(advance(view, event), event);
}

/** What every event changes: the run it belongs to, the place in its order, the clock. */
function advance(view: RunView, event: ResearchEvent): RunView {
  // Whatever the view says meanwhile: between its end, or its being cut off, and its resumption nobody worked on the run.
  const stoodStill =
    view.startedAt !== '' && (view.status !== 'running' || event.type === 'run/resumed')
      ? milliseconds(view.updatedAt, event.at)
      : 0;
  return {
    ...view,
    run: event.run,
    lastSeq: event.seq,
    startedAt: view.startedAt || event.at,
    updatedAt: event.at,
    waitedMs: view.waitedMs + stoodStill,
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

function fold(view: RunView, event: ResearchEvent): RunView {
  switch (event.type) {
    case 'run/started': {
      const { question, strategy, provider, model, analyst } = event;
      return {
        ...view,
        status: 'running',
        waitingFor: null,
        pending: null,
        question,
        strategy,
        provider,
        model,
        analyst,
        end: null,
      };
    }
    case 'run/phase': {
      const phasesSeen = view.phasesSeen.includes(event.phase) ? view.phasesSeen : [...view.phasesSeen, event.phase];
      return { ...goOn(view), phase: event.phase, phasesSeen };
    }
    case 'clarify/asked': {
      const { id, question, options, missingInfo, why } = event;
      return { ...waitFor(view, 'answer'), pending: { id, question, options, missingInfo, why } };
    }
    case 'clarify/answered': {
      const question = view.pending?.id === event.id ? view.pending.question : '';
      const answer = event.skipped ? null : event.answer;
      return { ...goOn(view), pending: null, answered: [...view.answered, { id: event.id, question, answer }] };
    }
    case 'discover/found':
      return { ...view, entities: event.entities };
    case 'plan/proposed':
    case 'plan/approved': {
      const { title, sections, estimate } = event;
      const approved = event.type === 'plan/approved' || !event.needsApproval;
      const next = approved ? goOn(view) : waitFor(view, 'plan');
      return {
        ...next,
        plan: { title, sections, estimate, approved },
        sections: planned(
          view.sections,
          sections.filter(({ id }) => id !== briefId),
        ),
      };
    }
    case 'section/updated':
      return { ...view, sections: updateSection(view.sections, event) };
    case 'run/strategy':
      return { ...view, strategy: event.strategy, strategyWhy: event.why };
    case 'round/updated': {
      const { round, maxRounds, status, queries, sources, score, sufficient } = event;
      const updated: RoundView = {
        round,
        maxRounds,
        status,
        queries,
        sources,
        ...(score === undefined ? {} : { score }),
        ...(sufficient === undefined ? {} : { sufficient }),
      };
      return { ...view, rounds: replaced(view.rounds, updated, (known) => known.round === round) };
    }
    case 'topic/updated': {
      const { id, title, topic, round, status, sources, error } = event;
      const updated: TopicView = {
        id,
        title,
        topic,
        round,
        status,
        sources,
        ...(error === undefined ? {} : { error }),
      };
      return { ...view, topics: replaced(view.topics, updated, (known) => known.id === id) };
    }
    case 'thought':
      return event.section === undefined
        ? { ...view, thoughts: latest(event.text, view.thoughts) }
        : { ...view, sections: addThought(view.sections, event.section, event.text) };
    case 'source/added': {
      const { id, kind, title, url, date, file } = event;
      if (view.sources.some((source) => source.id === id)) return view;
      const source = {
        id,
        kind,
        title,
        ...(url === undefined ? {} : { url }),
        ...(date === undefined ? {} : { date }),
        ...(file === undefined ? {} : { file }),
      };
      return { ...view, sources: [...view.sources, source] };
    }
    case 'usage': {
      const { tokens } = view;
      return {
        ...view,
        tokens: {
          in: tokens.in + event.tokens.in,
          out: tokens.out + event.tokens.out,
          cached: tokens.cached + event.tokens.cached,
          estimated: tokens.estimated || event.estimated,
        },
        cost: event.cost === null ? view.cost : (view.cost ?? 0) + event.cost,
      };
    }
    case 'review/finished': {
      const { score, sufficient, round, retry, gaps } = event;
      return {
        ...(event.needsApproval ? waitFor(view, 'review') : goOn(view)),
        review: { score, sufficient, round, retry, gaps },
      };
    }
    case 'report/delta': {
      const { text } = view.report;
      // The common case is an append: cutting would flatten the string each time.
      const kept = event.offset >= text.length ? text : text.slice(0, event.offset);
      const citations = event.citations ?? view.report.citations;
      return { ...view, report: { ...view.report, text: kept + event.text, done: false, citations } };
    }
    case 'report/finished': {
      const path = event.path === undefined ? {} : { path: event.path };
      return { ...view, report: { ...view.report, ...path, done: true, checked: event.citations } };
    }
    case 'run/warning': {
      const { kind, code, message, section } = event;
      const known = view.warnings.some((w) => w.code === code && w.message === message && w.section === section);
      if (known) return view;
      return {
        ...view,
        warnings: [
          ...view.warnings,
          { ...(kind === undefined ? {} : { kind }), code, message, ...(section === undefined ? {} : { section }) },
        ],
      };
    }
    case 'run/finished': {
      if (isOver(view)) return view;
      const path = event.path === undefined ? {} : { path: event.path };
      return {
        ...stop(view),
        status: 'finished',
        report: { ...view.report, ...path },
        tokens: { ...event.tokens, estimated: view.tokens.estimated },
        end: { outcome: event.outcome, reason: event.outcome, message: '', next: '' },
      };
    }
    case 'run/failed':
    case 'run/cancelled': {
      // The first end counts: a cancelled run may still report that its calls failed.
      if (isOver(view)) return view;
      const { reason, message, next } = event;
      return {
        ...stop(view),
        status: event.type === 'run/failed' ? 'failed' : 'cancelled',
        end: { reason, message, next },
      };
    }
    case 'run/paused': {
      if (isOver(view)) return view;
      const { reason, message, next } = event;
      // The open question stays: its answer may be what resumes the run.
      return { ...view, status: 'paused', waitingFor: null, end: { reason, message, next } };
    }
    case 'run/resumed':
      return {
        ...view,
        end: null,
        ...(view.pending ? { status: 'waiting', waitingFor: 'answer' } : { status: 'running', waitingFor: null }),
      };
    case 'tool/started':
    case 'tool/finished':
      // Shown through the section's activity; the log has the calls.
      return view;
    default:
      return neverSeen(event, view);
  }
}

/** Types that this version does not know change nothing but the place in the order. */
function neverSeen(_event: never, view: RunView): RunView {
  return view;
}

function replaced<T>(list: readonly T[], item: T, isSame: (known: T) => boolean): readonly T[] {
  const index = list.findIndex(isSame);
  return index < 0 ? [...list, item] : list.with(index, item);
}

function waitFor(view: RunView, what: NonNullable<RunView['waitingFor']>): RunView {
  return isOver(view) ? view : { ...view, status: 'waiting', waitingFor: what };
}

/** The run is at work again. What arrives after its end (a cancelled call that still reports) doesn't revive it. */
function goOn(view: RunView): RunView {
  return isOver(view) ? view : { ...view, status: 'running', waitingFor: null, pending: null, end: null };
}

function stop(view: RunView): RunView {
  return { ...view, waitingFor: null, pending: null };
}

function isOver(view: RunView): boolean {
  return view.status === 'finished' || view.status === 'failed' || view.status === 'cancelled';
}

/** The plan decides which sections there are and their order; what is known of a section stays. */
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

function updateSection(
  sections: readonly SectionView[],
  event: Extract<ResearchEvent, { type: 'section/updated' }>,
): readonly SectionView[] {
  const { id, title, status, attempt, activity, sources, error } = event;
  const index = sections.findIndex((section) => section.id === id);
  const { error: _healed, ...known } = sections[index] ?? newSection(id, title, '');
  const updated: SectionView = {
    ...known,
    title,
    status,
    attempt,
    activity,
    sources,
    ...(error === undefined ? {} : { error }),
  };
  return index < 0 ? [...sections, updated] : sections.with(index, updated);
}

function addThought(sections: readonly SectionView[], id: string, text: string): readonly SectionView[] {
  const index = sections.findIndex((section) => section.id === id);
  const section = sections[index];
  return section ? sections.with(index, { ...section, thoughts: latest(text, section.thoughts) }) : sections;
}

function latest(text: string, thoughts: readonly string[]): readonly string[] {
  return [text, ...thoughts.slice(0, keptThoughts - 1)];
}

/** From one ISO instant to another; 0 for a clock that went backwards or an instant that can't be read. */
function milliseconds(from: string, to: string): number {
  const span = Date.parse(to) - Date.parse(from);
  return span > 0 ? span : 0;
}
