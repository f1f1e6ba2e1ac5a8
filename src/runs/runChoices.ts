import type { Depth } from '../protocol/planBounds.ts';
import type { Attachment, EngineOptions, FollowUp, QuestionSurroundings } from '../protocol/ports.ts';
import type { WantedStrategy } from '../protocol/strategy.ts';

/** What the user chose for one run; the settings decide the rest. */
export interface RunChoices {
  /** Strategy and depth: whatever the folder sets. */
  readonly strategy?: WantedStrategy | undefined;
  readonly depth?: Depth | undefined;
  /** Names of the sources to search. */
  readonly sources?: readonly string[] | undefined;
  readonly withoutModel?: true | undefined;
  readonly attached?: readonly Attachment[];
  readonly around?: QuestionSurroundings;
  readonly followUp?: FollowUp;
  /** "vendor/id" of the editor's model that answers, whatever the settings name. */
  readonly editorModel?: string | undefined;
  /** Of the caller of a tool: counts as if the folder had set it, where it sets none. */
  readonly callerDepth?: Depth | undefined;
  /** The plan is shown before it runs. */
  readonly showPlan?: true | undefined;
}

/** What a run of these choices would start with. What the folder's settings restrict of sources and models still applies. */
export function withChoices(
  options: EngineOptions,
  { strategy, depth, sources, withoutModel, editorModel, callerDepth, showPlan }: RunChoices,
): EngineOptions {
  const own = {
    ...(strategy && { 'deepResearch.strategy': strategy }),
    ...(depth && { 'deepResearch.depth': depth }),
  };
  const chosen = {
    ...own,
    ...(sources === undefined ? {} : { 'deepResearch.sources.enabled': sources }),
    ...(withoutModel === undefined ? {} : { 'deepResearch.model.provider': 'extractive' }),
    ...(editorModel === undefined ? {} : onEditorModel(options, editorModel)),
  };
  return {
    ...options,
    settings: { ...options.settings, ...chosen },
    folderSettings: {
      ...(callerDepth && { 'deepResearch.depth': callerDepth }),
      ...Object.fromEntries(Object.entries(options.folderSettings ?? {}).filter(([key]) => !(key in own))),
      ...(showPlan && { 'deepResearch.planApproval': 'always' }),
    },
  };
}

/** Models of single roles are named for the provider that the settings have. */
function onEditorModel({ settings }: EngineOptions, editorModel: string): Readonly<Record<string, unknown>> {
  const isSame = settings['deepResearch.model.provider'] === 'vscode';
  const roles = isSame ? [] : ['research', 'compression', 'report', 'check'];
  return {
    ...Object.fromEntries(roles.map((role) => [`deepResearch.model.${role}`, ''])),
    'deepResearch.model.provider': 'vscode',
    'deepResearch.model.name': editorModel,
  };
}
