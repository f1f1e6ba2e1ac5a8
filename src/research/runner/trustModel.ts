import type { Tried, Trust } from '../../protocol/ports.ts';
import { within } from '../calls/waiting.ts';
import { ResearchError } from '../errors.ts';
import { caught } from '../run/failure.ts';
import { stepScope, type RunContext } from '../run/runContext.ts';
import { sha256 } from '../text/digest.ts';
import type { TrialPort } from './createRun.ts';

/** How long a run waits for the trial of its model, in milliseconds. */
const trialMs = 60_000;

/**
 * How far the model of a run is trusted: what its trial showed, now or in an earlier run. The first decision holds after a resume with
 * the same model. A model of the user's own machine that is late with a few hundred tokens is too slow to write a report. One whose trial
 * showed nothing helps: it only writes, and is checked. A trial that can't be made decides nothing, as one that waits for a service does:
 * the step behind it meets the same failure, and says so.
 */
export async function trustModel(run: RunContext, language: string, trial: TrialPort | undefined): Promise<Trust> {
  if (trial === undefined || run.analyst.kind !== 'llm' || run.settings['model.trust'] === 'always') return 'leads';
  const shown = async () => (await trial.known()) ?? (await inTime(made(run, language, trial)));
  try {
    const { value } = await run.replay.observed('trust', shown, trial.name);
    const model = run.model ?? '';
    if (value === 'late') {
      if (!trial.isLocal) return 'leads';
      run.warn({ kind: 'model.late', model });
      return 'quotes';
    }
    if (value === null) run.warn({ kind: 'model.untried', model });
    else if (value.trust !== 'leads')
      run.warn({ kind: `model.${value.trust}`, model, right: value.right, of: value.of });
    return value?.trust ?? 'helps';
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    caught(run, 'trial', error);
    return 'leads';
  }
}

async function inTime<T>(outcome: Promise<T>): Promise<T | 'late'> {
  const late = new ResearchError('timeout', 'The trial takes too long.');
  return await within(trialMs, outcome, () => late).catch((error: unknown) => {
    if (error !== late) throw error;
    return 'late' as const;
  });
}

async function made(run: RunContext, language: string, trial: TrialPort): Promise<Tried | null> {
  // Answers of another model, from before a resume, are none to these calls.
  const path = `trial/${sha256(trial.name).slice(0, 8)}`;
  const scope = stepScope(run, { today: run.created.slice(0, 10), language }, 'assess', path);
  // Once for each model.
  const { tried } = await import('../analyst/llm/trial.ts');
  const attached = run.attached.flatMap((id) => run.registry.get(id)?.text ?? []);
  const outcome = await tried([...attached, ...(await trial.texts(run.signal))], scope, run.run);
  if (outcome) await trial.learnt(outcome);
  return outcome ?? null;
}
