import discovererPrompt from '../../../../prompts/discoverer.md';
import researcherPrompt from '../../../../prompts/researcher.md';
import { isRecord } from '../../../protocol/json.ts';
import { ResearchError } from '../../errors.ts';
import type { ChatMessage, ChatRequest, ToolCall, ToolSpec } from '../../ports.ts';
import type { ActInput, Scope, Turn } from '../analyst.ts';
import { longSource } from '../readMore.ts';
import { bestBullets, bullets, depthLine, remarksBlock, runValues, workspaceBlock } from './common.ts';
import { cutToTokens, estimateTokens } from '../../text/estimateTokens.ts';
import { fencedOrNone, oneLine, questionText } from './fence.ts';
import { fillPrompt, messagesOf } from './fill.ts';
import { askFreely, fitted } from './fitting.ts';
import { historyOf } from './history.ts';
import { isOwnText, knowOwnText } from './promptEcho.ts';
import { roomOf } from './steps.ts';
import { livelier, withSentence } from './structuredOutput.ts';
import { bareWords } from '../../text/tokenize.ts';
import { toolCallsInText } from './toolCallsInText.ts';
import { briefly, toolSpecs } from './tools.ts';

/** More calls in one turn are a model that has lost its way. */
const maxCallsPerTurn = 12;
/** Material of a prompt in full, in tokens. */
const enough = 10_000;
/** Of a look: titles and snippets. */
const enoughToLook = 3_500;
/** Part of the room that the descriptions of tools may take in full. */
const toolShare = 0.35;
const look =
  'This turn is your only one, while the first of these results are opened and read. Say in a sentence what they leave open. Open what they promise more in, and search for what is missing, at most three times: a paper that is cited, a repository or a name that is mentioned, the origin of a figure.';
const exampleQuery = 'what to search for';
knowOwnText(exampleQuery);
/** Searches that code makes when a model can't be brought to call a tool at all. */
const ownSearches = 3;
/** Words of an argument from which it may be a copy; those of a query always may. */
const leastCopied = 3;

/**
 * One turn: the task and the notes on all earlier turns, then the last two turns as the model made them, with the passages
 * that they brought. So a prompt has a bounded length, however many turns there were.
 */
export async function act(input: ActInput, scope: Scope): Promise<Turn> {
  const { room } = await roomOf(scope, 'act');
  const known = [...input.known, ...input.gathered.flatMap(({ sources }) => sources)];
  const hasLong = known.some((id) => (scope.source(id)?.text.length ?? 0) > longSource);
  const whole = toolSpecs(input.tools, hasLong);
  const isLong = estimateTokens(JSON.stringify(whole)) > room * toolShare;
  const tools = isLong || input.isLook ? briefly(whole) : whole;
  const names = tools.map((tool) => tool.name);
  const ask = async (label: string, request: ChatRequest): Promise<Turn> => {
    const answer = await askFreely(scope, label, 'research', request);
    const marked = (call: ToolCall): ToolCall => (isCopied(call, whole) ? { ...call, isCopied: true } : call);
    if (answer.toolCalls.length > 0) return turn(answer.text, answer.toolCalls.map(marked));
    const written = toolCallsInText(answer.text, tools).map(marked);
    // Ids must differ from those of other turns in the same history.
    return written.length > 0
      ? turn(
          '',
          written.map((call) => ({ ...call, id: `t${input.turn}_${call.id}` })),
        )
      : turn(answer.finish === 'length' ? '' : answer.text, []);
  };
  let sent: ChatRequest | undefined;
  const fitting = {
    step: 'act',
    tools,
    compose: (tokens: number) => promptOf(input, scope, tokens),
    most: input.isLook ? enoughToLook : enough,
  } as const;
  const send = (label: string) => (request: ChatRequest, _role: string, suffix: string) => {
    sent = request;
    return ask(`${label}${suffix}`, request);
  };
  const first = await fitted(scope, fitting, send(`act/${input.turn}`)).catch((error: unknown) => {
    if (scope.signal.aborted || !ResearchError.is(error, 'contentFilter') || input.gathered.length === 0) throw error;
    // Some passage is refused: the next step is chosen by the notes alone.
    return fitted(scope, { ...fitting, most: 0 }, send(`act/${input.turn}/notes`));
  });
  if (continues(first) || !nothingTried(input)) return first;
  // A weak model that talks instead of searching would leave the section without a single source.
  const second = await ask(`act/${input.turn}/again`, {
    ...{ ...sent!, temperature: livelier, seed: 1 },
    // Some servers drop tools in silence: then the model does not know them.
    messages: withSentence(
      sent!.messages,
      `Your last answer called no tool, and nothing has been found yet. Call one or more search tools now. If you can't, answer with JSON alone: {"tool_calls": [{"name": "${names[0] ?? 'search'}", "arguments": {"query": "${exampleQuery}"}}]}`,
    ),
  });
  return continues(second) ? second : { said: second.said, calls: searchesByCode(input) };
}

