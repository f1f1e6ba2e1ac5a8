import type { ParsedRequest, WireTool } from './modelRequest.ts';
import { verdictsOf } from './rightReader.ts';

/** How the imitated model works. */
export interface Imitation {
  /** Sections of a plan that is not made of discovered entities. Default 3. */
  readonly sections?: number;
  /** Searches made at a time in a researcher's first turn. Default 3. */
  readonly searches?: number;
  /** Each researcher notes a thought (the `think` tool) beside the end of its searches. Default true. */
  readonly thinks?: boolean;
  /** Turns with searches before a researcher is done. Default 1. */
  readonly rounds?: number;
}

export interface ImitatedAnswer {
  readonly text: string;
  readonly toolCalls: readonly {
    readonly id?: string;
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>>;
  }[];
}

/**
 * What a careful, rather dull model would answer. Quotes are verbatim text of the fenced sources, citations only ids that
 * stand in the prompt, and nothing is random.
 */
export function answerLikeAModel(
  request: ParsedRequest,
  imitation: Imitation,
  log: readonly ParsedRequest[],
): ImitatedAnswer {
  switch (request.step) {
    case 'trial':
      return json(trialAnswers(request.prompt));
    case 'assess':
      return json(assess(request));
    case 'followUp':
      return json({ standalone_question: request.question });
    case 'challenge': {
      const claims = sectionsOf(request.prompt).flatMap(({ body }) => claimsOf(body));
      return json({ outcome: 'condition', reasons: claims.slice(0, 3).join(' '), corrected: claims.at(-1) ?? '' });
    }
    case 'analyze':
      return json(analyze(request));
    case 'discover':
      return json(discover(request));
    case 'plan':
      return json(plan(request, imitation));
    case 'act':
      return act(request, imitation, log);
    case 'distil':
      return json(distil(request));
    case 'review':
      return json(review(request));
    case 'reflect':
      return json(reflect(request));
    case 'brief':
      return json({ research_brief: `I want to know: ${request.question} I have no preference as to anything else.` });
    case 'supervise':
      return supervise(request);
    case 'report':
      return { text: report(request), toolCalls: [] };
    case 'section':
      return { text: sectionText(request), toolCalls: [] };
    case 'frame':
      return json(frame(request));
    case 'critique':
      return json({ reasoning: 'It says what was found.', points: [] });
    case 'verify':
      return json(verdictsOf(request.prompt));
    case 'other':
      return { text: 'ok', toolCalls: [] };
  }
}

const json = (value: unknown): ImitatedAnswer => ({ text: JSON.stringify(value), toolCalls: [] });

/** The right answers to the tasks of a trial. */
export function trialAnswers(prompt: string): Record<string, string> {
  const sentences = [...prompt.matchAll(/^\d+\. (.+)$/gm)].map(([, sentence = '']) => sentence);
  const numbered = (ask: string): string => sentences[Number(/entence (\d+)/.exec(ask)?.[1]) - 1] ?? '';
  const quoted = (text: string): string[] => [...text.matchAll(/"([^"]+)"/g)].map(([, word = '']) => word);
  const hasAll = (sentence: string, words: readonly string[]): boolean =>
    words.every((word) => sentence.includes(word));
  const answerTo = (ask: string): string => {
    if (ask.startsWith('Which')) return String(sentences.findIndex((one) => hasAll(one, quoted(ask))) + 1);
    if (ask.startsWith('Is sentence')) return hasAll(numbered(ask), quoted(ask).slice(0, 1)) ? 'A' : 'B';
    if (ask.startsWith('The first number')) return /(?<![\p{L}\p{N}.,])\d+(?:[.,]\d+)*/u.exec(numbered(ask))?.[0] ?? '';
    if (ask.startsWith('"stop"'))
      return quoted(ask)
        .slice(1, 3)
        .every((word) => sentences.some((one) => one.includes(word)))
        ? 'stop'
        : 'continue';
    return numbered(ask);
  };
  return Object.fromEntries(
    [...prompt.matchAll(/^([a-z]+): (.+)$/gm)].map(([, field = '', ask = '']) => [field, answerTo(ask)]),
  );
}

