import { useEffect, useRef, useState } from 'preact/hooks';
import type { PlanEstimate, PlanSection } from '../protocol/events.ts';
import type { RunView } from '../protocol/runView.ts';
import { ApprovalActions } from './approvalActions.tsx';
import { useCardFocus } from './cardFocus.ts';
import { Button, Foreign, Icon, IconButton } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { maxSections, moved, planProblem, type PlanProblem, withNew, without, withTitle } from './planDraft.ts';
import type { Texts } from './texts.ts';

export interface PlanCardProps {
  readonly plan: NonNullable<RunView['plan']>;
  /** Without a model there are no calls and tokens to estimate. */
  readonly analyst: RunView['analyst'];
  readonly sent: boolean;
  readonly onApprove: (sections: PlanSection[]) => void;
  readonly onStop: () => void;
}

/** The plan, to be changed and approved before anything is researched. */
export function PlanCard({ plan, analyst, sent, onApprove, onStop }: PlanCardProps) {
  const { texts, host, run, announce } = usePanel();
  const card = useRef<HTMLElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const [sections, setSections] = useState<readonly PlanSection[]>(() =>
    host.ui.plan?.run === run ? host.ui.plan.sections : plan.sections,
  );
  const [problem, setProblem] = useState<PlanProblem | null>(null);
  /** Where the focus goes once the list is drawn anew. */
  const focusNext = useRef<string | null>(null);
  useCardFocus(card);
  useEffect(() => {
    if (focusNext.current === null) return;
    card.current?.querySelector<HTMLElement>(focusNext.current)?.focus();
    focusNext.current = null;
  }, [sections]);

  const change = (next: PlanSection[]) => {
    setSections(next);
    setProblem((old) => (old && planProblem(next) === old ? old : null));
    host.remember({ plan: { run, sections: next } });
  };
  const remove = (index: number) => {
    announce(texts.of('plan.removed', index + 1));
    focusNext.current =
      sections.length > 1
        ? `li:nth-child(${Math.min(index + 1, sections.length - 1)}) textarea`
        : '[data-testid="plan-add"]';
    change(without(sections, index));
  };
  const move = (index: number, by: -1 | 1) => {
    announce(texts.of('plan.moved', index + 1 + by));
    change(moved(sections, index, by));
  };
  const add = () => {
    if (sections.length >= maxSections) return setProblem('tooMany');
    focusNext.current = 'li:last-child textarea';
    change(withNew(sections));
  };
  const approve = () => {
    const found = planProblem(sections);
    setProblem(found);
    if (found === 'needsTitle')
      list.current?.querySelectorAll('textarea')[sections.findIndex((section) => section.title.trim() === '')]?.focus();
    if (found || sent) return;
    host.remember({ plan: null });
    onApprove(sections.map((section) => ({ ...section, title: section.title.trim() })));
  };

  const changed = sections.length !== plan.sections.length;
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
        <Icon name="list-ordered" />
        {texts.of('plan.title')}
      </h2>
      <p class="quiet">{texts.of('plan.intro')}</p>
      <ol ref={list} class="plan-sections">
        {sections.map((section, i) => (
          <li key={section.id} data-testid="plan-section">
            <textarea
              class="input plan-title"
              data-testid="plan-section-title"
              dir="auto"
              rows={1}
              maxLength={300}
              aria-label={texts.of('plan.section', i + 1)}
              aria-invalid={problem === 'needsTitle' && section.title.trim() === ''}
              placeholder={texts.of('plan.new')}
              value={section.title}
              readOnly={sent}
              onInput={(event) => change(withTitle(sections, i, event.currentTarget.value.replaceAll('\n', ' ')))}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.isComposing) event.preventDefault();
              }}
            />
            <div class="plan-tools">
              <IconButton
                icon="arrow-up"
                label={texts.of('plan.up', i + 1)}
                testId="plan-up"
                disabled={sent || i === 0}
                onClick={() => move(i, -1)}
              />
              <IconButton
                icon="arrow-down"
                label={texts.of('plan.down', i + 1)}
                testId="plan-down"
                disabled={sent || i === sections.length - 1}
                onClick={() => move(i, 1)}
              />
              <IconButton
                icon="trash"
                label={texts.of('plan.remove', i + 1)}
                testId="plan-remove"
                disabled={sent}
                onClick={() => remove(i)}
              />
            </div>
            {section.description !== '' && <Foreign as="p" class="quiet plan-description" text={section.description} />}
          </li>
        ))}
      </ol>
      <Button look="link" icon="add" testId="plan-add" disabled={sent} onClick={add}>
        {texts.of('plan.add')}
      </Button>
      <p class="quiet" data-testid="plan-estimate">
        {texts.of('plan.estimate', estimateText(plan.estimate, analyst, texts))}{' '}
        {changed && texts.of('plan.estimateChanged')}
      </p>
      <div class="field-problem" role="alert">
        {problem === 'needsSection' && texts.of('plan.needsSection')}
        {problem === 'needsTitle' && texts.of('plan.needsTitle')}
        {problem === 'tooMany' && texts.of('plan.tooMany', maxSections)}
      </div>
      <ApprovalActions sent={sent} onApprove={approve} onStop={onStop} />
    </section>
  );
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
