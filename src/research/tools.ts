import type * as z from 'zod';
import type { LeftOut } from './evidence/admission.ts';
import type { Named } from './evidence/namedIn.ts';
import type { Source } from './evidence/source.ts';
import type { ChatAnswer, ChatPort, ChatRequest, FoundDocument, ToolCall } from './ports.ts';
import type { FolderReach, WordFate } from './text/wordFates.ts';

/** What the tools of the sources give and take. `src/sources` implements, the researcher calls. */

/** What a question asks for. A source declares which of these it answers well. */
export const questionKinds = ['science', 'software', 'models', 'opinion', 'news', 'reference', 'notes'] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** A query before it is fitted to a source. */
export interface SearchQuery {
  /** Words as they would be typed into a search box. */
  readonly text: string;
  /** Subject of the whole question, in its own language; may be empty. */
  readonly subject: string;
  /** The subject in English, as far as it is known; may be empty. */
  readonly englishSubject: string;
}

/** What the choice of calls knows of a source. Declared in `src/sources`, carried by its tools. */
export interface SourceTraits {
  /** Name as people write it ("arXiv"). */
  readonly label: string;
  /** On this machine: a search costs nothing and sends nothing. */
  readonly isLocal: boolean;
  readonly goodFor: readonly QuestionKind[];
  /** Place in the order in which unknown terms are looked up, lowest first. Absent: after all others. */
  readonly lookUpOrder?: number;
  /** The query as the source's search understands it; empty when it holds nothing that could be searched for. */
  fitQuery?(query: SearchQuery): string;
  /**
   * Calls of the source's reading tools that open what its searches only named, best first.
   * @param found Everything that the researcher has found so far, of all sources.
   */
  open?(found: readonly Source[], facts: WorkspaceFacts | undefined): readonly ChosenCall[];
  /** Calls of the source's reading tools that open what the user named, best first: the next is for when one fails. */
  openNamed?(named: Named): readonly NamedCall[];
}

/** A call of a tool that was chosen and not made yet. */
export type ChosenCall = Pick<ToolCall, 'name' | 'args'>;

/** A call that opens what the user named. */
export interface NamedCall extends ChosenCall {
  /** It gives a record of the work: the page that was named says more, where it can be read. */
  readonly isRecord?: boolean;
}

export interface ToolResult {
  readonly documents: readonly FoundDocument[];
  /** For the user, one sentence each: what they should know of the source, though it answered. */
  readonly warnings?: readonly string[];
  /** One or two lines for the model: how many there are in all, what was narrowed, what to try next. */
  readonly note?: string;
  /** What the query's subject is called in English, where the source knows it and the query does not say so. */
  readonly english?: string;
  /** What the source knows of the query's words, where it has searched all that it holds. */
  readonly words?: readonly WordFate[];
  /** How far the search of a folder got. */
  readonly reach?: FolderReach;
  /** What the settings left out of {@link documents}. Set by the wrapper of the calls, never by a tool. */
  readonly leftOut?: readonly LeftOut[];
}

export interface ToolContext {
  /** The question or section that the call serves: results are ordered and cut by it. */
  readonly focus: string;
  /** BCP 47 language of the question. */
  readonly language: string;
  /** The user named what the call opens. */
  readonly isNamed?: boolean;
  /** The address as the user or a source of the run spells it; undefined when nothing names it. Absent: not known. */
  readonly namedAddress?: (url: string) => string | undefined;
  /** Called with the files of the folder that are indexed, while a search waits for them. */
  readonly onIndexed?: (files: number, of: number) => void;
  /** Aborted: the call ends with what it has. */
  readonly enough?: AbortSignal;
  /** Asks a model as a part of this call: journalled, counted and bounded like every call of a model. At most once a call. */
  readonly ask?: (port: ChatPort, request: ChatRequest) => Promise<ChatAnswer>;
}

