import type { EventBody, Phase } from '../../protocol/events.ts';
import type { RunView } from '../../protocol/runView.ts';
import type { Analyst, AnalystLimits, Frame, Scope } from '../analyst/analyst.ts';
import { withoutSentences } from '../evidence/surroundings.ts';
import type { Calls } from '../calls/calls.ts';
import type { WaitReason } from '../calls/modelTries.ts';
import type { Replay } from '../calls/replay.ts';
import type { Settings } from '../settings/config.ts';
import type { Admission } from '../evidence/admission.ts';
import type { EvidenceRegistry } from '../evidence/registry.ts';
import type { RunTexts } from '../languages/texts.ts';
import type { PriceTable } from '../settings/prices.ts';
import type { RunBudget } from '../policy/runBudget.ts';
import type {
  ChatModels,
  Clock,
  Log,
  ModelRole,
  ParentRun,
  Reading,
  ReportSink,
  RunFolder,
  SourceLook,
} from '../ports.ts';
import type { Semaphore } from '../calls/semaphore.ts';
import type { Judgement, Statement } from '../evidence/statement.ts';
import type { ResearchStateType, SectionState } from '../state.ts';
import type { Aside } from '../stateSchema.ts';
import { sha256 } from '../text/digest.ts';
import type { LiveReport } from './liveReport.ts';
import type { SourceChoice } from '../policy/sourceChoice.ts';
import type { ResearchTool, WorkspaceFacts } from '../tools.ts';
import type { Watchdog } from '../calls/watchdog.ts';
import type { Prefetch } from './prefetch.ts';
import type { Steering } from './steering.ts';
import type { SuppliedPages } from './supplied.ts';
import type { EmittedWarning, Warning } from '../languages/warning.ts';

/** What the drafts need of the state: all of it is settled before the first section is researched. */
export type PlannedReport = Pick<
  ResearchStateType,
  'originalQuery' | 'clarifiedQuery' | 'assumptions' | 'outline' | 'analysis' | 'assessment' | 'today' | 'language'
> & { readonly sections: readonly Pick<SectionState, 'id' | 'title' | 'description' | 'topicRound'>[] };

/** `last`: no other text follows; `again`: statements that were judged before, beside other passages. Default: others follow. */
export type Turn = 'next' | 'last' | 'again';

/** Judges statements beside their passages. */
export interface StatementReader {
  /** Rejects only when the run is stopped. @param place Of the text: a path of its own for each call. */
  judge(place: ScopePlace, statements: readonly Statement[], turn?: Turn): Promise<ReadonlyMap<string, Judgement>>;
  /** All judgements by the ids of their statements, once the last text is judged. */
  outcome(): ReadonlyMap<string, Judgement>;
}

/** The sections of a report that are written while others are researched. */
export interface SectionDrafts {
  /** How many sections were begun. */
  readonly count: number;
  /** From now on sections may be written as soon as their research ends. */
  open(state: PlannedReport): void;
  /** Where the report is shown while it is written. */
  live(run: RunContext): LiveReport;
  /**
   * The text of a section; "" when nothing was found or it can't be written. Never rejects: a failure is a warning, and the
   * section is given as it was found.
   */
  begin(run: RunContext, section: SectionState): Promise<string>;
  /** What surrounds the sections, from their findings: begun once until one is researched again. Undefined when it can't be written. */
  frame(run: RunContext, state: ResearchStateType): Promise<Frame | undefined>;
  /** @param texts How many texts it is expected to judge. @param controls See `ReaderOptions`. Both count when it is first asked for. */
  reader(run: RunContext, texts: number, controls?: number): StatementReader;
  /** Settles once the statements of the sections that were begun are judged. */
  judged(): Promise<void>;
}

/** Who thinks. */
export interface AnalystPort {
  readonly analyst: Analyst;
  /** Arranges what was found when the model can't, so that no evidence is lost. The same as `analyst` without a model. */
  readonly fallback: Analyst;
  /** Undefined without a model. */
  readonly models: ChatModels | undefined;
  readonly workspace: WorkspaceFacts | undefined;
  /** The finished run that the question is about. */
  readonly parent?: (Omit<ParentRun, 'documents'> & Partial<AddedSources>) | undefined;
}

/** Makes calls, each once: those before the run was resumed are in the journal. */
export interface CallPort {
  readonly calls: Calls;
  readonly replay: Replay;
  readonly tools: readonly ResearchTool[];
  /** Which sources a query goes to when the budget does not reach for all. */
  readonly sources: SourceChoice;
  /** What was started before the step that needs it. */
  readonly prefetch: Prefetch;
  readonly researchers: Semaphore;
  /** Times out work that stalls while no call is in progress. */
  readonly watchdog: Watchdog;
  readonly reading: Reading;
  readonly clock: Clock;
}

/** What was found. */
export interface EvidencePort {
  readonly registry: EvidenceRegistry;
  /** What no later step reads of the sources; absent: all of it is read. */
  readonly asides?: readonly Aside[] | undefined;
  /** Pages that can't be read, and what the user gave in their place. */
  readonly supplied: SuppliedPages;
  /** What the settings left out of the results. */
  readonly admission: Admission;
  /** Ids of what the user attached, or named in the question: every section has it from its start. */
  readonly attached: readonly string[];
  /** Of a refresh: what became of the sources that the report cites. */
  readonly looks?: readonly SourceLook[] | undefined;
}

