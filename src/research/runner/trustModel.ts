import type { Tried, Trust } from '../../protocol/ports.ts';
import { ofTrial, tried, trustOf } from '../analyst/llm/trial.ts';
import { caught } from '../run/failure.ts';
import { stepScope, type RunContext } from '../run/runContext.ts';
import type { TrialPort } from './createRun.ts';

/**
 * How far the model of a run is trusted: what its trial showed, now or in an earlier run. The first decision holds after a resume. A
 * trial that can't be made, or whose answers can't be read, decides nothing: the step behind it meets the same failure, and says so.
 */
export async function trustModel(run: RunContext, language: string, trial: TrialPort | undefined): Promise<Trust> {
  if (trial === undefined || run.analyst.kind !== 'llm' || run.settings['model.trust'] === 'always') return 'leads';
  try {
    const { value } = await run.replay.observed(
      'trust',
      async () => (await trial.known()) ?? (await made(run, language, trial)),
    );
    if (value === null) return 'leads';
    const { trust, right, of } = value;
    if (trust !== 'leads') run.warn({ kind: `model.${trust}`, model: run.model ?? '', right, of });
    return trust;
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    caught(run, 'trial', error);
    return 'leads';
  }
}

async function made(run: RunContext, language: string, trial: TrialPort): Promise<Tried | null> {
  const scope = stepScope(run, { today: run.created.slice(0, 10), language }, 'assess', 'trial');
  const texts = run.attached.flatMap((id) => run.registry.get(id)?.text ?? []);
  const right = await tried(texts, scope);
  if (right === undefined) return null;
  const outcome: Tried = { trust: trustOf(right), right, of: ofTrial };
  await trial.learnt(outcome);
  return outcome;
}
