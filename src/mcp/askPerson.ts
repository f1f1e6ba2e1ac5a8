import { chosenEntities, foundLines, planLines } from '../node/terminalDialogue.ts';
import { isRefusal, readReviewAnswer, reviewAnswers, reviewVerdict } from '../node/terminalAnswers.ts';
import { stripHidden } from '../research/text/hidden.ts';
import type { RunSession } from '../runs/runSession.ts';

/** A field of a form, in the protocol's own terms (elicitation, requested schema). */
export type Field =
  | { readonly type: 'boolean'; readonly title: string }
  | { readonly type: 'string'; readonly title: string; readonly enum?: string[] };

/** Shows a form to the person at the client. `cancel`: they closed it without an answer. */
export type Elicit = (
  message: string,
  fields: Readonly<Record<string, Field>>,
  signal: AbortSignal,
) => Promise<{
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}>;

/** Forms in a row that are answered with nothing of use. */
const mostTries = 3;

/**
 * Asks the person at the client what the run waits for, and gives the run what they decide. False when there was no answer. Rejects when
 * aborted, or when the client fails.
 */
export async function askPerson(elicit: Elicit, session: RunSession, signal: AbortSignal): Promise<boolean> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const answered = await askOnce(elicit, session, signal);
    if (answered !== undefined) return answered;
  }
  return false;
}

/** Undefined for an answer that means nothing. */
async function askOnce(elicit: Elicit, session: RunSession, signal: AbortSignal): Promise<boolean | undefined> {
  const { pending, waitingFor, plan, entities, coverage, review, sections } = session.view;
  const ask = async (message: string, fields: Readonly<Record<string, Field>>) => {
    const { action, content = {} } = await elicit(stripHidden(message).trim(), fields, signal);
    const words = (name: string): string => (typeof content[name] === 'string' ? content[name].trim() : '');
    return { action, content, words };
  };
  if (waitingFor === 'answer' && pending) {
    const labels = pending.options.map(({ label }) => label);
    const { action, words } = await ask(pending.question, {
      ...(labels.length > 0 && { choice: { type: 'string', title: 'Answer', enum: labels } }),
      answer: { type: 'string', title: labels.length > 0 ? 'Or in your own words' : 'Answer' },
    });
    if (action === 'cancel') return false;
    session.answer(pending.id, action === 'decline' ? null : words('answer') || words('choice') || null);
    return true;
  }
  if (waitingFor === 'plan' && plan) {
    const { action, content, words } = await ask(planLines(plan).join('\n'), {
      approve: { type: 'boolean', title: 'Research this plan' },
      remark: { type: 'string', title: 'Or: what another plan should do differently' },
    });
    if (action === 'cancel') return false;
    if (action === 'accept' && words('remark') !== '') session.answerPlan(plan.round, { remark: words('remark') });
    else if (action === 'accept' && content['approve'] === true)
      session.answerPlan(plan.round, { sections: plan.sections });
    else await session.stop();
    return true;
  }
  if (waitingFor === 'entities') {
    const found = { entities, coverage };
    const { action, words } = await ask(foundLines(found).join('\n'), {
      change: { type: 'string', title: 'Numbers to leave out (2, 5), or + and a name to add; empty: all of them' },
    });
    if (action === 'cancel') return false;
    if (action === 'decline' || isRefusal(words('change'))) {
      await session.stop();
      return true;
    }
    const wanted = chosenEntities(found, words('change'));
    if (wanted) session.approveEntities(wanted);
    return wanted && true;
  }
  if (waitingFor === 'review' && review) {
    const { score, sufficient, gaps, retry } = review;
    const asked = { review: { overallScore: score, isSufficient: sufficient, gaps }, retry, sections };
    const { action, words } = await ask(`${reviewVerdict(asked)}\n${reviewAnswers(asked)}`, {
      answer: { type: 'string', title: 'Answer' },
    });
    if (action === 'cancel') return false;
    const decision = action === 'decline' ? 'report' : readReviewAnswer(words('answer'), asked);
    if (decision !== undefined) session.decideReview(decision);
    return decision && true;
  }
  return false;
}
