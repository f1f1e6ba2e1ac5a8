import prompt from '../../../../prompts/supervisor.md';
import type { ChatMessage, ToolSpec } from '../../ports.ts';
import type { Scope, SuperviseInput, Turn } from '../analyst.ts';
import { runValues } from './common.ts';
import { cutToTokens } from './estimateTokens.ts';
import { defuse, questionText } from './fence.ts';
import { fillPrompt } from './fill.ts';
import { toolCallsInText } from './toolCallsInText.ts';

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
  {
    name: 'think',
    description:
      'A note to yourself before delegating and after results: what is known, what is missing. Call it alone.',
    parameters: {
      type: 'object',
      properties: { reflection: { type: 'string', description: 'A few sentences' } },
      required: ['reflection'],
      additionalProperties: false,
    },
  },
  {
    name: 'ResearchComplete',
    description: 'Ends the research, as soon as the brief can be answered.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  },
];

/** Limit of all results in the prompt, in tokens; older ones are cut first. */
const resultTokens = 12_000;

/** One turn of the lead researcher, with the whole conversation: a run has few of them, and results are condensed. */
export async function supervise(input: SuperviseInput, scope: Scope): Promise<Turn> {
  const filled = fillPrompt(prompt, {
    ...runValues(scope),
    concurrent: String(input.maxConcurrent),
    brief: questionText(input.brief),
    question: questionText(input.question),
    round: String(input.round + 1),
    rounds: String(input.maxRounds),
  });
  const messages: ChatMessage[] = [
    { role: 'system', content: filled.system },
    { role: 'user', content: filled.user },
    ...turnsOf(input),
  ];
  const maxTokens = scope.limits.maxTokens.research;
  const answer = await scope.model(`supervise/${input.round}`, 'main', {
    messages,
    tools,
    ...(maxTokens !== undefined && { maxTokens }),
  });
  const written =
    answer.toolCalls.length > 0
      ? answer.toolCalls
      : toolCallsInText(
          answer.text,
          tools.map((tool) => tool.name),
        ).map((call) => ({ ...call, id: `t${input.round}_${call.id}` }));
  if (written.length > 0 || input.round > 0) return { said: cutToTokens(answer.text.trim(), 600), calls: written };
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

function turnsOf(input: SuperviseInput): ChatMessage[] {
  const share = Math.floor(
    resultTokens /
      Math.max(1, input.turns.flatMap((turn) => turn.calls).filter((call) => call.name === 'ConductResearch').length),
  );
  return input.turns.flatMap((turn): ChatMessage[] => [
    { role: 'assistant', content: turn.said, toolCalls: turn.calls.map(({ id, name, args }) => ({ id, name, args })) },
    ...turn.calls.map((call, index): ChatMessage => ({
      role: 'tool',
      callId: call.id,
      content: `<result>\n${defuse(cutToTokens(turn.answers[index] ?? '', share))}\n</result>`,
    })),
  ]);
}
