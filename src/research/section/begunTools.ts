import type { Scope } from '../analyst/analyst.ts';
import type { ToolOutcome, ToolRun } from '../calls/calls.ts';
import type { CallPort } from '../run/runContext.ts';
import type { ChosenCall, ResearchTool } from '../tools.ts';
import type { LoopTask } from './loopTask.ts';

/** Starts a call of the first turn before that turn. */
export function beginTool(run: CallPort, scope: Scope, task: LoopTask, call: ChosenCall, index: number): void {
  const tool = run.tools.find(({ name }) => name === call.name);
  const args = tool?.parameters.safeParse(call.args);
  if (!tool || !args?.success) return;
  const made = toolRun(scope, task, tool, args.data, `${scope.path}/tool/0/${index}`);
  run.prefetch.start(placeOf(made), (signal) => run.calls.tool(made, signal));
}

/** A call that was started before its turn. */
export function begunTool(run: CallPort, made: ToolRun, signal: AbortSignal): Promise<ToolOutcome> | undefined {
  return run.prefetch.take<ToolOutcome>(placeOf(made), signal);
}

function placeOf({ key, tool, args }: ToolRun): string {
  return `${key} ${tool.name} ${JSON.stringify(args)}`;
}

/** A researcher's call of a tool. */
export function toolRun(
  scope: Scope,
  { question, task }: LoopTask,
  tool: ResearchTool,
  args: ToolRun['args'],
  key: string,
): ToolRun {
  const focus = `${question} ${task.title} ${task.description}`;
  return { key, section: scope.section, tool, args, context: { focus, language: scope.language } };
}
