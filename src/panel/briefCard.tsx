import { useRef } from 'preact/hooks';
import type { PlanSection } from '../protocol/plan.ts';
import { longest } from '../protocol/planBounds.ts';
import { strategyOf } from '../protocol/strategy.ts';
import { AskingCard } from './askingCard.tsx';
import { onControlEnter } from './cardKeys.ts';
import { usePanel } from './panelContext.ts';
import { type PlanCardProps, PlanFoot } from './planCard.tsx';
import { choicesOf, usePlanEditor } from './planEditor.ts';
import { AnotherPlan, PlanOptions } from './planOptions.tsx';

/** A supervisor's plan is one text: its brief, to be edited and approved before anything is researched. */
export function BriefCard({
  plan,
  brief,
  strategy,
  analyst,
  sent,
  onAnswer,
  onStop,
}: PlanCardProps & { readonly brief: PlanSection }) {
  const { texts } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const editor = usePlanEditor({ ...plan, strategy }, box);
  const { draft, problem } = editor;
  const { round } = plan;
  const text = draft.sections[0]?.description ?? brief.description;
  const approve = () => {
    const description = text.trim();
    const isEmpty = description === '';
    editor.refuse(isEmpty ? 'needsBrief' : null, isEmpty ? box.current : null);
    if (isEmpty || sent) return;
    editor.forget();
    const choices = choicesOf(draft);
    // Sections are planned first, and shown.
    if (strategyOf(choices.strategy).planner === 'brief')
      onAnswer({ type: 'approvePlan', round, sections: [{ ...brief, description }], ...choices });
    else onAnswer({ type: 'anotherPlan', round, remark: draft.remark.trim(), ...choices });
  };
  return (
    <AskingCard
      name="plan"
      icon="note"
      title={texts.of('plan.briefTitle')}
      sent={sent}
      testId="plan-card"
      onKeyDown={(event) => onControlEnter(event, approve)}
    >
      <p class="quiet">{texts.of('plan.briefIntro')}</p>
      <textarea
        ref={box}
        class="input brief"
        data-testid="plan-brief"
        dir="auto"
        rows={6}
        maxLength={longest.brief}
        aria-label={texts.of('plan.brief')}
        aria-invalid={problem === 'needsBrief'}
        aria-describedby="plan-problem"
        value={text}
        readOnly={sent}
        onInput={(event) => editor.edit({ sections: [{ ...brief, description: event.currentTarget.value }] })}
      />
      <PlanOptions draft={draft} analyst={analyst} sent={sent} onEdit={editor.edit} />
      <AnotherPlan
        {...{ draft, analyst, sent, round }}
        planned={{ ...plan, strategy }}
        editor={editor}
        onAnswer={onAnswer}
      />
      <PlanFoot {...{ plan, draft, analyst, problem, sent, onStop }} onApprove={approve} />
    </AskingCard>
  );
}
