import * as z from 'zod';
import { moreOf, readMoreArguments, readMoreTool } from '../analyst/readMore.ts';
import type { GatheredCall, Scope } from '../analyst/analyst.ts';
import type { ToolOutcome } from '../calls/calls.ts';
import { ResearchError } from '../errors.ts';
import { fillText } from '../../protocol/fillText.ts';
import { errorText } from '../languages/texts.ts';
import { gapsOf } from '../text/wordFates.ts';
import type { ToolCall } from '../ports.ts';
import type { RunContext, CallPort, EvidencePort, EventPort } from '../run/runContext.ts';
import { meantArguments, type ResearchTool } from '../tools.ts';
import { begunTool, toolRun } from './begunTools.ts';
import { type CallOutcome, completeTool, thinkTool } from './loopState.ts';
import type { LoopTask } from './loopTask.ts';

const stoppedNote = 'The user stopped this section.';

type Answer = Pick<GatheredCall, 'sources' | 'note' | 'words' | 'english' | 'error' | 'why'> &
  Pick<CallOutcome, 'cutOff'> & { readonly isUnusable?: true };

const failed = (error: string): Answer => ({ sources: [], note: '', error });
const unusable = (error: string): Answer => ({ ...failed(error), isUnusable: true });

/** Answers a researcher's call; what fails is an observation. Throws when the run is stopped. */
export async function callTool(
  run: RunContext,
  scope: Scope,
  task: LoopTask,
  call: ToolCall,
  turn: number,
  index: number,
): Promise<Answer> {
  const tool = run.tools.find((candidate) => candidate.name === call.name);
  if (!tool) return call.name === readMoreTool ? readMore(scope, call) : unknownTool(run, call);
  if (call.malformed !== undefined)
    return unusable('The arguments were not valid JSON. Send the call again with a JSON object.');
  if (call.isCopied)
    return unusable(
      'An argument repeats the description of its parameter. Send the call again with words of the task.',
    );
  const key = `${scope.path}/tool/${turn}/${index}`;
  const before = failureSchema.safeParse(run.replay.usedFailure(key, (used) => hasSeen(used, scope.path, turn)));
  if (before.success) return { sources: [], note: '', ...before.data };
  try {
    const args = tool.parameters.safeParse(meantArguments(tool.parameters, withAddresses(scope, call.args)));
    if (!args.success) {
      const issues = args.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
      return unusable(`Wrong arguments: ${issues.join('; ')}.`);
    }
    const made = toolRun(scope, task, tool, args.data, key);
    const outcome = await (begunTool(run, made, scope.signal) ?? run.calls.tool(made, scope.signal));
    reportWarnings(run, tool, outcome);
    return foundBy(outcome);
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    if (scope.signal.aborted) {
      // After a stop nothing is tried again: what had failed before it stays so.
      const known = failureSchema.safeParse(run.replay.recorded(`${key}/failed`));
      if (known.success) return { ...failed(known.data.error), why: known.data.why };
      return { ...failed(stoppedNote), why: run.texts.stoppedByUser, cutOff: true };
    }
    const observed = observedFailure(run, tool, call.args, ResearchError.from(error), scope.section);
    await run.replay.recordFailure(key, observed);
    return { sources: [], note: '', ...observed };
  }
}

/** What a researcher gets of a call that was answered. */
export function foundBy({ sources, note, words, english }: ToolOutcome) {
  return { sources, note, ...(words ? { words } : {}), ...(english ? { english } : {}) };
}

/** A model knows the results by their ids: where it names one as an address, that of the source is meant. */
function withAddresses(scope: Scope, args: ToolCall['args']): ToolCall['args'] {
  const { url } = args;
  const id = typeof url === 'string' ? /^\[?(S[0-9a-f]{5,64})\]?$/.exec(url.trim())?.[1] : undefined;
  const address = id === undefined ? undefined : scope.source(id)?.url;
  return address === undefined ? args : { ...args, url: address };
}

function readMore(scope: Scope, call: ToolCall): Answer {
  const args = readMoreArguments.safeParse(call.args);
  if (!args.success) return unusable('Wrong arguments: read_more needs the id of a source, and what to look for.');
  const source = scope.source(args.data.source);
  if (!source) return unusable(`There is no source "${args.data.source.slice(0, 40)}". Use an id like S3f9a1.`);
  return { sources: [source.id], note: moreOf(source, args.data).note };
}

function unknownTool(run: CallPort, { name }: ToolCall): Answer {
  const known = [...run.tools.map((tool) => tool.name), thinkTool, completeTool];
  return unusable(`There is no tool "${name}". Tools: ${known.join(', ')}.`);
}

/** Whether the key is of a model call whose prompt has the results of a turn: a later turn, or the distillation. */
function hasSeen(key: string, path: string, turn: number): boolean {
  if (!key.startsWith(`${path}/`)) return false;
  const [step, number] = key.slice(path.length + 1).split('/');
  return step === 'distil' || step === 'look' || (step === 'act' && Number(number) > turn);
}

/** In UTF-16 units. */
const longestAddress = 2_000;
/** A user name or password in an address is not repeated. */
const userOf = /^(\s*[a-z]+:\/\/)[^\s/?#]*@/i;

const failureSchema = z.object({ error: z.string(), why: z.string() });

/**
 * A failed tool call as an observation, in words for the model and for a person. A source that is down or limited is a
 * warning of the run, once, as is each page that can't be read, and the run continues.
 */
export function observedFailure(
  run: EvidencePort & EventPort,
  tool: ResearchTool,
  args: Readonly<Record<string, unknown>>,
  failure: ResearchError,
  section?: string,
): { readonly error: string; readonly why: string } {
  if (failure.reason === 'bug') {
    run.log.error(`${tool.name}: ${failure.stack ?? failure.message}`);
    run.warn({ kind: 'source.bug', source: tool.source, tool: tool.name });
    return {
      error: `${tool.name} failed because of a bug in the tool itself.`,
      why: fillText(run.texts.warnings['source.bug'], { tool: tool.name }),
    };
  }
  const { url } = args;
  if (
    tool.opensPages &&
    typeof url === 'string' &&
    (failure.reason !== 'badRequest' || failure.refusal === 'notOpened')
  ) {
    const page = url.slice(0, longestAddress).replace(userOf, '$1');
    run.warn({ kind: 'page.unread', url: page.slice(0, 300), error: failure });
    const about = { url: page, why: errorText(failure, run.texts), ...(section === undefined ? {} : { section }) };
    if (run.supplied.unread(page, section)) run.emit({ type: 'page/unread', ...about });
  } else if (failure.hasReason('rateLimit', 'network', 'timeout', 'auth', 'badAnswer'))
    run.warn({ kind: 'source.failed', source: tool.source, error: failure });
  return { error: failure.message, why: errorText(failure, run.texts) };
}

/** What the user should know of a source that answered. */
export function reportWarnings(run: EventPort, tool: ResearchTool, { warnings = [], reach }: ToolOutcome): void {
  for (const text of warnings) run.warn({ kind: 'source.notice', source: tool.source, text });
  for (const gap of reach ? gapsOf(reach) : []) run.warn(gap);
}
