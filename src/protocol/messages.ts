import * as z from 'zod/mini';
import type { ResearchEvent } from './events.ts';
import { type FollowUpChoice, followUpKinds } from './followUp.ts';
import type { RunView } from './runView.ts';
import { type EstimateBasis, type PlanEstimate, planSection } from './plan.ts';
import { type Depth, depths } from './planBounds.ts';
import type { ReaderHostMessage } from './readerMessages.ts';
import type { SteerOutcome } from './steering.ts';
import { strategies, type WantedStrategy, wantedStrategies } from './strategy.ts';

/** What the panel posts to the extension. Every message is parsed before it is used. */
export const panelMessageSchema = z.discriminatedUnion('type', [
  /** The page has loaded (first load, reload, moved): the host answers with `snapshot`. */
  z.object({ type: z.literal('ready') }),
  /** `strategy`, `depth`, the names in `sources` and `withoutModel` are for this run alone; absent: as the settings say. */
  z.object({
    type: z.literal('start'),
    question: z.string(),
    strategy: z.optional(z.enum(wantedStrategies)),
    depth: z.optional(z.enum(depths)),
    sources: z.optional(z.array(z.string())),
    withoutModel: z.optional(z.literal(true)),
  }),
  /** What was typed after an `@`: the host answers with `documents`. */
  z.object({ type: z.literal('findDocuments'), query: z.string() }),
  /** Documents to attach, by the ids that the host gave, or addresses that were dropped on the panel. */
  z.object({ type: z.literal('attach'), ids: z.array(z.string()) }),
  /** The user picks the documents in a dialog of the editor. */
  z.object({ type: z.literal('pickDocuments') }),
  z.object({ type: z.literal('detach'), id: z.string() }),
  /** The text of a page that the run could not read, as the user pasted it. */
  z.object({ type: z.literal('givePage'), url: z.string(), text: z.string() }),
  /** The user picks a file in a dialog of the editor: the PDF or the text of such a page. */
  z.object({ type: z.literal('givePageFile'), url: z.string() }),
  /** Opens such a page in the browser. */
  z.object({ type: z.literal('openPage'), url: z.string() }),
  /** `answer` null: "just start". */
  z.object({ type: z.literal('answer'), id: z.string(), answer: z.nullable(z.string()) }),
  /** `from`: names of the discovered entities that it is; none for an added one. */
  z.object({
    type: z.literal('approveEntities'),
    entities: z.readonly(z.array(z.object({ name: z.string(), from: z.readonly(z.array(z.string())) }))),
  }),
  /** `round`: of the shown plan. An answer to a plan that another one has replaced counts for none. */
  z.object({
    type: z.literal('approvePlan'),
    round: z.number(),
    sections: z.readonly(z.array(planSection)),
    strategy: z.enum(strategies),
    focus: z.readonly(z.array(z.string())),
  }),
  z.object({
    type: z.literal('anotherPlan'),
    round: z.number(),
    remark: z.string(),
    /** Of a follow-up: what becomes of the question instead. */
    as: z.optional(z.enum(followUpKinds)),
    strategy: z.enum(strategies),
    focus: z.readonly(z.array(z.string())),
  }),
  /** `sections`: those that go back, by the user's own choice, each with what the user has to say; absent: as the review says. */
  z.object({
    type: z.literal('decideReview'),
    decision: z.enum(['continue', 'report']),
    sections: z.optional(z.array(z.object({ id: z.string(), remark: z.string() }))),
  }),
  /** The user's own words to the researcher of a section: the host answers with `steered`. */
  z.object({ type: z.literal('remark'), section: z.string(), text: z.string() }),
  /** Ends the research of one section with what it has found: the host answers with `steered`. */
  z.object({ type: z.literal('stopSection'), section: z.string() }),
  z.object({ type: z.literal('stop') }),
  /** Writes the report from what was found so far. */
  z.object({ type: z.literal('finish') }),
  /** Waits no longer for the index of the folder: the question is answered from what is indexed. */
  z.object({ type: z.literal('answerNow') }),
  /** Resumes the shown run, which was interrupted, stopped, or failed. */
  z.object({ type: z.literal('resume') }),
  z.object({ type: z.literal('new') }),
  /** The report of the shown run, or that it is about, and what was asked about it: the host answers with `thread`. */
  z.object({ type: z.literal('findThread') }),
  /** A question about that report, or a change of it; see `FollowUp`. Without `as` and `section` the model decides. */
  z.object({
    type: z.literal('followUp'),
    question: z.string(),
    as: z.optional(z.enum(followUpKinds)),
    section: z.optional(z.string()),
    deeper: z.optional(z.literal(true)),
    without: z.optional(z.readonly(z.array(z.number()))),
  }),
  /** Proposes that report without a section. */
  z.object({ type: z.literal('removeSection'), section: z.string() }),
  /** Attaches a text that the user pasted. */
  z.object({ type: z.literal('attachText'), text: z.string() }),
  z.object({ type: z.literal('openReport') }),
  z.object({ type: z.literal('openPreview') }),
  z.object({ type: z.literal('saveReport') }),
  /** A `ReaderMessage` about a citation in the report of a run: parsed where it is answered. */
  z.object({ type: z.literal('cited'), run: z.string(), message: z.unknown() }),
  /** A source in the list was chosen: its id. The host looks up where it leads. */
  z.object({ type: z.literal('openSource'), id: z.string() }),
  z.object({ type: z.literal('copy'), text: z.string() }),
  z.object({ type: z.literal('showLog') }),
  /** `provider`: of models, whose key is asked for; absent, or without a key: the user chooses. */
  z.object({ type: z.literal('setKey'), provider: z.optional(z.string()) }),
  z.object({ type: z.literal('checkSources') }),
  z.object({ type: z.literal('selectModel') }),
  /** Looks again whether a run can start: the host answers with `setup`. */
  z.object({ type: z.literal('tryAgain') }),
  z.object({ type: z.literal('openSettings'), key: z.optional(z.string()) }),
]);
export type PanelMessage = z.infer<typeof panelMessageSchema>;

