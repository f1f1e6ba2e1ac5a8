import { trimEnd } from '../text/trimEnd.ts';
import { Command, Send } from '@langchain/langgraph';
import { briefId } from '../../protocol/reduceRun.ts';
import type { Plan, Scope, SupervisorTurn, Turn } from '../analyst/analyst.ts';
import { earlyBrief } from '../plan/speculativePlan.ts';
import { writesSections } from '../report/drafts.ts';
import { optionalFailure } from '../run/failure.ts';
import { questionOf } from '../run/questionOf.ts';
import { sectionInput } from '../nodes/dispatch.ts';
import { focusOf, propose } from '../plan/proposal.ts';
import { pendingRemarks } from '../nodes/pendingRemarks.ts';
import type { ToolCall } from '../ports.ts';
import type { Route } from '../routes.ts';
import { stepScope, type RunContext, type AnalystPort, type EventPort, type LimitPort } from '../run/runContext.ts';
import { pendingSection, type ResearchStateType, type SectionState } from '../state.ts';

/** Strategy `supervisor`: brief -> supervise -> section × n -> supervise -> … -> report. */

const conductTool = 'ConductResearch';
const thinkTool = 'think';
const completeTool = 'ResearchComplete';

/** Length of one topic's findings in the supervisor's prompt, in characters. */
const longestAnswer = 3_000;
const longestTitle = 90;

/** Writes the brief that the supervisor works from; it is this strategy's plan. */
export function briefNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'brief'>> => {
    run.emit({ type: 'run/phase', phase: 'plan' });
    const planRound = state.planRemarks.length;
    const scope = stepScope(run, state, 'plan', planRound === 0 ? 'brief' : `brief/${planRound}`);
    const question = questionOf(run, state);
    const input = { ...question, focus: focusOf(state), remarks: state.planRemarks };
    const isPlain = planRound === 0 && state.focus === undefined;
    const researchBrief =
      state.researchBrief || (isPlain && (await earlyBrief(run, state))) || (await run.analyst.brief(input, scope));
    const title = trimEnd(question.clarifiedQuestion.replace(/\s+/g, ' '), '?？').slice(0, 120).trim();
    const outline: Plan = {
      title,
      objective: researchBrief,
      scope: '',
      sections: [{ id: briefId, title: 'Research brief', description: researchBrief, queries: [] }],
    };
    return new Command({
      update: { researchBrief, outline, planRound },
      goto: propose(run, outline, state) ? 'approvePlan' : 'supervise',
    });
  };
}

/**
 * One round of the lead researcher: reads what its researchers found, then delegates, thinks or ends. Topics delegated together
 * with `ResearchComplete` still run. Topics beyond the limit on researchers are queued by the semaphore, not refused.
 */
export function superviseNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'supervise'>> => {
    run.emit({ type: 'run/phase', phase: 'research' });
    const turns = answered(state.supervisorTurns, state.sections);
    const maxRounds = run.settings['limits.maxSupervisorIterations'];
    const last = turns.at(-1);
    const ended = last !== undefined && endsResearch(last.calls);
    const isEnough = run.budget.isNarrow && state.sections.some(({ sourceIds }) => sourceIds.length > 0);
    const again = await pendingRemarks(run, state, 'supervise', ended || isEnough || turns.length >= maxRounds);
    if (again.length > 0) return new Command({ update: { sections: again }, goto: 'dispatch' });
    if (ended || isEnough || turns.length >= maxRounds)
      return new Command({ update: { supervisorTurns: turns }, goto: 'report' });
    const scope = stepScope(run, state, 'research', `supervise/${turns.length}`);
    const turn = await decide(run, state, turns, maxRounds, scope);
    showThoughts(turn, scope);
    const delegated = topicsOf(turn.calls, state.sections.length, turns.length + 1, run.attached);
    const isLast = endsResearch(turn.calls) || turns.length + 1 >= maxRounds;
    // A lead that ends without having delegated anything still needs research: its brief becomes the topic.
    const topics =
      delegated.length + state.sections.length === 0 && isLast
        ? topicsOf([briefCall(state)], 0, turns.length + 1, run.attached)
        : delegated;
    const update = {
      supervisorTurns: [...turns, { said: turn.said, calls: turn.calls, answers: [] }],
      sections: topics,
    };
    // Back here, it reads what the user has said meanwhile.
    if (topics.length === 0) return new Command({ update, goto: 'supervise' });
    const all = [...state.sections, ...topics];
    const whole = { ...state, sections: all };
    if (writesSections(run, whole)) run.drafts.open(whole);
    return new Command({ update, goto: topics.map((topic) => new Send('section', sectionInput(state, topic, all))) });
  };
}

