import { useRef, useState } from 'preact/hooks';
import type { PlanSection } from '../protocol/events.ts';
import { ApprovalActions } from './approvalActions.tsx';
import { useCardFocus } from './cardFocus.ts';
import { Icon } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { estimateText, type PlanCardProps } from './planCard.tsx';

/** Characters that a brief may have; what a lead researcher reads before each of its turns. */
const maxBriefLength = 10_000;

/** The supervisor's plan is one text: its brief, to be changed and approved before anything is researched. */
export function BriefCard({
  plan,
  brief,
  analyst,
  sent,
  onApprove,
  onStop,
}: PlanCardProps & { readonly brief: PlanSection }) {
  const { texts, host, run } = usePanel();
  const card = useRef<HTMLElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() =>
    host.ui.plan?.run === run ? (host.ui.plan.sections[0]?.description ?? brief.description) : brief.description,
  );
  const [empty, setEmpty] = useState(false);
  useCardFocus(card);

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
    <section
      ref={card}
      class="card asking"
      tabIndex={-1}
      aria-labelledby="plan-title"
      aria-busy={sent}
      data-testid="plan-card"
    >
      <h2 id="plan-title">
        <Icon name="note" />
        {texts.of('plan.briefTitle')}
      </h2>
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
    </section>
  );
}
