import prompt from '../../../../prompts/supervisor.md';
import type { ChatMessage, ToolCall, ToolSpec } from '../../ports.ts';
import type { Scope, SuperviseInput, Turn } from '../analyst.ts';
import { runValues } from './common.ts';
import { cutToTokens } from '../../text/estimateTokens.ts';
import { defuse, questionText } from './fence.ts';
import { fillPrompt, messagesOf } from './fill.ts';
import { askFreely, fitted } from './fitting.ts';
import { condensed } from './passages.ts';
import { shortArguments } from './history.ts';
import { isPromptTitle, knowDescriptions } from './promptEcho.ts';
import { toolCallsInText } from './toolCallsInText.ts';
import { completeSpec, thinkSpec } from './tools.ts';

const tools: readonly ToolSpec[] = [
  {
    name: 'ConductResearch',
    description:
      'Delegates one topic to a researcher who sees nothing but it. Several calls of one turn run at the same time.',
    parameters: {
      type: 'object',
      properties: {
        research_topic: {
          type: 'string',
          description: 'A self-contained paragraph: the subject in full, what to find out, what to leave out',
        },
        title: { type: 'string', description: 'A short heading' },
      },
      required: ['research_topic'],
      additionalProperties: false,
    },
  },
  thinkSpec(
    'A note to yourself beside the calls of a turn: what is known, what is missing. A turn of nothing else is lost.',
  ),
  completeSpec('ResearchComplete', 'Ends the research, as soon as the brief can be answered.'),
];

knowDescriptions(tools);

/** Limit of all results in the prompt, and of all material, in tokens. */
const resultTokens = 12_000;
const enoughMaterial = 24_000;

/** One turn of the lead researcher, with the whole conversation: a run has few of them, and results are condensed. */
export async function supervise(input: SuperviseInput, scope: Scope): Promise<Turn> {
  const compose = (tokens: number): ChatMessage[] => {
    const filled = fillPrompt(prompt, {
      ...runValues(scope),
      concurrent: String(input.maxConcurrent),
      brief: questionText(input.brief, tokens / 3),
      question: questionText(input.question, tokens / 3),
      round: String(input.round + 1),
      rounds: String(input.maxRounds),
    });
    return [...messagesOf(filled), ...turnsOf(input, Math.min(resultTokens, tokens))];
  };
  const fitting = { step: 'supervise', tools, compose, most: enoughMaterial } as const;
  const answer = await fitted(scope, fitting, (request, role, suffix) =>
    askFreely(scope, `supervise/${input.round}${suffix}`, role, request),
  );
  const written =
    answer.toolCalls.length > 0
      ? answer.toolCalls
      : toolCallsInText(answer.text, tools).map((call) => ({ ...call, id: `t${input.round}_${call.id}` }));
  const calls = written.flatMap((call) => withoutPromptTitle(call, `${input.question} ${input.brief}`));
  if (calls.length > 0 || input.round > 0) return { said: cutToTokens(answer.text.trim(), 600), calls };
  // A model that talks instead of delegating: the brief itself is the topic.
  return {
    said: cutToTokens(answer.text.trim(), 600),
    calls: [
      {
        id: 't0_own',
        name: 'ConductResearch',
        args: { research_topic: input.brief || input.question, title: input.question.slice(0, 80) },
      },
    ],
  };
}

/** A call whose topic is words of our prompts is none; one whose title is has none, and is named after its topic. */
function withoutPromptTitle(call: ToolCall, asked: string): ToolCall[] {
  if (isPromptTitle(topicOf(call), asked)) return [];
  const { title, ...args } = call.args;
  return typeof title === 'string' && isPromptTitle(title, asked) ? [{ ...call, args }] : [call];
}

/** Part of the space that topics take beside their results; the shortest length of one, in tokens. */
const topicShare = 0.3;
const shortestTopic = 40;

function turnsOf(input: SuperviseInput, tokens: number): ChatMessage[] {
  const topics = input.turns.flatMap((turn) => turn.calls).filter((call) => call.name === 'ConductResearch').length;
  const each = tokens / Math.max(1, topics);
  return input.turns.flatMap((turn): ChatMessage[] => [
    {
      role: 'assistant',
      content: cutToTokens(turn.said, Math.max(shortestTopic, tokens / 20)),
      toolCalls: turn.calls.map(({ id, name, args }) => ({
        id,
        name,
        args: shortArguments(args, Math.max(shortestTopic, Math.floor(each * topicShare))),
      })),
    },
    ...turn.calls.map((call, index): ChatMessage => {
      const about = `${topicOf(call)} ${input.question}`;
      const result = condensed(turn.answers[index] ?? '', about, Math.floor(each * (1 - topicShare)));
      return { role: 'tool', callId: call.id, content: `<result>\n${defuse(result)}\n</result>` };
    }),
  ]);
}

/** What a researcher was asked: what bears on it is what of its result stays when space is short. */
function topicOf({ args }: ToolCall): string {
  const topic = args['research_topic'];
  return typeof topic === 'string' ? topic : '';
}