/** A document that is attached to the question, or could be. */
export interface DocumentItem {
  /** Given back to the host. */
  readonly id: string;
  readonly name: string;
  /** Where it is, as far as the name does not say it; may be empty. */
  readonly place: string;
  /** Codicon. */
  readonly icon: string;
  /** Address of the page whose text it is. */
  readonly page?: string;
}

/** How documents of one kind are shown. */
export interface DocumentKind {
  /** As events name it. */
  readonly name: string;
  readonly label: string;
  /** Codicon. */
  readonly icon: string;
  /** Hosts that the label says already. */
  readonly pageHosts: readonly string[];
}

/** What a run would use if it started now: the line under the question box is made from it. */
export interface Setup {
  readonly analyst: 'llm' | 'extractive';
  readonly provider: string;
  /** Null without a model, and while it is not known. */
  readonly model: string | null;
  /** Host that the question and the found text go to; null when nothing leaves for a model, or it is not known. */
  readonly modelHost: string | null;
  /** Why this model: it was named in the settings, or what made `auto` choose its provider. Absent without a model. */
  readonly modelWhy?: 'setting' | 'key' | 'address' | 'editor' | 'local';
  /** Other models, by what they are used for. */
  readonly modelFor?: { readonly [Role in 'research' | 'compression' | 'report' | 'check']?: string };
  /** Enabled sources by name, with the hosts that queries go to; none for the workspace. */
  readonly sources: readonly { readonly name: string; readonly label?: string; readonly hosts: readonly string[] }[];
  /** All kinds that this version knows: shown runs may have documents of sources that are not enabled now. */
  readonly kinds: readonly DocumentKind[];
  /** As the settings say; the question box may override it for a run. */
  readonly strategy: WantedStrategy;
  readonly depth: Depth;
  /** What a run takes as a rule, and what that is computed from at each depth; absent while that can't be known. */
  readonly estimate?: PlanEstimate;
  readonly bases?: Readonly<Record<Depth, EstimateBasis>>;
  /** Name of the open folder; null when there is none. */
  readonly workspace: string | null;
  /** What of the workspace a model would see (`workspace.forModel`); absent is taken as `content`. */
  readonly workspaceForModel?: 'off' | 'metadata' | 'content';
  /** Paths of the open folders: a report in one of them is named from there. */
  readonly folders?: readonly string[];
  readonly trusted: boolean;
  /** Pages are fetched through a proxy, which looks names up in place of the guard. */
  readonly behindProxy?: boolean;
  /** What the last check of the sources found, since the settings changed; absent before the first. */
  readonly health?: { readonly working: number; readonly all: number };
  /** Hosts that a search of the web would ask, whatever `sources.enabled` says, and the keys with which it can; absent: no such source. */
  readonly web?: { readonly hosts: readonly string[]; readonly keys: readonly { service: string; label: string }[] };
  /** Names of the editor's tools that the user picked, and how many there are. */
  readonly editorTools?: { readonly picked: readonly string[]; readonly offered: number };
  /** Questions that the open folder answers; one about the sample notes where it is not known to answer any. */
  readonly examples: readonly string[];
  /** A setting or key that must be fixed before a run can start. */
  readonly problem: {
    readonly message: string;
    /** What can be done about it, the most helpful first. */
    readonly actions: readonly SetupAction[];
    /** What `openSettings` shows. */
    readonly key?: string;
  } | null;
  /** Names of the providers of models that take a key. */
  readonly keyProviders?: readonly string[];
}

