import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { PlanSection } from '../protocol/plan.ts';
import { longest, maxSections } from '../protocol/planBounds.ts';
import { estimatePlan } from '../protocol/planEstimate.ts';
import { estimateText } from '../protocol/setupLine.ts';
import { briefId } from '../protocol/reduceRun.ts';
import type { RunView } from '../protocol/runView.ts';
import { type Strategy, strategyOf } from '../protocol/strategy.ts';
import { AskingCard, CardFoot, onControlEnter } from './askingCard.tsx';
import { Button, TextBox } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { plain } from './plain.ts';
import { planProblem } from './planDraft.ts';
import { choicesOf, type PlanEditor, usePlanEditor } from './planEditor.ts';
import { AnotherPlan, PlanKinds, PlanOptions } from './planOptions.tsx';
import { PlanRow } from './planRow.tsx';

interface PlanCardProps {
  readonly plan: NonNullable<RunView['plan']>;
  readonly strategy: Strategy;
  /** Without a model there are no calls and tokens to estimate. */
  readonly analyst: RunView['analyst'];
  /** Of a follow-up, whose kind decides its strategy. */
  readonly isAbout: boolean;
}

/** The one text of a supervisor's plan. */
export function briefOf(plan: RunView['plan']): PlanSection | undefined {
  return plan?.sections.find(({ id }) => id === briefId);
}

/** The plan, to be edited and approved before anything is researched. */
export function PlanCard(props: PlanCardProps) {
  const brief = briefOf(props.plan);
  return brief ? <BriefEditor {...props} brief={brief} /> : <SectionsEditor {...props} />;
}

function SectionsEditor({ plan, strategy, analyst, isAbout }: PlanCardProps) {
  const { texts, locked, send } = usePanel();
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
    if (found || locked) return;
    editor.forget();
    const titled = sections.map((section) => ({ ...section, title: section.title.trim() }));
    send('decision', { type: 'approvePlan', round, sections: titled, ...choicesOf(draft) });
  };
  return (
    <PlanFrame
      {...{ plan, strategy, analyst, isAbout, editor }}
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
            editor={editor}
          />
        ))}
      </ol>
      <div class="actions">
        <Button look="link" icon="add" testId="plan-add" disabled={locked} onClick={editor.add}>
          {texts.of('plan.add')}
        </Button>
        {removed && (
          <Button look="link" icon="discard" testId="plan-undo" disabled={locked} onClick={editor.undo}>
            {texts.of('plan.undo', shortened(plain(removed.section.title)) || texts.of('plan.new'))}
          </Button>
        )}
      </div>
    </PlanFrame>
  );
}

/** A supervisor's plan is one text: its brief. */
function BriefEditor({ plan, strategy, analyst, isAbout, brief }: PlanCardProps & { readonly brief: PlanSection }) {
  const { texts, locked, send } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  const editor = usePlanEditor({ ...plan, strategy }, box);
  const { draft, problem } = editor;
  const { round } = plan;
  const text = draft.sections[0]?.description ?? brief.description;
  const approve = () => {
    const description = text.trim();
    const isEmpty = description === '';
    editor.refuse(isEmpty ? 'needsBrief' : null, isEmpty ? box.current : null);
    if (isEmpty || locked) return;
    editor.forget();
    const choices = choicesOf(draft);
    // Sections are planned first, and shown.
    if (strategyOf(choices.strategy).planner === 'brief')
      send('decision', { type: 'approvePlan', round, sections: [{ ...brief, description }], ...choices });
    else send('decision', { type: 'anotherPlan', round, remark: draft.remark.trim(), ...choices });
  };
  return (
    <PlanFrame
      {...{ plan, strategy, analyst, isAbout, editor }}
      icon="note"
      title={texts.of('plan.briefTitle')}
      onApprove={approve}
    >
      <p class="quiet">{texts.of('plan.briefIntro')}</p>
      <TextBox
        box={box}
        class="brief"
        testId="plan-brief"
        rows={6}
        maxLength={longest.brief}
        aria-label={texts.of('plan.brief')}
        aria-invalid={problem === 'needsBrief'}
        aria-describedby="plan-problem"
        value={text}
        readOnly={locked}
        onType={(description) => editor.edit({ sections: [{ ...brief, description }] })}
      />
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
function PlanFrame({ plan, strategy, analyst, isAbout, icon, title, editor, onApprove, children }: PlanFrameProps) {
  const { texts } = usePanel();
  const { draft, problem } = editor;
  const estimate = plan.basis ? estimatePlan(draft, plan.basis) : plan.estimate;
  return (
    <AskingCard
      name="plan"
      icon={icon}
      title={title}
      testId="plan-card"
      onKeyDown={(event) => onControlEnter(event, onApprove)}
    >
      {children}
      {plan.as && <PlanKinds as={plan.as} round={plan.round} editor={editor} />}
      {!isAbout && <PlanOptions draft={draft} analyst={analyst} onEdit={editor.edit} />}
      <AnotherPlan {...{ draft, analyst, editor }} planned={{ ...plan, strategy }} />
      <CardFoot
        name="plan"
        statusId="plan-estimate"
        status={texts.of('plan.estimate', estimateText(estimate, analyst, texts))}
        problemId="plan-problem"
        problem={problem ? texts.of(`plan.${problem}`, maxSections) : ''}
        approve={texts.of('plan.approve')}
        title={texts.of('plan.approveTitle')}
        onApprove={onApprove}
      />
    </AskingCard>
  );
}

function shortened(title: string): string {
  return title.length > 40 ? `${title.slice(0, 39).replace(/[\ud800-\udbff]$/, '')}…` : title;
}