async function decide(
  run: AnalystPort & EventPort & LimitPort,
  state: ResearchStateType,
  turns: readonly SupervisorTurn[],
  maxRounds: number,
  scope: Scope,
): Promise<Turn> {
  const maxConcurrent = run.settings['limits.maxConcurrentResearchers'];
  try {
    const { clarifiedQuery: question, researchBrief: brief } = state;
    return await run.analyst.supervise(
      { question, brief, round: turns.length, maxRounds, maxConcurrent, turns },
      scope,
    );
  } catch (error) {
    const failure = optionalFailure(run, 'supervise', error);
    // What the finished researchers found counts, whatever happens to their lead.
    if (!state.sections.some((section) => section.sourceIds.length > 0)) throw error;
    scope.warn({ kind: 'research.cutShort', error: failure });
    return { said: '', calls: [] };
  }
}

/** Shows the thoughts; they never enter findings. */
function showThoughts(turn: Turn, scope: Scope): void {
  const thoughts = turn.calls.filter((call) => call.name === thinkTool).map((call) => call.args['reflection']);
  for (const text of [turn.said, ...thoughts])
    if (typeof text === 'string' && text.trim() !== '') scope.thought(text.trim());
}

function endsResearch(calls: readonly ToolCall[]): boolean {
  return calls.length === 0 || calls.some((call) => call.name === completeTool);
}

/** The turns with an answer to every call; those of delegated topics come from their sections. */
function answered(turns: readonly SupervisorTurn[], sections: readonly SectionState[]): SupervisorTurn[] {
  let topic = 0;
  const answerOf = (call: ToolCall): string => {
    if (call.name === completeTool) return 'The research ends.';
    if (call.name === thinkTool) return 'Noted.';
    if (call.name !== conductTool)
      return `There is no tool "${call.name}". Tools: ${conductTool}, ${thinkTool}, ${completeTool}.`;
    if (topicText(call) === '') return 'No topic was given: research_topic must be a paragraph that stands alone.';
    const section = sections[topic];
    topic += 1;
    return section ? findingsOf(section) : 'This topic was not researched.';
  };
  return turns.map((turn) => ({ ...turn, answers: turn.calls.map(answerOf) }));
}

function findingsOf(section: SectionState): string {
  if (section.stopped && section.status === 'failed')
    return 'The user stopped this researcher before it had found anything. Do not delegate its topic again.';
  if (section.status === 'failed')
    return `This researcher failed: ${section.error ?? 'unknown error'} Its topic may be delegated again in other words.`;
  if (section.sourceIds.length === 0)
    return `Nothing was found; searched: ${section.searched.join(', ') || 'nothing'}.`;
  const content = section.distilled?.content ?? '';
  return content.length > longestAnswer ? `${content.slice(0, longestAnswer)}…` : content;
}

/** The delegated topics as sections of the report, in order. Their ids are numbered across all rounds. */
function topicsOf(
  calls: readonly ToolCall[],
  before: number,
  topicRound: number,
  attached: readonly string[],
): SectionState[] {
  return calls
    .filter((call) => call.name === conductTool && topicText(call) !== '')
    .map((call, index): SectionState => {
      const topic = { title: titleOf(call), description: topicText(call), queries: [] };
      return { ...pendingSection({ id: `t${before + index + 1}`, ...topic }, attached), topicRound };
    });
}

function briefCall(state: ResearchStateType): ToolCall {
  return {
    id: 'own',
    name: conductTool,
    args: { research_topic: state.researchBrief, title: state.outline?.title ?? state.clarifiedQuery },
  };
}

function topicText(call: ToolCall): string {
  const topic = call.args['research_topic'] ?? call.args['topic'];
  return typeof topic === 'string' ? topic.trim() : '';
}

function titleOf(call: ToolCall): string {
  const given = call.args['title'];
  const text =
    typeof given === 'string' && given.trim() !== '' ? given : topicText(call).split(/(?<=[.!?。！？:：])\s*/u)[0]!;
  const line = trimEnd(text.replace(/\s+/g, ' '), '.:：。').trim();
  if (line.length <= longestTitle) return line;
  const space = line.lastIndexOf(' ', longestTitle);
  return `${line.slice(0, space > 40 ? space : longestTitle)}…`;
}
