import { useRef } from 'preact/hooks';
import { type FollowUpKind, offeredKinds } from '../protocol/followUp.ts';
import { longest } from '../protocol/planBounds.ts';
import type { RunView } from '../protocol/runView.ts';
import { strategies, type Strategy, strategyOf, type WantedStrategy } from '../protocol/strategy.ts';
import { onControlEnter } from './askingCard.tsx';
import { Button, Select, TextBox, Toggle, useOpen } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import type { PlanDraft } from './planDraft.ts';
import { choicesOf, type PlanEditor, type Planned } from './planEditor.ts';

interface StrategyChoiceProps<S extends WantedStrategy | Strategy> {
  /** Of the list; `NAME-what` is the line below it. */
  readonly name: string;
  readonly class: string;
  readonly offered: readonly S[];
  readonly value: S;
  readonly disabled?: boolean;
  readonly onChoose: (chosen: S) => void;
}

/** A choice of the strategy, with a line on what it means. */
export function StrategyChoice<S extends WantedStrategy | Strategy>(props: StrategyChoiceProps<S>) {
  const { texts } = usePanel();
  const { name, offered, value, disabled, onChoose } = props;
  return (
    <div class={props.class}>
      <label for={name}>{texts.of('strategy.label')}</label>
      <Select
        id={name}
        testId={name}
        describedBy={`${name}-what`}
        options={offered}
        textOf={(one) => texts.of(`strategy.${one}`)}
        value={value}
        disabled={disabled}
        onChoose={onChoose}
      />
      <p id={`${name}-what`} class="quiet strategy-what" data-testid={`${name}-what`}>
        {texts.of(`strategy.what.${value}`)}
      </p>
    </div>
  );
}

interface PlanOptionsProps {
  readonly draft: PlanDraft;
  readonly analyst: RunView['analyst'];
  readonly onEdit: (change: Partial<PlanDraft>) => void;
}

/** Strategy and focus of the run, which the plan can still change. */
export function PlanOptions({ draft, analyst, onEdit }: PlanOptionsProps) {
  const { texts, locked } = usePanel();
  const [isOpen, toggle] = useOpen('plan-options', false);
  const { strategy, focus } = draft;
  const points = focus.split('\n').filter((line) => line.trim() !== '').length;
  return (
    <div class="plan-more">
      <Toggle id="plan-options" testId="plan-options-toggle" open={isOpen} onToggle={toggle}>
        <span class="disclosure-title">{texts.of('plan.options', texts.of(`strategy.${strategy}`), points)}</span>
      </Toggle>
      {isOpen && (
        <div id="plan-options" class="plan-details">
          <StrategyChoice
            name="plan-strategy"
            class="plan-field"
            offered={offered(strategy)}
            value={strategy}
            disabled={locked}
            onChoose={(chosen) => onEdit({ strategy: chosen })}
          />
          <label class="plan-field">
            <span>{texts.of('plan.focus')}</span>
            <TextBox
              testId="plan-focus"
              rows={3}
              maxLength={longest.focus * 10}
              value={focus}
              readOnly={locked}
              aria-describedby="plan-focus-what"
              onType={(typed) => onEdit({ focus: typed })}
            />
          </label>
          <p id="plan-focus-what" class="quiet">
            {texts.of(analyst === 'llm' ? 'plan.focusWhat' : 'plan.focusWords')}
          </p>
        </div>
      )}
    </div>
  );
}

/** What only `auto` chooses is offered only where the run is one. */
function offered(strategy: Strategy): readonly Strategy[] {
  return strategies.filter((one) => strategyOf(one).setting !== undefined || one === strategy);
}

interface PlanKindsProps {
  readonly as: FollowUpKind;
  readonly round: number;
  readonly editor: PlanEditor;
}

/** What becomes of a question about a report, with its cost: a click on another kind makes another plan, or begins an answer. */
export function PlanKinds({ as, round, editor }: PlanKindsProps) {
  const { texts, thread, hasModel, locked, send } = usePanel();
  const { draft, forget } = editor;
  const choose = (kind: FollowUpKind) => {
    forget();
    send('decision', { type: 'anotherPlan', round, remark: draft.remark.trim(), as: kind, ...choicesOf(draft) });
  };
  const offered = thread?.choices.filter((one) => offeredKinds(hasModel).includes(one.as)) ?? [];
  if (offered.length === 0) return null;
  return (
    <div class="plan-kinds" role="group" aria-label={texts.of('followUp.kinds')}>
      <span class="quiet">{texts.of('followUp.kinds')}</span>
      {offered.map(({ as: kind, label, detail, description }) => (
        <Button
          key={kind}
          testId={`plan-kind-${kind}`}
          title={detail}
          pressed={kind === as}
          disabled={locked || kind === as}
          onClick={() => choose(kind)}
        >
          {label} <span class="quiet">{description || texts.of('followUp.free')}</span>
        </Button>
      ))}
    </div>
  );
}

interface AnotherPlanProps extends Omit<PlanOptionsProps, 'onEdit'> {
  readonly planned: Planned;
  readonly editor: PlanEditor;
}

/** Sends the plan back with a remark. */
export function AnotherPlan({ draft, analyst, planned, editor }: AnotherPlanProps) {
  const { texts, locked, send } = usePanel();
  const [isOpen, toggle] = useOpen('plan-another', draft.remark !== '');
  const box = useRef<HTMLTextAreaElement>(null);
  const sendBack = () => {
    const remark = draft.remark.trim();
    const choices = choicesOf(draft);
    const isAsked =
      remark !== '' || choices.strategy !== planned.strategy || choices.focus.join('\n') !== planned.focus.join('\n');
    editor.refuse(isAsked ? null : 'needsRemark', isAsked ? null : box.current);
    if (!isAsked || locked) return;
    editor.forget();
    send('decision', { type: 'anotherPlan', round: planned.round, remark, ...choices });
  };
  return (
    <div class="plan-more">
      <Toggle id="plan-another" testId="plan-another-toggle" open={isOpen} onToggle={toggle}>
        <span class="disclosure-title">{texts.of('plan.another')}</span>
      </Toggle>
      {isOpen && (
        <div id="plan-another" class="plan-details">
          <label class="plan-field">
            <span>{texts.of('plan.remark')}</span>
            <TextBox
              box={box}
              testId="plan-remark"
              rows={2}
              maxLength={longest.remark}
              value={draft.remark}
              readOnly={locked}
              aria-describedby="plan-remark-what"
              onType={(remark) => editor.edit({ remark })}
              // What is typed here is no approval.
              onKeyDown={(event) => onControlEnter(event, sendBack)}
            />
          </label>
          <p id="plan-remark-what" class="quiet">
            {texts.of(analyst === 'llm' ? 'plan.remarkWhat' : 'plan.remarkWords')}
          </p>
          <div class="actions">
            <Button testId="plan-send-back" icon="refresh" disabled={locked} onClick={sendBack}>
              {texts.of('plan.makeAnother')}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
