import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { PlanEstimate } from '../protocol/plan.ts';
import { maxSections } from '../protocol/planBounds.ts';
import { estimatePlan } from '../protocol/planEstimate.ts';
import type { RunView } from '../protocol/runView.ts';
import type { Strategy } from '../protocol/strategy.ts';
import { AskingCard } from './askingCard.tsx';
import { onControlEnter } from './cardKeys.ts';
import { Button } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { plain } from './plain.ts';
import { type PlanDraft, planProblem, type PlanProblem } from './planDraft.ts';
import { choicesOf, type PlanAnswer, type PlanEditor, usePlanEditor } from './planEditor.ts';
import { AnotherPlan, PlanOptions } from './planOptions.tsx';
import { PlanRow } from './planRow.tsx';
import type { Texts } from './texts.ts';

export interface PlanCardProps {
  readonly plan: NonNullable<RunView['plan']>;
  readonly strategy: Strategy;
  /** Without a model there are no calls and tokens to estimate. */
  readonly analyst: RunView['analyst'];
  readonly sent: boolean;
  readonly onAnswer: (answer: PlanAnswer) => void;
  readonly onStop: () => void;
}

/** The plan, to be edited and approved before anything is researched. */
export function PlanCard({ plan, strategy, analyst, sent, onAnswer, onStop }: PlanCardProps) {
  const { texts } = usePanel();
  const list = useRef<HTMLOListElement>(null);
  const editor = usePlanEditor({ ...plan, strategy }, list);
  const { draft, problem, removed } = editor;
  const { sections } = draft;
  const { round } = plan;
  const approve = () => {
    const found = planProblem(sections);
    const untitled = sections.findIndex(({ title }) => title.trim() === '');
    editor.refuse(
      found,
      found === 'needsTitle' ? (list.current?.querySelectorAll('textarea.plan-title')[untitled] as HTMLElement) : null,
    );
    if (found || sent) return;
    editor.forget();
    const titled = sections.map((section) => ({ ...section, title: section.title.trim() }));
    onAnswer({ type: 'approvePlan', round, sections: titled, ...choicesOf(draft) });
  };
  return (
    <PlanFrame
      {...{ plan, strategy, analyst, sent, onAnswer, onStop, editor }}
      icon="list-ordered"
      title={texts.of('plan.title')}
      onApprove={approve}
    >
      <p class="quiet">{texts.of('plan.intro')}</p>
      <p id="plan-keys" class="quiet">
        {texts.of('plan.keys')}
      </p>
      <ol ref={list} class="plan-sections">
        {sections.map((section, i) => (
          <PlanRow
            key={section.id}
            section={section}
            index={i}
            count={sections.length}
            basis={plan.basis}
            untitled={problem === 'needsTitle' && section.title.trim() === ''}
            sent={sent}
            editor={editor}
          />
        ))}
      </ol>
      <div class="actions">
        <Button look="link" icon="add" testId="plan-add" disabled={sent} onClick={editor.add}>
          {texts.of('plan.add')}
        </Button>
        {removed && (
          <Button look="link" icon="discard" testId="plan-undo" disabled={sent} onClick={editor.undo}>
            {texts.of('plan.undo', shortened(plain(removed.section.title)) || texts.of('plan.new'))}
          </Button>
        )}
      </div>
    </PlanFrame>
  );
}

interface PlanFrameProps extends PlanCardProps {
  readonly icon: string;
  readonly title: string;
  readonly editor: PlanEditor;
  readonly onApprove: () => void;
  readonly children: ComponentChildren;
}

/** What the cards of a plan and of a brief share: the run's options, another plan, the estimate and the approval. */
export function PlanFrame(props: PlanFrameProps) {
  const { plan, strategy, analyst, sent, onAnswer, onStop, icon, title, editor, onApprove, children } = props;
  const { draft, problem } = editor;
  return (
    <AskingCard
      name="plan"
      icon={icon}
      title={title}
      sent={sent}
      testId="plan-card"
      onKeyDown={(event) => onControlEnter(event, onApprove)}
    >
      {children}
      <PlanOptions draft={draft} analyst={analyst} sent={sent} onEdit={editor.edit} />
      <AnotherPlan {...{ draft, analyst, sent, editor, onAnswer }} round={plan.round} planned={{ ...plan, strategy }} />
      <PlanFoot {...{ plan, draft, analyst, problem, sent, onApprove, onStop }} />
    </AskingCard>
  );
}

interface PlanFootProps extends Pick<PlanCardProps, 'plan' | 'analyst' | 'sent' | 'onStop'> {
  readonly draft: PlanDraft;
  readonly problem: PlanProblem | null;
  readonly onApprove: () => void;
}

/** What the plan will take, and its approval: always in sight, however long the plan is. */
function PlanFoot({ plan, draft, analyst, problem, sent, onApprove, onStop }: PlanFootProps) {
  const { texts } = usePanel();
  const estimate = plan.basis ? estimatePlan(draft, plan.basis) : plan.estimate;
  return (
    <div class="card-foot">
      <p class="quiet" role="status" data-testid="plan-estimate">
        {texts.of('plan.estimate', estimateText(estimate, analyst, texts))}
      </p>
      <div id="plan-problem" class="field-problem" role="alert" data-testid="plan-problem">
        {problem && problemText(problem, texts)}
      </div>
      <ApprovalActions sent={sent} onApprove={onApprove} onStop={onStop} />
    </div>
  );
}

/** What can be done with a plan or a brief. */
function ApprovalActions({
  sent,
  onApprove,
  onStop,
}: {
  readonly sent: boolean;
  readonly onApprove: () => void;
  readonly onStop: () => void;
}) {
  const { texts } = usePanel();
  return (
    <div class="actions">
      <Button
        look="primary"
        testId="approve-plan"
        title={texts.of('plan.approveTitle')}
        disabled={sent}
        onClick={onApprove}
      >
        {texts.of('plan.approve')}
      </Button>
      <Button testId="stop-plan" disabled={sent} onClick={onStop}>
        {texts.of('action.stop')}
      </Button>
    </div>
  );
}

function shortened(title: string): string {
  return title.length > 40 ? `${title.slice(0, 39).replace(/[\ud800-\udbff]$/, '')}…` : title;
}

function problemText(problem: PlanProblem, texts: Texts): string {
  return problem === 'tooMany' ? texts.of('plan.tooMany', maxSections) : texts.of(`plan.${problem}`);
}

/** What a plan is estimated to take, as a list. */
function estimateText(
  { calls, tokens, minutes, cost }: PlanEstimate,
  analyst: RunView['analyst'],
  texts: Texts,
): string {
  const model =
    analyst === 'llm' ? [texts.count('plan.calls', calls), texts.of('plan.tokens', texts.compact(tokens))] : [];
  const time = texts.count('plan.minutes', Math.max(1, Math.round(minutes)));
  return texts.list([...model, time, ...(cost === null ? [] : [texts.money(cost)])]);
}