/** A report with what was asked about it. */
export interface ReportThread {
  /** Id of the shown run: it wrote the report, or is about it. */
  readonly run: string;
  readonly title: string;
  /** Of the report. */
  readonly version: number;
  /** Headings of its sections that can be researched again. */
  readonly sections: readonly string[];
  readonly choices: readonly FollowUpChoice[];
  /** The runs about it, the latest first. */
  readonly asked: readonly { readonly run: string; readonly question: string }[];
  /** As it is now; absent while it is what the shown run wrote. */
  readonly report?: ThreadText;
  /** Answers from before the shown run; all of them where it wrote the report. */
  readonly answers: readonly ThreadText[];
}

export interface ThreadText {
  readonly run: string;
  readonly report: Pick<RunView['report'], 'text' | 'citations'>;
  /** Those that it cites. */
  readonly sources: RunView['sources'];
}

export type SetupAction = 'tryAgain' | 'setKey' | 'withoutModel' | 'selectModel' | 'openSettings';

/** What the extension posts to the panel. `events` are folded by the panel itself, with the same reducer. */
export type HostMessage =
  | {
      readonly type: 'snapshot';
      readonly view: RunView;
      readonly setup: Setup;
      /** Localised texts by the keys of `strings.ts`. */
      readonly strings: Readonly<Record<string, string>>;
      /** BCP 47 of the editor's display language. */
      readonly locale: string;
      /** See `reading`. */
      readonly isRead: boolean;
    }
  /** Whether a tab shows the report of the run: the panel leaves it out then. */
  | { readonly type: 'reading'; readonly isRead: boolean }
  | { readonly type: 'events'; readonly events: readonly ResearchEvent[] }
  | { readonly type: 'setup'; readonly setup: Setup }
  /** Focuses the question box; a text replaces what is in it (Start, Research Selection). */
  | { readonly type: 'ask'; readonly question?: string }
  /** All that is attached to the next question. */
  | { readonly type: 'attached'; readonly items: readonly DocumentItem[] }
  /** Answers `findDocuments`. */
  | { readonly type: 'documents'; readonly query: string; readonly items: readonly DocumentItem[] }
  | Extract<ReaderHostMessage, { type: 'evidence' }>
  /** Answers `findThread`. */
  | { readonly type: 'thread'; readonly thread: ReportThread }
  /** Answers `remark` and `stopSection`. */
  | {
      readonly type: 'steered';
      readonly section: string;
      readonly what: 'remark' | 'stop';
      readonly outcome: SteerOutcome;
    }
  /** Why something that the user asked for can't be done. */
  | { readonly type: 'notice'; readonly message: string };
