import type { WarningKind } from '../../protocol/warnings.ts';
import { ResearchError } from '../errors.ts';
import { fillText } from '../../protocol/fillText.ts';
import { errorText } from './texts.ts';
import type { RunTexts } from './texts.ts';

/** A step that is done without its model where that fails; its name in people's words is a text. */
export type ReplacedStep = keyof RunTexts['steps'];

/** The values that the text of each kind of warning names. */
interface Values {
  readonly storage: { readonly error: ResearchError };
  readonly 'storage.notSaved': { readonly error: ResearchError };
  readonly 'resume.checkpoint': object;
  readonly 'resume.damaged': { readonly file: string; readonly aside: string };
  readonly 'resume.version': { readonly before: string; readonly now: string };
  readonly 'resume.settings': { readonly keys: string };
  readonly 'resume.model': { readonly before: string; readonly now: string };
  /** What the process did not come back from. */
  readonly 'resume.skipped': { readonly what: string };
  readonly 'settings.unknown': { readonly key: string };
  readonly 'settings.unusable': { readonly key: string };
  readonly 'source.unavailable': { readonly source: string; readonly why: string };
  readonly 'source.failed': { readonly source: string; readonly error: ResearchError };
  readonly 'source.bug': { readonly source: string; readonly tool: string };
  readonly 'source.notice': { readonly source: string; readonly text: string };
  readonly 'folder.scanned': { readonly scanned: number; readonly files: number };
  readonly 'folder.unread': { readonly unread: number; readonly files: number };
  readonly 'folder.cut': { readonly files: number };
  readonly 'attached.unread': { readonly name: string; readonly error: ResearchError };
  readonly 'page.unread': { readonly url: string; readonly error: ResearchError };
  readonly 'sources.offline': object;
  readonly 'sources.notAsked': { readonly sources: string };
  readonly 'query.cut': { readonly source: string; readonly words: string };
  readonly 'query.unasked': { readonly source: string; readonly words: string };
  readonly 'query.refused': { readonly source: string; readonly error: ResearchError };
  readonly 'model.retry': { readonly error: ResearchError; readonly seconds: number };
  readonly 'model.loading': { readonly model: string };
  readonly 'model.helps': { readonly model: string; readonly right: number; readonly of: number };
  readonly 'model.quotes': { readonly model: string; readonly right: number; readonly of: number };
  readonly 'model.late': { readonly model: string };
  readonly 'model.untried': { readonly model: string };
  readonly 'model.replaced': { readonly model: string; readonly setting: string; readonly main: string };
  readonly 'discover.nothing': object;
  readonly 'discover.failed': { readonly error: ResearchError };
  readonly 'plan.bounded': { readonly planned: number; readonly sections: number };
  readonly 'plan.remarkByWords': object;
  readonly 'research.cutShort': { readonly error: ResearchError };
  readonly 'research.byRules': object;
  readonly 'section.failed': { readonly title: string; readonly error: ResearchError };
  readonly 'section.unread': { readonly title: string; readonly error: ResearchError };
  readonly 'section.uncondensed': { readonly title: string; readonly error: ResearchError };
  readonly 'distil.quotesOnly': { readonly error: ResearchError };
  readonly 'review.failed': { readonly error: ResearchError };
  readonly 'reflect.failed': { readonly error: ResearchError };
  readonly 'report.cutShort': { readonly error: ResearchError };
  readonly 'report.tooLong': object;
  readonly 'challenge.notInReport': object;
  readonly 'budget.reached': { readonly what: string };
  readonly 'budget.noPrice': { readonly model: string };
  readonly 'step.byRules': { readonly step: ReplacedStep; readonly error: ResearchError };
  readonly 'model.refused': { readonly error: ResearchError };
  readonly 'passages.refused': { readonly count: number };
  /** `source`: its id; `numbers`: of the sentences; `text`: their words. */
  readonly 'source.aside': {
    readonly source: string;
    readonly title: string;
    readonly numbers: string;
    readonly text: string;
  };
  /** `where`: where the report is saved instead, "" when nowhere; `next`: what to do. */
  readonly 'report.unsaved': { readonly error: ResearchError; readonly where: string; readonly next: string };
  readonly host: { readonly code: string; readonly text: string };
}

/** Something that the user should know of the run, though it continues. */
export type Warning = { [K in WarningKind]: { readonly kind: K } & Values[K] }[WarningKind];

/** A warning as it was emitted. */
export interface EmittedWarning {
  /** Absent in the events of a version that had no kinds. */
  readonly kind?: WarningKind | undefined;
  readonly code: string;
  readonly message: string;
  readonly section?: string;
}