function assess(request: ParsedRequest) {
  const topic = topicOf(request.question);
  return {
    need_clarification: false,
    question: '',
    options: [],
    recommended: '',
    missing_info: '',
    verification: `You want to know about ${topic}; research starts now.`,
    refined_query: request.question,
    assessment: {
      topic_clear: true,
      scope_inferable: true,
      goal_clear: true,
      unknown_terms: [],
      focus: [`How ${topic} works`, `Methods for ${topic}`, `Limits of ${topic}`],
      confidence: 0.95,
      reasoning: 'Topic, scope and goal are stated.',
    },
  };
}

function analyze(request: ParsedRequest) {
  const question = request.question.toLowerCase();
  const comparison = /\bvs\.?\b|differ|compar|对比|区别/.test(question);
  const deep = /in detail|in depth|深入/.test(question);
  return {
    query_type: comparison ? 'comparison' : deep ? 'deep_dive' : 'general',
    output_format: comparison ? 'table' : 'prose',
    needs_discovery: false,
    discovery_target: '',
    reasoning: 'By the wording of the question.',
  };
}

function discover(request: ParsedRequest) {
  const entities = request.sources.slice(0, 5).map((source, index) => ({
    name: source.title.split(':')[0]?.slice(0, 60) || source.id,
    category: 'approach',
    brief: firstSentences(source.text, 1)[0] ?? source.title,
    source: source.id,
    urls: [],
    priority: index < 2 ? 'high' : 'medium',
  }));
  return {
    entities,
    summary: `${entities.length} found.`,
    total_found: entities.length,
    categories: ['approach'],
    search_coverage: 'All sources that the search returned.',
  };
}

