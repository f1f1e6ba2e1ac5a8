import type { ModelRole } from '../../ports.ts';
import type { Scope } from '../analyst.ts';

/** What a step asks of its model. */
interface StepAsk {
  readonly role: ModelRole;
  /** Limit of its answer, in tokens: about twice what such an answer has. */
  readonly maxTokens: number;
  readonly temperature: number;
}

/** Of judgements: the same question is judged in the same way. */
const steady = 0.2;
/** Of text for people: a low temperature repeats itself. */
const fluent = 0.4;

/** Every step that calls a model. Without a limit one answer of a small model ran for ten minutes. */
export const steps = {
  // Its answer has 60 tokens; some models think before it whatever they are asked.
  trial: { role: 'main', maxTokens: 400, temperature: steady },
  assess: { role: 'main', maxTokens: 1_500, temperature: steady },
  followUp: { role: 'main', maxTokens: 400, temperature: steady },
  challenge: { role: 'main', maxTokens: 1_500, temperature: steady },
  analyze: { role: 'main', maxTokens: 600, temperature: steady },
  discover: { role: 'main', maxTokens: 4_000, temperature: steady },
  plan: { role: 'main', maxTokens: 3_000, temperature: steady },
  brief: { role: 'main', maxTokens: 1_500, temperature: steady },
  supervise: { role: 'main', maxTokens: 2_000, temperature: steady },
  act: { role: 'research', maxTokens: 1_500, temperature: steady },
  distil: { role: 'compression', maxTokens: 5_000, temperature: steady },
  review: { role: 'main', maxTokens: 2_500, temperature: steady },
  reflect: { role: 'main', maxTokens: 2_000, temperature: steady },
  section: { role: 'report', maxTokens: 4_000, temperature: fluent },
  frame: { role: 'report', maxTokens: 4_000, temperature: fluent },
  critique: { role: 'main', maxTokens: 2_000, temperature: steady },
  report: { role: 'report', maxTokens: 8_000, temperature: fluent },
  verify: { role: 'check', maxTokens: 6_000, temperature: steady },
} as const satisfies Readonly<Record<string, StepAsk>>;

export type Step = keyof typeof steps;

/** Part of a window that an answer may take, so that a small one has room for a prompt. */
const answerShare = 0.3;
/** Part of a window that stays free, because tokens are estimated. */
const margin = 0.06;

/** What a step asks for, and the room for its prompt, in tokens. */
export async function roomOf(scope: Scope, step: Step): Promise<StepAsk & { readonly room: number }> {
  const { role, maxTokens: usual, temperature } = steps[step];
  const window = await scope.contextTokens(role);
  const set = scope.limits.maxTokens[step === 'supervise' ? 'research' : role];
  const maxTokens = Math.max(64, Math.min(set ?? usual, Math.floor(window * answerShare)));
  return { role, maxTokens, temperature, room: Math.floor(window * (1 - margin)) - maxTokens };
}