/**
 * One tool that a model sees. `run` rejects with a `ResearchError` whose message is written for the model (what was wrong,
 * what to try); `rateLimit`, `network`, `timeout` and `auth` also become a warning of the run.
 */
export interface ResearchTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodObject;
  /** Name of the source that it belongs to, or of an MCP server. */
  readonly source: string;
  /** Absent for a tool from outside. */
  readonly traits?: SourceTraits;
  /** `search` takes a `query` argument and gives several documents; `read` opens one. */
  readonly kind: 'search' | 'read';
  /** Its argument `url` is a page of the web: one that can't be read is listed, and is no failure of the source. */
  readonly opensPages?: boolean;
  /** A call may change something: its result is not shared, and it is made once, also after a failure or a resume. */
  readonly hasEffects?: boolean;
  /** A call asks a model ({@link ToolContext.ask}). */
  readonly asksModel?: boolean;
  run(args: Readonly<Record<string, unknown>>, context: ToolContext, signal: AbortSignal): Promise<ToolResult>;
  /** Gets ready while the model reads the question: nothing leaves the machine. What fails here fails again in {@link run}. */
  prepare?(signal: AbortSignal): Promise<void>;
}

/** The arguments that a model wrote, as it meant them: it sends null for "nothing", numbers as texts and single values for lists. */
export function meantArguments(
  { shape }: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const meant: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    meant[name] = Object.hasOwn(shape, name) ? asMeant(shape[name] as z.ZodType, value) : value;
  }
  return meant;
}

function asMeant(schema: z.ZodType, value: unknown): unknown {
  if (schema.safeParse(value).success) return value;
  const candidates = [
    typeof value === 'string' && value.trim() !== '' ? Number(value) : undefined,
    typeof value === 'number' ? String(value) : undefined,
    typeof value === 'string' ? value.trim().toLowerCase() : undefined,
    typeof value === 'string' ? value.split(/[\s,;]+/).filter((part) => part !== '') : [value],
    // An optional text left empty means none.
    undefined,
  ];
  const fitting = candidates.find((candidate) => candidate !== undefined && schema.safeParse(candidate).success);
  return fitting ?? (value === '' ? undefined : value);
}

/** What is declared of the sources of some tools, each once, in the tools' order. */
export function sourceTraits(tools: readonly ResearchTool[]): readonly SourceTraits[] {
  return [...new Set(tools.map(({ traits }) => traits).filter((traits) => traits !== undefined))];
}

/** What the workspace says about the user's subject. It shapes queries and is given to the planner. */
export interface WorkspaceFacts {
  readonly name: string;
  /** Public repositories of the git remotes, `owner/name`. */
  readonly repos: readonly string[];
  /** Programming languages by share, most used first. */
  readonly languages: readonly string[];
  /** Names of packages that the manifests depend on. */
  readonly packages: readonly string[];
  /** System of each of {@link packages} (`npm`, `pypi`, `cargo`…), as far as the manifests show it. */
  readonly packageSystems?: Readonly<Record<string, string>>;
  /** arXiv ids (without version) that its files or BibTeX cite. */
  readonly arxivIds: readonly string[];
  /** The same papers as people name them, the first ones. Absent: none is cited. */
  readonly papers?: readonly string[];
  /** GitHub repositories that its files link to, `owner/name`. */
  readonly githubLinks: readonly string[];
  readonly fileCount: number;
  /** Titles of its documents, the most telling first, at most 30. They are offered to the user and never enter an outgoing query. */
  readonly topics?: readonly string[];
  /** What is open in the editor, or selected in it: a path relative to the folder, with lines where some are selected. */
  readonly openFile?: string;
  /** The question that the user asked before this one, whose report is still shown. */
  readonly earlierQuestion?: string;
  /** Documents that the user attached to the question, in the user's order: sources of the run. */
  readonly attached?: readonly { readonly id: string; readonly title: string; readonly beginning: string }[];
}
