import * as z from 'zod';
import { INTERRUPT, isInterrupted } from '@langchain/langgraph';
import type {
  Dialogue,
  EditedPlan,
  PlanRemark,
  ProposedEntities,
  ProposedPlan,
  WantedEntity,
} from '../../protocol/ports.ts';
import { untilAborted } from '../calls/waiting.ts';
import { ResearchError } from '../errors.ts';
import { decided } from '../plan/boundedPlan.ts';
import { wantedEntities } from '../plan/entities.ts';
import { shown } from '../plan/proposal.ts';
import { reviewFinished, sentBackBy } from '../nodes/review.ts';
import { readAnswer } from '../policy/justStart.ts';
import type { ApproveResume, Interrupt, Resume } from '../nodes/interrupts.ts';
import type { CallPort, EventPort, LimitPort, RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';

/**
 * Answers an interrupt. One that was answered before the run was resumed gets the same answer, without asking. "Finish now" ends
 * the wait: the proposal is taken then, and not journalled as the user's decision.
 */
export async function answer(
  context: CallPort & EventPort & LimitPort,
  dialogue: Dialogue,
  waiting: Interrupt,
): Promise<Resume> {
  const { signal, finishSignal } = context;
  try {
    return await answered(context, dialogue, waiting, AbortSignal.any([signal, finishSignal]));
  } catch (error) {
    if (signal.aborted || !finishSignal.aborted) throw error;
    if (waiting.kind === 'review') context.emit({ type: 'review/decided', retry: [] });
    return unanswered(waiting);
  }
}

/** @param quit Ends the wait: a person may take their time, a stop must not. */
async function answered(
  run: CallPort & EventPort,
  dialogue: Dialogue,
  waiting: Interrupt,
  quit: AbortSignal,
): Promise<Resume> {
  const { replay, emit, steering } = run;
  const reply = <T>(given: Promise<T> | undefined): Promise<T> | undefined => given && untilAborted(given, quit);
  switch (waiting.kind) {
    case 'ask': {
      const { id, question, options, missingInfo, why, topicMissing } = waiting.asked;
      let isTaken = false as boolean;
      const given = await replay.observed(
        `answer/${id}`,
        async () => {
          emit({ type: 'clarify/asked', id, question, options: [...options], missingInfo, why });
          if (!dialogue.answer && topicMissing) throw needsAnswer(question);
          const said = (await reply(dialogue.answer?.(waiting.asked))) ?? null;
          const text = said === null || typeof said === 'string' ? said : said.taken;
          isTaken = text !== said;
          return text === null ? null : readAnswer(text, options);
        },
        question,
      );
      const answer = { answer: given.value, skipped: given.value === null };
      if (!given.replayed) emit({ type: 'clarify/answered', id, ...answer, ...(isTaken && { isTaken }) });
      return { answer: given.value };
    }
    case 'entities': {
      const { found } = waiting;
      const given = await replay.observed(
        'entities',
        async () => (await reply(dialogue.approveEntities?.(found))) ?? allOf(found),
        JSON.stringify(found.entities),
      );
      const { discoveredItems } = wantedEntities(found.entities, given.value);
      if (!given.replayed) emit({ type: 'discover/approved', entities: [...discoveredItems] });
      return { wanted: given.value };
    }
    case 'approve':
      return approved(run, waiting.plan, async (proposed) => reply(dialogue.approve?.(proposed)));
    case 'review': {
      const { retry, sections, place } = waiting.decide;
      // Another review may name the same sections.
      const key = `decide/${place}`;
      const decide = async () => (await reply(dialogue.decideReview?.(waiting.decide))) ?? 'continue';
      const { value, replayed } = await replay.observed(key, decide, JSON.stringify(retry));
      const decision = decisionSchema.parse(value);
      if (!replayed) emit({ type: 'review/decided', retry: sentBackBy(decision, retry, sections) });
      if (typeof decision !== 'string')
        for (const { id, remark = '' } of decision.sections) await steering.decided(id, remark, key);
      return { decision };
    }
  }
}

async function approved(
  { replay, emit, texts }: CallPort & EventPort,
  proposed: ProposedPlan,
  ask: (proposed: ProposedPlan) => Promise<EditedPlan | PlanRemark | undefined>,
): Promise<ApproveResume> {
  const { round } = proposed;
  const { value: decision, replayed } = await replay.observed(
    // Two plans may be the same, word for word.
    round === 0 ? 'approve' : `approve/${round}`,
    async () => decided(proposed, (await ask(proposed)) ?? proposed),
    JSON.stringify(proposed.sections),
  );
  if (replayed) return decision;
  if ('another' in decision) {
    emit({ type: 'plan/sentBack', remark: decision.another.remark, round });
    return decision;
  }
  const { plan } = decision;
  const { strategy } = plan;
  if (strategy !== proposed.strategy) emit({ type: 'run/strategy', strategy, why: texts.strategies.chosen });
  emit({ type: 'plan/approved', ...shown(plan) });
  return decision;
}

/** What a program answers may be anything. */
const decisionSchema = z.union([
  z.enum(['continue', 'report']),
  z.object({ sections: z.array(z.object({ id: z.string(), remark: z.string().optional() })) }),
]);

function unanswered(waiting: Interrupt): Resume {
  switch (waiting.kind) {
    case 'ask':
      return { answer: null };
    case 'entities':
      return { wanted: allOf(waiting.found) };
    case 'approve':
      return { plan: waiting.plan };
    case 'review':
      return { decision: 'report' };
  }
}

function allOf({ entities }: ProposedEntities): WantedEntity[] {
  return entities.map(({ name }) => ({ name, from: [name] }));
}

export function needsAnswer(
  question: string,
  next = 'Answer the question, or add what is missing to the research question itself.',
): ResearchError {
  return new ResearchError('needsAnswer', `The run is waiting for an answer: ${question}`, { next });
}

/** Shows what an interrupted run was waiting for: the node that proposed it does not run again, so its event is repeated. */
export function repeatProposal(state: unknown, context: EventPort & Pick<RunContext, 'parent'>): void {
  if (!isInterrupted<Interrupt>(state)) return;
  const waiting = state[INTERRUPT][0]!.value!;
  if (waiting.kind === 'entities') {
    const { entities, coverage } = waiting.found;
    context.emit({ type: 'discover/found', entities: [...entities], coverage, needsApproval: true });
  }
  if (waiting.kind === 'approve') {
    const { plan } = waiting;
    context.emit({
      type: 'plan/proposed',
      ...shown(plan),
      ...kindOf(state, context),
      basis: plan.basis,
      needsApproval: true,
    });
  }
  if (waiting.kind === 'review') {
    const { review, retry, round } = waiting.decide;
    context.emit(reviewFinished(review, { retry: [...retry], round, needsApproval: true }));
  }
}

/** What the model has made of a question about a report, which the user may change. */
function kindOf(state: unknown, { parent }: Pick<RunContext, 'parent'>) {
  const { change } = state as Partial<ResearchStateType>;
  const isChosen = (parent?.wanted.as ?? parent?.wanted.section) !== undefined;
  return change === undefined || change.as === 'refresh' || isChosen ? {} : { as: change.as };
}