function plan(request: ParsedRequest, imitation: Imitation) {
  const topic = topicOf(request.question);
  const entities = [
    ...(/<discovered>\n([\s\S]*?)\n<\/discovered>/.exec(request.prompt)?.[1] ?? '').matchAll(/^- (.+?)(?: \(|:|$)/gm),
  ].map((match) => match[1] ?? '');
  // The members of a list that no one has extracted yet.
  if (entities.length === 0 && /Wanted is a list/.test(request.prompt))
    entities.push(...discover(request).entities.map(({ name }) => name));
  const aspects = [
    'How it works',
    'Methods and techniques',
    'Evaluation',
    'Limits and open problems',
    'Tools and code',
    'Cost and speed',
    'Data',
  ];
  const count = imitation.sections ?? 3;
  const titles =
    entities.length >= 2
      ? entities.slice(0, 7)
      : Array.from({ length: count }, (_, index) => aspects[index] ?? `Aspect ${index + 1}`);
  return {
    sections: titles.map((title) => ({ title, queries: [`${topic}`, `${topic} ${title.toLowerCase()}`] })),
    title: capitalise(topic),
    objective: `Answer: ${request.question.slice(0, 200)}`,
    scope: 'Published work and open code.',
    descriptions: titles.map((title) => `${title}: what the sources say about ${topic}.`),
  };
}

/** Never satisfied with the first round, always with the second. */
function reflect(request: ParsedRequest) {
  const first = /This was round 1 of/.test(request.prompt);
  const sections = [...request.prompt.matchAll(/<section id="(\w+)" title="([^"]*)"/g)];
  return {
    is_sufficient: !first,
    overall_score: first ? 5 : 8,
    gaps: first
      ? sections.slice(0, 1).map(([, id]) => ({ section: id, gap: 'Figures of a benchmark are missing.' }))
      : [],
    next_queries: first
      ? sections.slice(0, 2).map(([, id, title]) => ({
          section: id,
          query: `${topicOf(request.question)} ${title!.toLowerCase()} benchmark figures`,
        }))
      : [],
    contradictions: [],
    reasoning: first ? 'The first round gives an overview.' : 'Enough for the report.',
  };
}

/** Thinks, delegates one topic a side of a comparison (else one), thinks, and ends. */
function supervise(request: ParsedRequest): ImitatedAnswer {
  const turn = request.messages.filter((message) => message.role === 'assistant').length;
  const sides = /^(?:compare )?(.+?) (?:vs\.?|versus|and|with) (.+?)[?.]?$/i.exec(request.question);
  const topics =
    /\bvs\.?\b|compar/i.test(request.question) && sides ? [sides[1]!, sides[2]!] : [topicOf(request.question)];
  if (turn === 0)
    return { text: '', toolCalls: [{ name: 'think', args: { reflection: 'One researcher a direction.' } }] };
  if (turn === 1) {
    return {
      text: '',
      toolCalls: topics.map((topic) => ({
        name: 'ConductResearch',
        args: {
          title: capitalise(topic),
          research_topic: `${topic}: find out how it works, with figures. Leave everything else out.`,
        },
      })),
    };
  }
  return { text: '', toolCalls: [{ name: 'ResearchComplete', args: {} }] };
}

function act(request: ParsedRequest, imitation: Imitation, log: readonly ParsedRequest[]): ImitatedAnswer {
  const sentBack = /<missing>/.test(request.prompt);
  const turn = turnOf(request, sentBack, log);
  const rounds = imitation.rounds ?? 1;
  const thinks = imitation.thinks ?? true;
  const tools = request.tools.length > 0 ? request.tools : toolsOfText(request.prompt);
  let calls: ImitatedAnswer['toolCalls'];
  if (turn < rounds) {
    const searches = tools.filter((tool) => tool.parameters.properties?.['query']).slice(0, imitation.searches ?? 3);
    calls = searches.map((tool, index) => ({
      name: tool.name,
      args: searchArguments(tool, queryOf(request, turn + index, sentBack)),
    }));
  } else {
    const reflection = 'The sources answer the main question; enough to write the section.';
    const thought = { name: 'think', args: { reflection } };
    calls = [...(turn === rounds && thinks ? [thought] : []), { name: 'research_complete', args: {} }];
  }
  if (calls.length === 0) calls = [{ name: 'research_complete', args: {} }];
  // The ids tell the turn, so that the next request does.
  if (request.tools.length > 0)
    return { text: '', toolCalls: calls.map((call, index) => ({ id: `turn${turn}_${index}`, ...call })) };
  return json({ said: '', tool_calls: calls.map((call) => ({ name: call.name, arguments: call.args })) });
}

/** How many turns its researcher had, from the conversation; where that tells nothing, from what was answered before. */
function turnOf(request: ParsedRequest, sentBack: boolean, log: readonly ParsedRequest[]): number {
  const said = request.messages.filter((message) => message.role === 'assistant');
  if (said.length === 0) return 0;
  const told = /^turn(\d+)_/.exec(said.at(-1)!.toolCalls[0]?.id ?? '')?.[1];
  if (told !== undefined) return Number(told) + 1;
  // A run begins with its assessment: what an earlier run asked does not count.
  const began = log.findLast((other) => other.step === 'assess')?.index ?? -1;
  return log.filter(
    (other) =>
      other.index > began &&
      other.step === 'act' &&
      other.section === request.section &&
      /<missing>/.test(other.prompt) === sentBack,
  ).length;
}

/** Tools named in a prompt whose server can't take tools: `- name(query: string, …): …`. */
function toolsOfText(prompt: string): WireTool[] {
  return [...prompt.matchAll(/"name": ?"(\w+)"/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => name !== 'think' && name !== 'research_complete')
    .map((name) => ({ name, parameters: { properties: { query: { type: 'string' } } } }));
}

function searchArguments(tool: WireTool, query: string): Readonly<Record<string, unknown>> {
  const args: Record<string, unknown> = { query };
  for (const name of tool.parameters.required ?? []) {
    if (name === 'query') continue;
    const property = tool.parameters.properties?.[name];
    args[name] =
      property?.enum?.[0] ??
      (property?.type === 'integer' || property?.type === 'number' ? 5 : property?.type === 'boolean' ? false : query);
  }
  return args;
}

function queryOf(request: ParsedRequest, index: number, sentBack: boolean): string {
  const listed = [...(/<queries>\n([\s\S]*?)\n<\/queries>/.exec(request.prompt)?.[1] ?? '').matchAll(/^- (.+)$/gm)].map(
    (match) => match[1] ?? '',
  );
  const topic = topicOf(request.question || request.section);
  const query = listed.length > 0 ? (listed[index % listed.length] ?? topic) : topic;
  return sentBack ? `${query} benchmark` : query;
}

function distil(request: ParsedRequest) {
  // Sections look at their sources from different ends, so that a report does not say everything three times.
  const turn = request.section.length % Math.max(1, request.sources.length);
  const sources = [...request.sources.slice(turn), ...request.sources.slice(0, turn)].slice(0, 5);
  const findings = sources.flatMap((source, index) => {
    const found = firstSentences(source.text.replace(/\{\d+\} /g, ''), 3);
    const chosen = found.length > 1 ? found.slice(index % 2, (index % 2) + 2) : found;
    return chosen.map((sentence) => ({ source: source.id, ...named(sentence, source.text) }));
  });
  return { off_topic: [], to_readers: [], key_findings: findings, content: '' };
}

/** A sentence by the number that stands before it; every other one in words of the model's own, as those of a page often need. */
function named(sentence: string, numbered: string): { readonly quote: string; readonly claim: string } {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
  const [, number] =
    [...numbered.matchAll(/\{(\d+)\} ([^{}]*)/g)].find(([, , text = '']) => plain(text).startsWith(sentence)) ?? [];
  if (number === undefined) return { quote: sentence, claim: sentence };
  return { quote: number, claim: Number(number) % 2 === 0 ? '' : sentence };
}

function review(request: ParsedRequest) {
  const sections = sectionsOf(request.prompt);
  return {
    is_sufficient: true,
    overall_score: 8,
    section_coverage: sections.map((section) => ({
      title: section.title,
      id: section.id,
      status: 'sufficient',
      notes: 'Covered by its sources.',
    })),
    gaps: [],
    sections_to_retry: [],
    reasoning: 'Every section has sources and findings.',
    contradictions: [],
  };
}

function report(request: ParsedRequest): string {
  const last = request.messages.at(-1);
  const begun = request.messages
    .filter((message) => message.role === 'assistant')
    .map((message) => message.content)
    .join('');
  const whole = wholeReport(request);
  // Asked to go on where it stopped.
  if (last?.role === 'user' && begun !== '' && whole.startsWith(begun.trimEnd()))
    return whole.slice(begun.trimEnd().length);
  return whole;
}

function wholeReport(request: ParsedRequest): string {
  const sections = sectionsOf(request.prompt).map((section) => ({ ...section, claims: claimsOf(section.body) }));
  const first = [...new Set(sections.flatMap((section) => section.claims.slice(0, 2)))];
  const summary = first.length > 0 ? first.join(' ') : 'No source answered the question.';
  const title = capitalise(topicOf(request.question)) || 'Report';
  const isAnswer = request.prompt.startsWith('You answer a question about a research report');
  const parts = sections.map(
    (section) =>
      `## ${section.title}\n\n${section.claims.length > 0 ? section.claims.join(' ') : 'Nothing was found for this section.'}`,
  );
  if (isAnswer) return `${[`# ${title}`, ...sections.map(answer)].join('\n\n')}\n`;
  return (
    [
      `# ${title}`,
      summary,
      ...parts,
      `## Conclusion and outlook\n\n${first.at(-1) ?? 'More sources are needed.'}`,
    ].join('\n\n') + '\n'
  );
}

/** As long as an answer may be, in words. */
const longestAnswer = 150;

function answer({ title, claims }: { readonly title: string; readonly claims: readonly string[] }): string {
  let words = 0;
  const said = claims.filter((claim) => (words += claim.split(' ').length) <= longestAnswer);
  return `## ${title}\n\n${said.length > 0 ? said.join(' ') : 'Nothing was found for this section.'}`;
}

function sectionText(request: ParsedRequest): string {
  const claims = sectionsOf(request.prompt).flatMap(({ body }) => claimsOf(body));
  if (claims.length === 0) return 'Nothing was found for this section.\n';
  // Asked to weigh, it adds what it makes of its first claim.
  const weighed = request.prompt.includes('<points>')
    ? [
        `Taken together, this suggests that the question turns on one point, which decides it for most readers: ${claims[0]!}`,
      ]
    : [];
  return `${[...claims, ...weighed].join(' ')}\n`;
}

function frame(request: ParsedRequest) {
  const cited = sectionsOf(request.prompt).map(({ body }) => citedSentences(body));
  const first = [...new Set(cited.flatMap((sentences) => sentences.slice(0, 2)))];
  // What is written again for a critic is another text, with the same citations.
  if (request.prompt.includes('<points>')) first.reverse();
  return {
    analysis: cited.length > 1 && first.length > 0 ? `Taken together, this holds: ${first[0]}` : '',
    conclusion: first.at(-1) ?? 'More sources are needed.',
    summary: first.length > 0 ? first.join(' ') : 'No source answered the question.',
    title: capitalise(topicOf(request.question)) || 'Report',
  };
}

/** Sentences that end with a marker. */
function citedSentences(text: string): string[] {
  return [...text.matchAll(/[^\n[\]]+ (?:\[S[0-9a-f]+\])+\./g)].map(([sentence]) => sentence.trim().replace(/^- /, ''));
}

/** The fenced sections of a review's or report's prompt. */
export function sectionsOf(prompt: string): { readonly id: string; readonly title: string; readonly body: string }[] {
  return [...prompt.matchAll(/<section id="([^"]+)" title="([^"]*)"[^>]*>\n([\s\S]*?)\n<\/section>/g)].map(
    ([, id = '', title = '', body = '']) => ({ id, title, body }),
  );
}

/** `- claim [S3f9a1]` lines of a section, as sentences with their marker before the full stop. */
function claimsOf(body: string): string[] {
  return [...body.matchAll(/^- (.+?) \[(S[0-9a-f]+)\]/gm)].map(
    ([, claim = '', id = '']) => `${claim.replace(/[.。\s]+$/, '')} [${id}].`,
  );
}

/** Begins a line that states nothing: headings, tables, listings. */
const isMarkup = /^(?:[#|/*{}@\s]|(?:export|import|const|function) )/;

/** Plain sentences of a text, without headings, lists of names, questions and what only leads over to something. */
function firstSentences(text: string, count: number): string[] {
  const sentences = text
    .replace(/```[\s\S]*?```/g, '\n\n')
    .replace(/^(?:#+ .*|\|.*|[-=\s]*)$/gm, '\n')
    .split(/\n{2,}|^[-*] /m)
    .flatMap((block) => block.replace(/\s+/g, ' ').split(/(?<=[.!?]) |(?<=[。！？])/))
    .map((sentence) => sentence.trim())
    .filter(
      (sentence) =>
        sentence.length >= 30 &&
        sentence.length <= 400 &&
        /[.。！]$/.test(sentence) &&
        /^\p{L}/u.test(sentence) &&
        !/https?:|[`|]/.test(sentence) &&
        !/^\p{Ll}/u.test(sentence) &&
        !isListOfNames(sentence),
    );
  if (sentences.length > 0) return sentences.slice(0, count);
  const line = text
    .split('\n')
    .find((candidate) => candidate.trim().length > 0 && !isMarkup.test(candidate))
    ?.trim()
    .slice(0, 200);
  return line ? [line] : [];
}

function isListOfNames(sentence: string): boolean {
  const words = sentence.split(' ');
  return words.filter((word) => /^\p{Lu}/u.test(word)).length > words.length * 0.6;
}

/** The subject of a question, for titles and queries: without the words that ask. */
export function topicOf(question: string): string {
  const line = question.split('\n')[0]?.trim() ?? '';
  const topic = line
    .replace(/^(what|which|how|why|who|where|when|explain|describe|compare|list)\b\s*/i, '')
    .replace(/^(are|is|do|does|did|can)\b\s*/i, '')
    .replace(/^(the|a|an)\b\s*/i, '')
    .replace(/^(main|best|most important)\b\s*/i, '')
    .replace(/[?.!？。！]+$/, '')
    .trim();
  return (topic || line || 'the question').slice(0, 120);
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
