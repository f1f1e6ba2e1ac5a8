import type * as z from 'zod';
import { strategyOf, type WantedStrategy, wantedStrategies } from '../../protocol/strategy.ts';
import { pricesAsOf } from './prices.ts';
import {
  address,
  atMost,
  bothLists,
  bothPatterns,
  choice,
  focusTemplates,
  hintText,
  innerFolder,
  languageTag,
  later,
  onOff,
  optionalAddress,
  optionalDate,
  optionalText,
  prices,
  places,
  requiredText,
  type Setting,
  sharedList,
  smaller,
  smallerOrNoLimit,
  stricterOf,
  texts,
  toolServers,
  whereSet,
  whole,
} from './setting.ts';

/** The strategies that a user may choose. */
const strategySettings = Object.fromEntries(
  wantedStrategies.flatMap((name) => (name === 'auto' ? [] : [[name, strategyOf(name).setting!]])),
) as Readonly<Record<Exclude<WantedStrategy, 'auto'>, string>>;

/** What providers and sources add to the settings: their names, texts and addresses. */
export interface Offered {
  readonly providers: readonly { readonly name: string; readonly description: string }[];
  readonly sources: readonly {
    readonly name: string;
    readonly description: string;
    readonly services: readonly {
      readonly name: string;
      readonly endpoint: { readonly default?: string; readonly description: string };
    }[];
    readonly settings?: Readonly<Record<string, Setting>>;
  }[];
}

const answerTokens = (what: string) =>
  ({
    schema: whole(0, 1_000_000, 0),
    group: 'model',
    setBy: 'folder',
    tighten: smallerOrNoLimit,
    text: `Maximum tokens of one answer from the ${what} model. \`0\`: the model's own limit.`,
  }) as const;
const otherModel = (task: string, standard = 'model.name') =>
  ({
    schema: optionalText,
    group: 'model',
    setBy: 'folder',
    todays: 'model',
    text: `Model for ${task}. Empty: \`#deepResearch.${standard}#\`.`,
  }) as const;
const limit = <S extends z.ZodType>(schema: S, text: string) =>
  ({ schema, group: 'limits', setBy: 'folder', tighten: smaller, text }) as const;
const budget = <S extends z.ZodType>(schema: S, text: string) =>
  ({ schema, group: 'budget', setBy: 'folder', tighten: smallerOrNoLimit, todays: 'other', text }) as const;
const sourceList = (tighten: NonNullable<Setting['tighten']>, text: string) =>
  ({ schema: texts, group: 'sources', setBy: 'folder', tighten, perFolder: true, text }) as const;
const endpointOf = <S extends z.ZodType>(schema: S, text: string) =>
  ({ schema, group: 'sources', setBy: 'user', todays: 'other', allowed: 'an http(s) URL', text }) as const;
const ofFolder = { setBy: 'folder', perFolder: true, todays: 'other' } as const;
const shownByDefault = (text: string) =>
  ({ schema: onOff(true), group: 'report', ...ofFolder, allowed: 'true or false', text }) as const;

