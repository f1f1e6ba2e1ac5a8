import type { Strategy } from '../../src/protocol/strategy.ts';
import type { ErrorReason } from '../../src/research/errors.ts';
import { canary } from './canary.ts';
import { discoverList } from './modelScenarios.ts';
import type { ParsedRequest } from './modelRequest.ts';
import type { ModelOverride, Script } from './modelServer.ts';

/** The rows and columns of the fault table: which step of which strategy, and what goes wrong at the model. */

/** A step that asks the model, as one row of the table. `discoverer` is the tool loop before the plan. */
export type FaultyStep =
  | 'assess'
  | 'analyze'
  | 'discoverer'
  | 'discover'
  | 'plan'
  | 'brief'
  | 'supervise'
  | 'act'
  | 'distil'
  | 'review'
  | 'reflect'
  | 'section'
  | 'frame'
  | 'critique'
  | 'report';

export const stepsOf: Readonly<Record<Strategy, readonly FaultyStep[]>> = {
  sections: [
    ...(['assess', 'analyze', 'discoverer', 'discover', 'plan', 'act', 'distil', 'review'] as const),
    ...(['section', 'frame', 'critique'] as const),
  ],
  short: ['assess', 'analyze', 'act', 'distil', 'report'],
  iterative: ['assess', 'analyze', 'plan', 'distil', 'reflect', 'section'],
  supervisor: ['assess', 'analyze', 'brief', 'supervise', 'act', 'distil', 'section'],
};

export const questions: Readonly<Record<Strategy, string>> = {
  sections: 'Compare dense retrieval and sparse retrieval',
  short: 'When was dense passage retrieval published?',
  iterative: 'Explain reranking for retrieval-augmented generation in detail',
  supervisor: 'Compare dense retrieval and sparse retrieval',
};

/** What the imitated model says so that the step is reached. */
export function scenarioOf(step: FaultyStep): Script {
  if (step === 'discoverer' || step === 'discover') return discoverList('approaches to retrieval');
  return () => undefined;
}

function isOfStep(request: ParsedRequest, step: FaultyStep): boolean {
  if (step === 'discoverer') return request.step === 'act' && request.section === 'approaches to retrieval';
  if (step === 'act') return request.step === 'act' && request.section !== 'approaches to retrieval';
  return request.step === step;
}

export interface ModelFault {
  readonly name: string;
  /** In words, for the table. */
  readonly what: string;
  readonly override: (request: ParsedRequest) => ModelOverride;
  /** What a run that this ends may give as its reason. */
  readonly reasons: readonly ErrorReason[];
}

const said = (code: string, type = 'server_error') => ({
  error: { message: `Something ${canary} happened in worker 7.`, type, param: null, code },
});
const page = `<!DOCTYPE html><html><head><title>Bad ${canary} gateway</title></head><body><h1>Bad gateway</h1></body></html>`;
const anyAnswer = (answer: ModelOverride) => () => answer;

export const modelFaults: readonly ModelFault[] = [
  {
    name: 'rate-limited',
    what: '429 without Retry-After',
    override: anyAnswer({ status: 429, body: said('rate_limit_exceeded', 'requests') }),
    reasons: ['rateLimit'],
  },
  {
    name: 'rate-limited for an hour',
    what: '429 with Retry-After: 3600',
    override: anyAnswer({
      status: 429,
      headers: { 'retry-after': '3600' },
      body: said('rate_limit_exceeded', 'requests'),
    }),
    reasons: ['rateLimit'],
  },
  {
    name: '400',
    what: '400',
    override: anyAnswer({ status: 400, body: said('invalid_request', 'invalid_request_error') }),
    reasons: ['badRequest'],
  },
  { name: '500', what: '500', override: anyAnswer({ status: 500, body: said('internal') }), reasons: ['network'] },
  {
    name: 'web page',
    what: '502 with a web page',
    override: anyAnswer({ status: 502, body: page }),
    reasons: ['network'],
  },
  { name: 'hang', what: 'no answer', override: anyAnswer({ hang: true }), reasons: ['timeout'] },
  {
    name: 'broken stream',
    what: 'the connection is cut in the middle of the answer',
    override: anyAnswer({ stopAfter: { pieces: 4, how: 'cut' } }),
    reasons: ['streamBroken'],
  },
  {
    name: 'silent stream',
    what: 'the answer stops and the connection stays open',
    override: anyAnswer({ stopAfter: { pieces: 4, how: 'stall' } }),
    reasons: ['timeout'],
  },
  {
    name: 'garbled stream',
    what: 'an event that is not JSON',
    override: anyAnswer({
      sse: `data: {"id":"x","choices":[{"index":0,"delta":{"content":"{"}}]}\n\ndata: {"choices": [${canary}\n\n`,
    }),
    reasons: ['streamBroken', 'badAnswer'],
  },
  {
    name: 'too long',
    what: '400: the prompt is too long, however short it is',
    override: anyAnswer({ status: 400, body: said('context_length_exceeded', 'invalid_request_error') }),
    reasons: ['contextLength'],
  },
  {
    name: 'filtered',
    what: '400: a content filter refuses the prompt',
    override: anyAnswer({ status: 400, body: said('data_inspection_failed', 'data_inspection_failed') }),
    reasons: ['contentFilter'],
  },
  {
    name: 'no quota',
    what: '429: the quota is used up',
    override: anyAnswer({ status: 429, body: said('insufficient_quota', 'insufficient_quota') }),
    reasons: ['quota'],
  },
  {
    name: 'wrong key',
    what: '401',
    override: anyAnswer({ status: 401, body: said('invalid_api_key', 'invalid_request_error') }),
    reasons: ['auth'],
  },
  {
    name: 'no model',
    what: '404: the model is gone',
    override: anyAnswer({ status: 404, body: said('model_not_found', 'invalid_request_error') }),
    reasons: ['notFound'],
  },
  { name: 'malformed JSON', what: 'an answer with broken JSON', override: malformed, reasons: ['badAnswer'] },
];

function malformed(request: ParsedRequest): ModelOverride {
  if (request.tools.length > 0)
    return { toolCalls: [{ name: request.tools[0]!.name, args: '{"query": ["unfinished", {' }] };
  return { text: `{"error": {"trace": ["${canary}", {"type": "server_error", ` };
}

/** The fault at every request of the step, or only at the one of this position, from 0. */
export function injected(
  fault: Pick<ModelFault, 'override'>,
  step: FaultyStep,
  at: 'every' | number,
  onFault: (index: number) => void = () => undefined,
): Script {
  let seen = 0;
  return (request) => {
    if (!isOfStep(request, step)) return undefined;
    seen += 1;
    if (at !== 'every' && seen - 1 !== at) return undefined;
    onFault(request.index);
    return fault.override(request);
  };
}
