import { useRef, useState } from 'preact/hooks';
import type { PlanSection } from '../protocol/events.ts';
import { ApprovalActions } from './approvalActions.tsx';
import { AskingCard } from './askingCard.tsx';
import { usePanel } from './panelContext.ts';
import { estimateText, type PlanCardProps } from './planCard.tsx';

/** Characters of a brief at most: the lead researcher reads it before each turn. */
const maxBriefLength = 10_000;

/** A supervisor's plan is one text: its brief, to be edited and approved before anything is researched. */
export function BriefCard({
  plan,
  brief,
  analyst,
  sent,
  onApprove,
  onStop,
}: PlanCardProps & { readonly brief: PlanSection }) {
  const { texts, host, run } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() =>
    host.ui.plan?.run === run ? (host.ui.plan.sections[0]?.description ?? brief.description) : brief.description,
  );
  const [empty, setEmpty] = useState(false);

  const change = (description: string) => {
    setText(description);
    if (description.trim() !== '') setEmpty(false);
    host.remember({ plan: { run, sections: [{ ...brief, description }] } });
  };
  const approve = () => {
    const description = text.trim();
    setEmpty(description === '');
    if (description === '') box.current?.focus();
    if (description === '' || sent) return;
    host.remember({ plan: null });
    onApprove([{ ...brief, description }]);
  };
  return (
    <AskingCard name="plan" icon="note" title={texts.of('plan.briefTitle')} sent={sent} testId="plan-card">
      <p class="quiet">{texts.of('plan.briefIntro')}</p>
      <textarea
        ref={box}
        class="input brief"
        data-testid="plan-brief"
        dir="auto"
        rows={6}
        maxLength={maxBriefLength}
        aria-label={texts.of('plan.brief')}
        aria-invalid={empty}
        aria-describedby="brief-problem"
        value={text}
        readOnly={sent}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <p class="quiet" data-testid="plan-estimate">
        {texts.of('plan.estimate', estimateText(plan.estimate, analyst, texts))}
      </p>
      <div id="brief-problem" class="field-problem" role="alert" data-testid="brief-problem">
        {empty && texts.of('plan.needsBrief')}
      </div>
      <ApprovalActions sent={sent} onApprove={approve} onStop={onStop} />
    </AskingCard>
  );
}