/** Every setting but those that sources declare. */
const own = {
  'model.provider': {
    schema: requiredText('auto'),
    group: 'model',
    setBy: 'folder',
    // Any other provider may send what the user's sends nowhere.
    tighten: (user = 'auto', folder) => (folder === 'extractive' ? folder : user),
    todays: 'server',
    text: 'Who answers model calls. `auto`: the provider whose key is saved with **Deep Research: Use API Key**, else the server at `#deepResearch.model.baseUrl#`, else the models of VS Code, else an Ollama or LM Studio on this machine, else no model.',
  },
  'model.name': {
    schema: optionalText,
    group: 'model',
    setBy: 'folder',
    todays: 'model',
    text: "Name of the model. Empty: the provider's default, or the first model that the server lists.",
  },
  'model.baseUrl': {
    schema: optionalAddress,
    group: 'model',
    setBy: 'user',
    todays: 'server',
    allowed: 'an http(s) URL',
    text: "Address of the API, up to but not including `/chat/completions`. Empty: the provider's own. A saved key is sent only to the origin it was saved for.",
  },
  'model.research': otherModel('researching a section: searching, reading, deciding what to do next'),
  'model.compression': otherModel('distilling what a researcher found'),
  'model.report': otherModel('writing the report'),
  'model.check': otherModel(
    'checking the statements of a report against the passages that they cite',
    'model.compression',
  ),
  'model.researchMaxTokens': answerTokens('research'),
  'model.compressionMaxTokens': answerTokens('compression'),
  'model.reportMaxTokens': answerTokens('report'),
  'model.checkMaxTokens': answerTokens('check'),
  'model.enableThinking': {
    schema: onOff(false),
    group: 'model',
    setBy: 'folder',
    tighten: (user = false, folder) => user === true && folder === true,
    allowed: 'true or false',
    text: 'Models that can think before they answer do so. Better on hard questions, slower, and more expensive.',
  },
  'model.trust': {
    ...choice(
      {
        auto: 'What a trial of a few small tasks shows, once for each model: it leads the research, it only writes, or the report is made of quotes.',
        always: 'Every model leads, without a trial.',
      },
      'auto',
    ),
    group: 'model',
    setBy: 'user',
    text: 'How far a model is trusted.',
  },
  strategy: {
    ...choice(
      {
        auto: 'The one that fits the question.',
        ...strategySettings,
      },
      'auto',
    ),
    group: 'run',
    setBy: 'folder',
    text: 'How the question is researched.',
  },
  depth: {
    ...choice(
      {
        quick: 'A short answer from a few calls.',
        standard: 'A report with a few sections.',
        deep: 'More sources per section and more rounds of review.',
      },
      'standard',
    ),
    group: 'run',
    setBy: 'folder',
    tighten: whereSet(stricterOf(['deep', 'standard', 'quick'], 'standard')),
    text: 'How much a run may do. Deeper runs need more calls and more time.',
  },
  clarification: {
    ...choice(
      {
        off: 'Never. The best guess is taken and stated in the report.',
        whenNeeded: 'When the question leaves something open that changes the result.',
        always: 'Before every run, at least to confirm what was understood.',
      },
      'whenNeeded',
    ),
    group: 'run',
    setBy: 'folder',
    tighten: stricterOf(['off', 'whenNeeded', 'always'], 'whenNeeded'),
    text: 'When Deep Research asks a clarifying question before it starts.',
  },
  planApproval: {
    ...choice(
      {
        never: 'Never.',
        whenCostly:
          'When the run is estimated at over 60 model calls, 500,000 tokens or 1 USD, or when the question leaves room for interpretation.',
        always: 'Before every run.',
      },
      'whenCostly',
    ),
    group: 'run',
    setBy: 'folder',
    tighten: stricterOf(['never', 'whenCostly', 'always'], 'whenCostly'),
    text: 'When the plan needs your approval.',
  },
  focusTemplates: {
    schema: focusTemplates,
    group: 'run',
    setBy: 'folder',
    allowed:
      'a list of {"name": "…", "when": "…", "focus": ["…"]}, each with a name of its own and one to eight focus points',
    text: 'Focus points for questions of a kind: `{"name": "Drug target", "when": "inhibitor, target", "focus": ["mechanism", "trials", "resistance"]}`. A template is used when the question contains one of the phrases in `when` (separated by commas), and offered as an answer when Deep Research asks what to focus on.',
  },
  reviewApproval: {
    ...choice(
      {
        never: 'Never. The reviews decide.',
        always:
          'After every review that can send something back (strategy `sections`). The quick review of a single section then sends nothing back by itself.',
      },
      'never',
    ),
    group: 'run',
    setBy: 'folder',
    tighten: stricterOf(['never', 'always'], 'never'),
    text: 'When you decide which sections the review sends back.',
  },
  verification: {
    ...choice(
      {
        auto: '`thorough` at depth `deep`, otherwise `standard`.',
        off: 'Never. Figures, dates, addresses and quotations are still compared with the sources by code.',
        standard: 'Once, within about a quarter of the tokens of a run.',
        thorough: 'Three times in different orders; the majority counts.',
      },
      'auto',
    ),
    group: 'run',
    setBy: 'folder',
    tighten: stricterOf(['off', 'standard', 'auto', 'thorough'], 'auto'),
    text: 'How a model that knows neither the question nor the writer checks each statement of a report against the passages that it cites. Without a model nothing is checked: reports are quotes then.',
  },
  'limits.maxToolCallsPerResearcher': limit(
    whole(1, 50, 10),
    'Maximum tool calls of one researcher in one attempt at a section, or in one round of the iterative strategy.',
  ),
  'limits.maxReviewIterations': limit(
    whole(0, 5, 2),
    'How often a section may be sent back, whichever review does it, and how many rounds of review there are.',
  ),
  'limits.maxDiscoverIterations': limit(
    whole(1, 10, 5),
    'Maximum rounds of searching for the items of a list question.',
  ),
  'limits.maxIterations': limit(whole(1, 10, 5), 'Maximum rounds of the strategy `iterative`.'),
  'limits.maxSupervisorIterations': limit(
    whole(1, 20, 6),
    'Maximum turns of the lead researcher in the strategy `supervisor`.',
  ),
  'limits.maxConcurrentResearchers': limit(
    whole(1, 20, 5),
    'Maximum researchers running at the same time. Further sections wait their turn.',
  ),
  'limits.maxStructuredOutputRetries': limit(
    whole(0, 5, 3),
    'How often a model may correct an answer that does not match the required structure.',
  ),
  'limits.maxContextTokens': limit(whole(2_000, 2_000_000, 100_000), 'Maximum tokens of one prompt.'),
  'limits.compressionTargetTokens': limit(
    whole(500, 200_000, 8_000),
    "Maximum tokens of a section's material that is distilled at once.",
  ),
  'limits.idleSeconds': {
    schema: whole(1, 3_600, 90),
    group: 'limits',
    setBy: 'folder',
    todays: 'other',
    text: 'A model call times out after this many seconds of silence.',
  },
  'budget.maxTokens': budget(
    whole(0, 1_000_000_000, 0),
    'Maximum tokens of a run, prompts and answers together. `0`: no limit. Near it the research narrows; at least a tenth is reserved for the report.',
  ),
  'budget.maxMinutes': budget(
    atMost(100_000),
    'Maximum minutes of a run, without the time in which it waits for you. `0`: no limit.',
  ),
  'budget.maxCost': budget(
    atMost(1_000_000),
    'Maximum cost of a run, in US dollars. `0`: no limit. It needs a price for each model, see `#deepResearch.prices#`.',
  ),
  prices: {
    schema: prices,
    allowed: 'an object like {"my-model": {"in": 0.4, "out": 1.2, "cached": 0.1}}',
    group: 'budget',
    setBy: 'user',
    todays: 'other',
    text: `Prices in US dollars for a million tokens, by the name of a model or the beginning of it: \`{"my-model": {"in": 0.4, "out": 1.2, "cached": 0.1}}\`. They replace the published ones, which are known for models of OpenAI and Anthropic (as of ${pricesAsOf}). For any other model only tokens are shown.`,
  },
  'sources.enabled': sourceList(
    sharedList,
    'Where to search; MCP servers by their names. Empty: every source that works.',
  ),
  'sources.include': sourceList(
    sharedList,
    'Only use results from these domains, such as `arxiv.org`. Empty: no limit.',
  ),
  'sources.exclude': sourceList(bothLists, 'Drop results from these domains.'),
  'sources.since': {
    schema: optionalDate,
    group: 'sources',
    setBy: 'folder',
    tighten: later,
    perFolder: true,
    allowed: 'a date like 2025-01-31',
    pattern: { source: '^(\\d{4}-\\d{2}-\\d{2})?$', text: 'Enter a date as YYYY-MM-DD, or leave it empty.' },
    text: 'Only use what was published on or after this date (`YYYY-MM-DD`). Empty: no limit.',
  },
  'network.allowPrivateHosts': {
    schema: places,
    group: 'sources',
    setBy: 'user',
    todays: 'other',
    allowed: 'hosts with their ports, such as wiki.example:8080',
    text: 'Hosts of this machine or a private network whose pages may be read, each with its port, such as `wiki.example:8080`. Pages elsewhere must be public.',
  },
  mcpServers: {
    schema: toolServers,
    group: 'sources',
    setBy: 'user',
    todays: 'other',
    allowed: 'servers by name, each with a command (args, env) or a url (headers)',
    text: 'MCP servers whose tools a researcher may call, by name: `{"command", "args", "env"}` or `{"url", "headers"}`. `tools` names those that may be used; without it, those that declare `readOnlyHint: true`, and you are asked about the others, as you are about one whose description has changed. Without a model, and beside one, code searches only with tools that `searches` names, and with those that declare to change nothing where `#deepResearch.sources.enabled#` names the server. Not started in an untrusted workspace.',
  },
  mcpPrompt: {
    schema: hintText,
    group: 'sources',
    setBy: 'user',
    text: 'A hint for the model on when to use the tools of `#deepResearch.mcpServers#`.',
  },
  'workspace.forModel': {
    ...choice(
      { off: 'Nothing.', metadata: 'Git remotes, manifests and cited papers.', content: 'The text of files as well.' },
      'content',
    ),
    group: 'workspace',
    setBy: 'folder',
    tighten: stricterOf(['content', 'metadata', 'off'], 'content'),
    perFolder: true,
    text: 'What a model may see of the workspace. A run without a model reads the files all the same, and quotes them to you alone.',
  },
  'workspace.inQueries': {
    ...choice(
      {
        nothing: 'Nothing: a query has only words of the question and of public sources.',
        public: 'Names that are public anyway: repositories and packages that their service confirms, paper ids.',
        all: 'Anything.',
      },
      'public',
    ),
    group: 'workspace',
    setBy: 'folder',
    tighten: stricterOf(['all', 'public', 'nothing'], 'public'),
    perFolder: true,
    text: 'What of the workspace may appear in a search query that leaves this machine, also in one that a model writes.',
  },
  'endpoints.depsdev': endpointOf(
    address('https://api.deps.dev'),
    'The address of the deps.dev API. It is asked whether a package is public before its name is used in a query.',
  ),
  'workspace.exclude': {
    schema: texts,
    group: 'workspace',
    setBy: 'folder',
    tighten: bothPatterns,
    perFolder: true,
    text: "Globs of files that are never read, in addition to `.gitignore`, secret-like files, binaries, dependencies and Deep Research's own reports.",
  },
  'report.folder': {
    schema: innerFolder('research'),
    allowed: 'a folder inside of the workspace, not one that begins with a dot',
    group: 'report',
    setBy: 'folder',
    perFolder: true,
    todays: 'other',
    text: 'Folder where reports are saved, relative to the workspace folder.',
  },
  'report.language': {
    schema: languageTag,
    allowed: 'auto or a language tag like en or zh-CN',
    group: 'report',
    setBy: 'folder',
    perFolder: true,
    text: "Language of the report: `auto` for the question's, or a tag such as `en` or `zh-CN`.",
  },
  'report.openAs': {
    ...choice(
      {
        preview: 'As it is read, with the passage of each citation; while it is written too.',
        text: 'As Markdown, when it is finished.',
        both: 'Both beside each other.',
      },
      'preview',
    ),
    group: 'report',
    setBy: 'folder',
    text: 'How a report opens. `workbench.editorAssociations` wins for files that it names.',
  },
  'report.evidence': {
    ...choice(
      {
        none: 'Only the report.',
        sidecar:
          'A second Markdown file beside the report: each cited statement with its passages, word for word, and its verdict.',
      },
      'sidecar',
    ),
    group: 'report',
    setBy: 'folder',
    tighten: stricterOf(['sidecar', 'none'], 'sidecar'),
    perFolder: true,
    todays: 'other',
    text: 'What is saved beside a report.',
  },
  'report.charts': shownByDefault(
    'A small chart beside a table that has three or more figures in one unit in a column that their sources support, in the rendered report and the exported page.',
  ),
  'report.hints': shownByDefault(
    'In the text of a report in the report folder, hints at sentences that were edited or that no second reader has confirmed, with *Check Again* as their quick fix.',
  ),
  'runs.keep': {
    schema: whole(1, 100_000, 200),
    group: 'report',
    setBy: 'user',
    text: 'How many runs stay in the history. An interrupted or waiting run stays 30 days longer.',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** `endpoints.NAME`: the base address of a service. Each source declares its own (`src/sources/source.ts`). */
type EndpointSetting = `endpoints.${string}`;
/** The parsed settings, by key without prefix. */
export type Settings = { readonly [K in keyof typeof own]: z.infer<(typeof own)[K]['schema']> } & Readonly<
  Partial<Record<EndpointSetting, string>>
>;
export type SettingKey = keyof Settings;
/** By key, without prefix. */
export type DeclaredSettings = Readonly<Record<string, Setting>>;

/** All settings of a program that has these providers and sources, in the order of the settings editor and docs/settings.md. */
export function declareSettings({ providers, sources }: Offered): DeclaredSettings {
  const provider = choice(
    {
      auto: 'The first provider in this order that is configured.',
      ...Object.fromEntries(providers.map(({ name, description }) => [name, description])),
    },
    'auto',
  );
  const ofSources = sources.flatMap(({ services, settings = {} }): [string, Setting][] => [
    ...services.map(({ name, endpoint }): [string, Setting] => {
      const schema = endpoint.default === undefined ? optionalAddress : address(endpoint.default);
      return [`endpoints.${name}`, endpointOf(schema, endpoint.description)];
    }),
    ...Object.entries(settings),
  ]);
  return {
    ...own,
    'model.provider': { ...own['model.provider'], ...provider },
    'sources.enabled': {
      ...own['sources.enabled'],
      // The user's own MCP servers have names too.
      isOpen: true,
      values: Object.fromEntries(sources.map(({ name, description }) => [name, description])),
    },
    ...Object.fromEntries(ofSources),
  };
}