/** Names what the warning is about, so that the same is reported once: the kind, the source or step, the reason. */
export function warningCode(warning: Warning): string {
  switch (warning.kind) {
    case 'host':
      return warning.code;
    case 'source.failed':
      return `source.${warning.source}.${warning.error.reason}`;
    case 'source.bug':
    case 'source.notice':
    case 'source.unavailable':
      return `source.${warning.source}.${warning.kind.slice('source.'.length)}`;
    case 'section.failed':
    case 'section.unread':
    case 'section.uncondensed':
      return `section.${warning.error.reason}`;
    case 'source.aside':
      return `source.aside.${warning.source}.${warning.numbers}`;
    case 'query.cut':
    case 'query.unasked':
      return `${warning.kind}.${warning.source}.${warning.words}`;
    case 'query.refused':
      return `query.refused.${warning.source}.${warning.error.message}`;
    case 'attached.unread':
      return `attached.${warning.name}`;
    case 'page.unread':
      return `page.unread.${warning.url}`;
    case 'settings.unknown':
    case 'settings.unusable':
      return `${warning.kind}.${warning.key}`;
    case 'resume.skipped':
      return `resume.skipped.${warning.what}`;
    case 'storage.notSaved':
      return 'storage';
    case 'step.byRules':
      return `step.${warning.step}.byRules`;
    case 'budget.noPrice':
      return `budget.noPrice.${warning.model}`;
    case 'resume.damaged':
      return `resume.damaged.${warning.file}`;
    case 'model.retry':
      return `model.${warning.error.reason}`;
    default:
      return warning.kind;
  }
}

/**
 * The text of a warning.
 * @param texts In the language of the report.
 */
export function warningText(warning: Warning, texts: RunTexts): string {
  // What a service said is quoted where it does not reach the report.
  const wordsOf = ({ reason, refusal, origin, plain, message }: ResearchError): string =>
    errorText({ reason, refusal, origin, plain: isInAccount(warning) ? plain : message }, texts);
  const values = Object.entries(warning).map(([name, value]: [string, unknown]): [string, string] => [
    name,
    ResearchError.is(value) ? wordsOf(value) : String(value),
  ]);
  if (warning.kind === 'step.byRules') values.push(['step', texts.steps[warning.step]]);
  return fillText(texts.warnings[warning.kind], Object.fromEntries(values)).trim();
}

/** Kinds after which a part of the report is missing or poorer than it should be. */
const gaps: ReadonlySet<WarningKind> = new Set([
  'research.cutShort',
  'section.failed',
  'section.unread',
  'section.uncondensed',
  'distil.quotesOnly',
  'report.cutShort',
  'report.tooLong',
  'budget.reached',
  'model.refused',
]);

/** Those after which all was searched that a run without a model searches. */
const writingGaps: ReadonlySet<WarningKind> = new Set([
  'distil.quotesOnly',
  'report.cutShort',
  'report.tooLong',
  'model.refused',
]);

/** Kinds that say what a step did without its model. */
const losses: ReadonlySet<WarningKind> = new Set([
  'research.cutShort',
  'section.uncondensed',
  'distil.quotesOnly',
  'review.failed',
  'reflect.failed',
  'report.cutShort',
  'step.byRules',
]);

/** One warning of a model that answers no further call, in place of one for each step that lacks it. */
export function withoutRepeats(warning: Warning, isRefused: (error: ResearchError) => boolean): Warning {
  if (!losses.has(warning.kind) || !('error' in warning) || !isRefused(warning.error)) return warning;
  return { kind: 'model.refused', error: warning.error };
}

export function leavesGap({ kind }: Pick<EmittedWarning, 'kind'>): boolean {
  return kind !== undefined && gaps.has(kind);
}

/** Whether something that could be searched was not. */
export function leavesUnsearched(warning: Pick<EmittedWarning, 'kind'>): boolean {
  return leavesGap(warning) && !writingGaps.has(warning.kind!);
}

/** Kinds that belong to a step: when the step is repeated, they no longer apply. */
export function belongsToStep(warning: Pick<EmittedWarning, 'kind'>): boolean {
  return leavesGap(warning) || warning.kind === 'report.unsaved';
}

/** Kinds that a run may emit again after it was resumed: another full disk, another changed setting. */
const perProcess = /^(?:storage|settings|resume(?!\.skipped))(?:\.|$)/;

export function mayRecur({ kind }: Pick<EmittedWarning, 'kind'>): boolean {
  return kind !== undefined && perProcess.test(kind);
}

/** What was not searched: said above all that was found. What was searched for its words alone is said in the account. */
export function isFolderGap({ kind }: Pick<EmittedWarning, 'kind'>): boolean {
  return kind === 'folder.unread' || kind === 'folder.cut';
}

/** Kinds that the account of the report leaves out: failed sections have a line of their own, a retried call did not fail. */
const notInAccount: ReadonlySet<WarningKind> = new Set([
  'section.failed',
  'section.unread',
  'section.uncondensed',
  'model.retry',
  // They name what must not leave the workspace, and a report may.
  'query.cut',
  'query.unasked',
  'query.refused',
  // Its sources are named in a line of their own, without what they say to whoever reads it.
  'source.aside',
  'model.loading',
]);

export function isInAccount({ kind }: Pick<EmittedWarning, 'kind'>): boolean {
  return !isFolderGap({ kind }) && (kind === undefined || !notInAccount.has(kind));
}
