import { useRef } from 'preact/hooks';
import type { PlanSection } from '../protocol/plan.ts';
import { longest } from '../protocol/planBounds.ts';
import { strategyOf } from '../protocol/strategy.ts';
import { usePanel } from './panelContext.ts';
import { type PlanCardProps, PlanFrame } from './planCard.tsx';
import { choicesOf, usePlanEditor } from './planEditor.ts';

/** A supervisor's plan is one text: its brief, to be edited and approved before anything is researched. */
export function BriefCard({ brief, ...props }: PlanCardProps & { readonly brief: PlanSection }) {
  const { plan, strategy, sent, onAnswer } = props;
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
    <PlanFrame {...props} icon="note" title={texts.of('plan.briefTitle')} editor={editor} onApprove={approve}>
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
    </PlanFrame>
  );
}
