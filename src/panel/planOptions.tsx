import { useRef } from 'preact/hooks';
import { longest } from '../protocol/planBounds.ts';
import type { RunView } from '../protocol/runView.ts';
import { strategies, type Strategy, strategyOf } from '../protocol/strategy.ts';
import { onControlEnter } from './cardKeys.ts';
import { Button, Select, Toggle, useOpen } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import type { PlanDraft } from './planDraft.ts';
import { choicesOf, type DraftEditor, type PlanAnswer } from './planEditor.ts';

interface PlanOptionsProps {
  readonly draft: PlanDraft;
  readonly analyst: RunView['analyst'];
  readonly sent: boolean;
  readonly onEdit: (change: Partial<PlanDraft>) => void;
}

/** Strategy and focus of the run, which the plan can still change. */
export function PlanOptions({ draft, analyst, sent, onEdit }: PlanOptionsProps) {
  const { texts } = usePanel();
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
          <div class="plan-field">
            <label for="plan-strategy">{texts.of('strategy.label')}</label>
            <Select
              id="plan-strategy"
              testId="plan-strategy"
              describedBy="plan-strategy-what"
              options={offered(strategy)}
              textOf={(one) => texts.of(`strategy.${one}`)}
              value={strategy}
              disabled={sent}
              onChoose={(chosen) => onEdit({ strategy: chosen })}
            />
            <p id="plan-strategy-what" class="quiet">
              {texts.of(`strategy.what.${strategy}`)}
            </p>
          </div>
          <label class="plan-field">
            <span>{texts.of('plan.focus')}</span>
            <textarea
              class="input"
              data-testid="plan-focus"
              dir="auto"
              rows={3}
              maxLength={longest.focus * 10}
              value={focus}
              readOnly={sent}
              aria-describedby="plan-focus-what"
              onInput={(event) => onEdit({ focus: event.currentTarget.value })}
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

interface AnotherPlanProps extends Omit<PlanOptionsProps, 'onEdit'> {
  readonly round: number;
  /** As proposed. */
  readonly planned: { readonly strategy: Strategy; readonly focus: readonly string[] };
  readonly editor: DraftEditor;
  readonly onAnswer: (answer: PlanAnswer) => void;
}

/** Sends the plan back with a remark. */
export function AnotherPlan({ draft, analyst, sent, round, planned, editor, onAnswer }: AnotherPlanProps) {
  const { texts } = usePanel();
  const [isOpen, toggle] = useOpen('plan-another', draft.remark !== '');
  const box = useRef<HTMLTextAreaElement>(null);
  const send = () => {
    const remark = draft.remark.trim();
    const choices = choicesOf(draft);
    const isAsked =
      remark !== '' || choices.strategy !== planned.strategy || choices.focus.join('\n') !== planned.focus.join('\n');
    editor.refuse(isAsked ? null : 'needsRemark', isAsked ? null : box.current);
    if (!isAsked || sent) return;
    editor.forget();
    onAnswer({ type: 'anotherPlan', round, remark, ...choices });
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
            <textarea
              ref={box}
              class="input"
              data-testid="plan-remark"
              dir="auto"
              rows={2}
              maxLength={longest.remark}
              value={draft.remark}
              readOnly={sent}
              aria-describedby="plan-remark-what"
              onInput={(event) => editor.edit({ remark: event.currentTarget.value })}
              // What is typed here is no approval.
              onKeyDown={(event) => onControlEnter(event, send)}
            />
          </label>
          <p id="plan-remark-what" class="quiet">
            {texts.of(analyst === 'llm' ? 'plan.remarkWhat' : 'plan.remarkWords')}
          </p>
          <div class="actions">
            <Button testId="plan-send-back" icon="refresh" disabled={sent} onClick={send}>
              {texts.of('plan.makeAnother')}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
