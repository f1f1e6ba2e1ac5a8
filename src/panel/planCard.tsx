import { useRef } from 'preact/hooks';
import type { PlanEstimate, PlanSection } from '../protocol/events.ts';
import { estimatePlan } from '../protocol/planEstimate.ts';
import type { RunView } from '../protocol/runView.ts';
import { ApprovalActions } from './approvalActions.tsx';
import { AskingCard } from './askingCard.tsx';
import { Button, Foreign, IconButton } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { maxSections } from '../protocol/planBounds.ts';
import type { Strategy } from '../protocol/strategy.ts';
import type { PlanProblem } from './planDraft.ts';
import { type PlanEditor, usePlanEditor } from './planEditor.ts';
import type { Texts } from './texts.ts';

export interface PlanCardProps {
  readonly plan: NonNullable<RunView['plan']>;
  /** Without a model there are no calls and tokens to estimate. */
  readonly analyst: RunView['analyst'];
  readonly strategy: Strategy;
  readonly sent: boolean;
  readonly onApprove: (sections: PlanSection[]) => void;
  readonly onStop: () => void;
}

/** The plan, to be edited and approved before anything is researched. */
export function PlanCard({ plan, strategy, analyst, sent, onApprove, onStop }: PlanCardProps) {
  const { texts } = usePanel();
  const list = useRef<HTMLOListElement>(null);
  const editor = usePlanEditor(plan.sections, list);
  const { sections, problem } = editor;
  const approve = () => {
    const approved = editor.approved();
    if (approved) onApprove(approved);
  };
  const estimate = plan.basis ? estimatePlan({ strategy, sections }, plan.basis) : plan.estimate;
  return (
    <AskingCard name="plan" icon="list-ordered" title={texts.of('plan.title')} sent={sent} testId="plan-card">
      <p class="quiet">{texts.of('plan.intro')}</p>
      <ol ref={list} class="plan-sections">
        {sections.map((section, i) => (
          <PlanRow key={section.id} section={section} index={i} editor={editor} sent={sent} />
        ))}
      </ol>
      <Button look="link" icon="add" testId="plan-add" disabled={sent} onClick={editor.add}>
        {texts.of('plan.add')}
      </Button>
      <p class="quiet" data-testid="plan-estimate">
        {texts.of('plan.estimate', estimateText(estimate, analyst, texts))}
      </p>
      <div class="field-problem" role="alert">
        {problem && problemText(problem, texts)}
      </div>
      <ApprovalActions sent={sent} onApprove={approve} onStop={onStop} />
    </AskingCard>
  );
}

interface PlanRowProps {
  readonly section: PlanSection;
  readonly index: number;
  readonly editor: PlanEditor;
  readonly sent: boolean;
}

/** One section: its title to edit, and its place. */
function PlanRow({ section, index, editor, sent }: PlanRowProps) {
  const { texts } = usePanel();
  const { sections, problem } = editor;
  return (
    <li data-testid="plan-section">
      <textarea
        class="input plan-title"
        data-testid="plan-section-title"
        dir="auto"
        rows={1}
        maxLength={300}
        aria-label={texts.of('plan.section', index + 1)}
        aria-invalid={problem === 'needsTitle' && section.title.trim() === ''}
        placeholder={texts.of('plan.new')}
        value={section.title}
        readOnly={sent}
        onInput={(event) => editor.rename(index, event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.isComposing) event.preventDefault();
        }}
      />
      <div class="plan-tools">
        <IconButton
          icon="arrow-up"
          label={texts.of('plan.up', index + 1)}
          testId="plan-up"
          disabled={sent || index === 0}
          onClick={() => editor.move(index, -1)}
        />
        <IconButton
          icon="arrow-down"
          label={texts.of('plan.down', index + 1)}
          testId="plan-down"
          disabled={sent || index === sections.length - 1}
          onClick={() => editor.move(index, 1)}
        />
        <IconButton
          icon="trash"
          label={texts.of('plan.remove', index + 1)}
          testId="plan-remove"
          disabled={sent}
          onClick={() => editor.remove(index)}
        />
      </div>
      {section.description !== '' && <Foreign as="p" class="quiet plan-description" text={section.description} />}
    </li>
  );
}

function problemText(problem: PlanProblem, texts: Texts): string {
  return problem === 'tooMany' ? texts.of('plan.tooMany', maxSections) : texts.of(`plan.${problem}`);
}

/** What a plan is estimated to take, as a list. */
export function estimateText(
  { calls, tokens, minutes, cost }: PlanEstimate,
  analyst: RunView['analyst'],
  texts: Texts,
): string {
  const model =
    analyst === 'llm' ? [texts.count('plan.calls', calls), texts.of('plan.tokens', texts.compact(tokens))] : [];
  const time = texts.count('plan.minutes', Math.max(1, Math.round(minutes)));
  return texts.list([...model, time, ...(cost === null ? [] : [texts.money(cost)])]);
}