/** What the user sees and says. */
export interface EventPort {
  emit(event: EventBody): void;
  /** Emits a warning, once for each code and section. */
  warn(warning: Warning, section?: string): void;
  /** All warnings so far, for the account of the report. */
  readonly warnings: readonly EmittedWarning[];
  /** By model and phase, so far. */
  usage(): RunView['usage'];
  /** Sum of the usage events so far. */
  readonly tokens: { readonly in: number; readonly out: number; readonly cached: number };
  /** What the run says, in the language of its report. */
  readonly texts: RunTexts;
  /** What the user says to sections while they are researched. */
  readonly steering: Steering;
  readonly log: Log;
}

/** What bounds the run, and how it ends. */
export interface LimitPort {
  readonly settings: Settings;
  readonly budget: RunBudget;
  readonly signal: AbortSignal;
  readonly finishSignal: AbortSignal;
  /** Sources were asked, and no service could be reached. */
  isOffline(): boolean;
}

/** Ids of what the user has added to what a finished run has read. Absent: nothing. */
interface AddedSources {
  readonly added: readonly string[];
}

/** Everything that the nodes of one run share; a step takes the ports that it needs. */
export interface RunContext extends AnalystPort, CallPort, EvidencePort, EventPort, LimitPort {
  readonly run: string;
  /** Sections that are being written while others are researched. */
  readonly drafts: SectionDrafts;
  readonly folder: RunFolder;
  readonly sink: ReportSink;
  readonly provider: string;
  readonly model: string | null;
  /** Whether no vocabulary has a word of a question in a language (BCP 47). Absent: there is none. */
  readonly isRareWord?: ((word: string, language: string) => Promise<boolean>) | undefined;
  /** See `RunParts.isUnattended`. */
  readonly isUnattended?: boolean | undefined;
  /** What the provider charges, as far as that is published. */
  readonly prices: PriceTable;
  /** ISO 8601 instant at which the run first started. */
  readonly created: string;
}

/** The place of a step in the run: the base of its calls' keys, and what of the state enters its prompts. */
export interface ScopePlace {
  readonly path: string;
  readonly phase: Phase;
  readonly section?: string;
  readonly today: string;
  readonly language: string;
  /** Told while a call waits; see `ChatListener`. */
  readonly onWaiting?: (label: string, why: WaitReason) => void;
}

/** In tokens, its answer included. */
const leastPrompt = 1_500;

/** The scope of one step. @param signal Ends its calls. Default: that of the run. */
export function scopeOf(run: RunContext, place: ScopePlace, signal = run.signal): Scope {
  const { settings } = run;
  const { onWaiting } = place;
  const made = new Set<string>();
  const asked = new Map<ModelRole, string>();
  const port = (role: ModelRole) => {
    if (!run.models) throw new Error('This run has no model.');
    return run.models(role);
  };
  return {
    ...place,
    signal,
    limits: analystLimits(settings, (run.parent?.wanted.as ?? 'answer') === 'answer' && run.parent ? answerShare : 1),
    reading: run.reading,
    async model(label, role, request, onText) {
      made.add(label);
      const call = { key: `${place.path}/${label}`, role, phase: place.phase, port: await port(role), request, onText };
      asked.set(role, call.port.model);
      return run.calls.model(onWaiting ? { ...call, onWaiting: (why) => onWaiting(label, why) } : call, signal);
    },
    noteUse(error) {
      for (const [role, model] of asked) run.calls.noteUse(role, model, error);
    },
    async forget(label) {
      for (const one of made) if (one.startsWith(label)) await run.replay.forget(`${place.path}/${one}`);
    },
    async contextTokens(role) {
      const window = Math.min((await port(role)).contextTokens, settings['limits.maxContextTokens']);
      const left = run.budget.tokensLeft(place.phase);
      // With hardly anything left no prompt would fit: the call is refused with the better reason.
      return left < leastPrompt ? window : Math.min(window, Math.floor(left));
    },
    fence: sha256(run.run).slice(0, 6),
    source: (id) => readable(run, id),
    thought: (text) => run.emit({ type: 'thought', ...(place.section ? { section: place.section } : {}), text }),
    warn: (warning) => run.warn(warning, place.section),
  };
}

/** The scope of a step that is for no section alone. */
export function stepScope(
  run: RunContext,
  { today, language }: Pick<ScopePlace, 'today' | 'language'>,
  phase: Phase,
  path: string,
  signal?: AbortSignal,
): Scope {
  return scopeOf(run, { path, phase, today, language }, signal);
}

/** A source without what is left out of it. */
export function readable({ registry, asides = [] }: Pick<EvidencePort, 'registry' | 'asides'>, id: string) {
  const source = registry.get(id);
  const gone = asides.filter((aside) => registry.get(aside.source) === source);
  return source && withoutSentences(source, [...new Set(gone.flatMap(({ sentences }) => sentences))]);
}

/** An answer about a report needs few of the passages that a section does: its cost is to be a fraction of the report's. */
const answerShare = 0.25;

function analystLimits(settings: Settings, share: number): AnalystLimits {
  const limit = (role: ModelRole, value: number) => (value > 0 ? { [role]: value } : {});
  return {
    maxStructuredOutputRetries: settings['limits.maxStructuredOutputRetries'],
    compressionTargetTokens: Math.ceil(settings['limits.compressionTargetTokens'] * share),
    maxTokens: {
      ...limit('research', settings['model.researchMaxTokens']),
      ...limit('compression', settings['model.compressionMaxTokens']),
      ...limit('report', settings['model.reportMaxTokens']),
      ...limit('check', settings['model.checkMaxTokens']),
    },
    depth: settings.depth,
  };
}
