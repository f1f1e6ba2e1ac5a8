import type { ModelRole, Tried, Trust } from '../../protocol/ports.ts';
import type { WaitReason } from '../calls/modelTries.ts';
import { within } from '../calls/waiting.ts';
import { ResearchError } from '../errors.ts';
import type { Clock } from '../ports.ts';
import { caught } from '../run/failure.ts';
import { scopeOf, type RunContext } from '../run/runContext.ts';
import { sha256 } from '../text/digest.ts';
import type { RoleTrial, TrialPort } from './createRun.ts';

/** How long a run waits for the trial of its model, and how much longer for one that thinks before it answers, in milliseconds. */
const trialMs = 60_000;
const thinkingMs = 120_000;
/** A shorter wait is none, in milliseconds. */
const leastMs = 500;
/** How often a call says that it waits, at least, in milliseconds. */
const signMs = 5_000;
/** Before its first byte a server may load the model for so long, in milliseconds. */
const longestLoadMs = 120_000;

/** What of the trial's time says nothing of the model's pace: its calls wait for their turn, or for the model to be loaded. */
class Waits {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #calls = new Map<string, { readonly at: number; readonly ms: number; readonly silentMs: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  readonly onWaiting = (label: string, why: WaitReason): void => {
    const now = this.#clock.monotonic();
    const { at, ms, silentMs } = this.#calls.get(label) ?? { at: now - signMs, ms: 0, silentMs: 0 };
    const gap = Math.min(signMs, now - at);
    const silent = silentMs + (why === 'firstByte' ? gap : 0);
    const counts = why !== 'firstByte' || silent <= longestLoadMs;
    this.#calls.set(label, { at: now, ms: ms + (counts ? gap : 0), silentMs: silent });
  };

  /** In milliseconds. A call that waits for the other one of the trial waits for the model. */
  get ms(): number {
    return this.#calls.size < 2
      ? 0
      : [...this.#calls.values()].reduce((least, { ms }) => Math.min(least, ms), Infinity);
  }
}

/**
 * How far the model of a run is trusted: what its trial showed, now or in an earlier run. The first decision holds after a resume with
 * the same model. A model of the user's own machine that is late with a few hundred tokens is too slow to write a report, and is not waited for
 * again the same day. One whose trial showed nothing helps: it only writes, and is checked. A trial that can't be made decides nothing, nor
 * does a service that is late: the step behind it meets the same failure, and says so.
 */
export async function trustModel(run: RunContext, language: string, trial: TrialPort | undefined): Promise<Trust> {
  if (trial === undefined || run.analyst.kind !== 'llm' || run.settings['model.trust'] === 'always') return 'leads';
  const shown = await outcomeOf(run, language, trial, 'trust');
  const model = run.model ?? '';
  if (shown === 'late') run.warn({ kind: 'model.late', model });
  else if (shown === null) run.warn({ kind: 'model.untried', model });
  else if (shown && shown.trust !== 'leads')
    run.warn({ kind: `model.${shown.trust}`, model, right: shown.right, of: shown.of });
  return trustOf(shown);
}

/**
 * The models of a run's roles. The main model is in the place of one that its trial, as {@link trustModel} makes it, found too weak: what
 * only writes is checked, so that it need not lead.
 */
export async function trustedModels(
  run: RunContext,
  language: string,
  trials: readonly RoleTrial[] = [],
): Promise<RunContext['models']> {
  const { models } = run;
  if (models === undefined || run.settings['model.trust'] === 'always') return models;
  const replaced = new Set<ModelRole>();
  // One after the other: roles may have the same model, and a server of the user's may have one slot.
  for (const trial of trials) {
    const { role, model } = trial;
    const shown = await outcomeOf({ ...run, models: () => models(role) }, language, trial, `trust/${role}`);
    const trust = trustOf(shown);
    if (trust === 'leads' || (trust === 'helps' && role === 'report')) continue;
    replaced.add(role);
    run.warn({ kind: 'model.replaced', model, setting: `deepResearch.model.${role}`, main: run.model ?? '' });
  }
  return (role) => models(replaced.has(role) ? 'main' : role);
}

/** Null: the trial showed nothing. Undefined: it decides nothing. */
type Shown = Tried | 'late' | null | undefined;

const trustOf = (shown: Shown): Trust =>
  shown === undefined ? 'leads' : shown === 'late' ? 'quotes' : (shown?.trust ?? 'helps');

/** What the trial of a model showed, now or in an earlier run. */
async function outcomeOf(run: RunContext, language: string, trial: TrialPort, key: string): Promise<Shown> {
  const shown = async () => {
    const known = await trial.known();
    if (known) return known.isLate ? 'late' : known;
    const waits = new Waits(run.clock);
    const outcome = await inTime(made(run, language, trial, waits), async () => {
      const thinks = (await run.models?.('main'))?.thinks;
      return waits.ms + (thinks ? thinkingMs : 0);
    });
    if (outcome === 'late' && trial.isLocal) await trial.learnt({ trust: 'quotes', right: 0, of: 0, isLate: true });
    return outcome;
  };
  try {
    const { value } = await run.replay.observed(key, shown, trial.name);
    return value === 'late' && !trial.isLocal ? undefined : value;
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    caught(run, 'trial', error);
    return undefined;
  }
}

/** @param more Milliseconds so far by which the limit is longer. */
async function inTime<T>(outcome: Promise<T>, more: () => Promise<number>): Promise<T | 'late'> {
  const late = new ResearchError('timeout', 'The trial takes too long.');
  for (let [left, added] = [trialMs, 0]; left >= leastMs; added += left) {
    try {
      return await within(left, outcome, () => late);
    } catch (error) {
      if (error !== late) throw error;
    }
    left = (await more()) - added;
  }
  return 'late';
}

async function made(run: RunContext, language: string, trial: TrialPort, waits: Waits): Promise<Tried | null> {
  // Answers of another model, from before a resume, are none to these calls.
  const path = `trial/${sha256(trial.name).slice(0, 8)}`;
  const { onWaiting } = waits;
  const scope = scopeOf(run, { path, phase: 'assess', today: run.created.slice(0, 10), language, onWaiting });
  // Once for each model.
  const { tried } = await import('../analyst/llm/trial.ts');
  const attached = run.attached.flatMap((id) => run.registry.get(id)?.text ?? []);
  const outcome = await tried([...attached, ...(await trial.texts(run.signal))], scope, run.run);
  if (outcome) await trial.learnt(outcome);
  return outcome ?? null;
}