function turn(said: string, calls: readonly ToolCall[]): Turn {
  return { said: cutToTokens(said.trim(), 600), calls: calls.slice(0, maxCallsPerTurn) };
}

/** Whether an argument of free text is what its parameter is described by, or other words of ours. */
function isCopied({ name, args }: Pick<ToolCall, 'name' | 'args'>, tools: readonly ToolSpec[]): boolean {
  const { properties } = tools.find((tool) => tool.name === name)?.parameters ?? {};
  const described = isRecord(properties) ? properties : {};
  return Object.entries(args).some(([argument, value]) => {
    if (typeof value !== 'string') return false;
    const parameter = described[argument];
    const { description, enum: options } = isRecord(parameter) ? parameter : {};
    // A format or a language may be described by its usual value.
    if (options !== undefined || (argument !== 'query' && bareWords(value).split(' ').length < leastCopied))
      return false;
    return isOwnText(value) || (typeof description === 'string' && bareWords(description) === bareWords(value));
  });
}

const continues = (made: Turn) => made.calls.some((call) => call.name !== 'research_complete' && !call.isCopied);

/** Nothing was searched in this attempt, nothing is known from an earlier one, and it could be. */
function nothingTried(input: ActInput): boolean {
  const searched = input.gathered.some((call) => call.call.name !== 'think');
  return !searched && input.known.length === 0 && input.callsLeft > 0 && input.tools.length > 0;
}

function searchesByCode(input: ActInput): ToolCall[] {
  const queries = input.task.queries.length > 0 ? input.task.queries : [input.task.title];
  return input.tools
    .filter((tool) => tool.kind === 'search')
    .slice(0, Math.min(ownSearches, input.callsLeft))
    .map((tool, index) => ({
      id: `t${input.turn}_own_${index}`,
      name: tool.name,
      args: { query: queries[index % queries.length]! },
    }));
}

function promptOf(input: ActInput, scope: Scope, tokens: number): ChatMessage[] {
  const { notes, turns } = historyOf(input, scope, Math.min(1, tokens / enough));
  const about = `${input.task.title} ${input.task.description}`;
  const filled = fillPrompt(input.role === 'researcher' ? researcherPrompt : discovererPrompt, {
    ...runValues(scope),
    question: questionText(input.question, tokens / 3),
    title: oneLine(input.task.title),
    description: cutToTokens(oneLine(input.task.description), 600),
    queries: fencedOrNone('queries', bullets(input.task.queries)),
    others: fencedOrNone(
      'others',
      input.otherSections.length === 0
        ? ''
        : `Others research these; leave them alone:\n${bestBullets(input.otherSections, about, tokens / 12)}`,
    ),
    missing: fencedOrNone(
      'missing',
      input.gaps.length === 0
        ? ''
        : `A reviewer sent the section back because this is missing:\n${bestBullets(input.gaps, about, tokens / 8)}`,
    ),
    workspace: workspaceBlock(input.workspace, tokens),
    notes: fencedOrNone('notes', notes),
    remarks: input.isLook
      ? look
      : remarksBlock(
          input.remarks,
          'The user wrote this to you while you research, in their own words. Follow it before anything else; the latest counts most:',
          tokens,
        ),
    depth: depthLine(scope, {
      quick: 'A quick look is wanted: three good sources are enough.',
      deep: 'A deep study is wanted: eight to fifteen sources of at least two kinds, the most important of them opened and read.',
    }),
    calls_left: String(input.callsLeft),
  });
  const { system, user, turn: now } = filled;
  if (turns.length === 0) return messagesOf({ system, user: `${user}\n\n${now}` });
  // What changes follows the history: servers cache the unchanged beginning of a prompt.
  return [...messagesOf(filled), ...turns, { role: 'user', content: now }];
}
