import { useState } from 'preact/hooks';
import type { EstimateBasis, PlanSection } from '../protocol/plan.ts';
import { depths, longest } from '../protocol/planBounds.ts';
import { Foreign, Icon, IconButton, Select, TextBox } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { withSource } from './planDraft.ts';
import type { PlanEditor } from './planEditor.ts';
import { shownAs, SourceTick } from './sourceChooser.tsx';

interface PlanRowProps {
  readonly section: PlanSection;
  readonly index: number;
  /** Sections of the plan. */
  readonly count: number;
  readonly basis: EstimateBasis | null;
  /** Its title is missing. */
  readonly untitled: boolean;
  readonly editor: PlanEditor;
}

/** What is dragged: the index of the section. Its own type, so that no file or text from elsewhere moves a section. */
const dragType = 'application/x-deep-research-section';

/** One section: its title, its place, and, when opened, what it is to find out, where, and how deep. */
export function PlanRow({ section, index, count, basis, untitled, editor }: PlanRowProps) {
  const { texts, locked } = usePanel();
  const [isOpen, setOpen] = useState(section.description === '' && section.title === '');
  const [isTarget, setTarget] = useState(false);
  return (
    <li
      class={isTarget ? 'plan-row drop' : 'plan-row'}
      data-testid="plan-section"
      onKeyDown={(event) => {
        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (by === undefined || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || locked) return;
        event.preventDefault();
        editor.move(index, index + by);
      }}
      onDragOver={(event) => {
        if (locked || !event.dataTransfer?.types.includes(dragType)) return;
        event.preventDefault();
        setTarget(true);
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={(event) => {
        const from = event.dataTransfer?.getData(dragType) ?? '';
        setTarget(false);
        if (locked || !/^\d+$/.test(from)) return;
        event.preventDefault();
        editor.move(Number(from), index);
      }}
    >
      <span
        class="plan-grip"
        data-testid="plan-grip"
        draggable={!locked}
        title={texts.of('plan.drag')}
        onDragStart={(event) => {
          const row = event.currentTarget.closest('li');
          event.dataTransfer?.setData(dragType, `${index}`);
          if (row) event.dataTransfer?.setDragImage(row, 8, 8);
        }}
      >
        <Icon name="gripper" />
      </span>
      <PlanTitle {...{ section, index, untitled, editor }} />
      <PlanTools {...{ index, count, isOpen, editor }} onToggle={() => setOpen(!isOpen)} />
      {isOpen ? (
        <PlanDetails id={`plan-details-${section.id}`} {...{ section, index, basis, editor }} />
      ) : (
        <Summary section={section} />
      )}
    </li>
  );
}

type PlanTitleProps = Pick<PlanRowProps, 'section' | 'index' | 'untitled' | 'editor'>;

function PlanTitle({ section, index, untitled, editor }: PlanTitleProps) {
  const { texts, locked } = usePanel();
  return (
    <TextBox
      class="plan-title"
      testId="plan-section-title"
      // Browsers bring the caret into view, and not the lines around it.
      onFocus={({ currentTarget }) => currentTarget.scrollIntoView({ block: 'nearest' })}
      rows={1}
      maxLength={longest.title}
      aria-label={texts.of('plan.section', index + 1)}
      aria-invalid={untitled}
      aria-describedby={untitled ? 'plan-problem' : 'plan-keys'}
      placeholder={texts.of('plan.new')}
      value={section.title}
      readOnly={locked}
      onType={(title) => editor.change(index, { title: title.replaceAll('\n', ' ') })}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.isComposing && !event.ctrlKey && !event.metaKey) event.preventDefault();
      }}
    />
  );
}

interface PlanToolsProps extends Pick<PlanRowProps, 'index' | 'count' | 'editor'> {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function PlanTools({ index, count, editor, isOpen, onToggle }: PlanToolsProps) {
  const { texts, locked } = usePanel();
  const tool = (name: 'up' | 'down' | 'remove', icon: string, isOff: boolean, act: () => void) => (
    <IconButton
      icon={icon}
      label={texts.of(`plan.${name}`, index + 1)}
      testId={`plan-${name}`}
      disabled={locked || isOff}
      onClick={act}
    />
  );
  return (
    <div class="plan-tools">
      {tool('up', 'arrow-up', index === 0, () => editor.move(index, index - 1))}
      {tool('down', 'arrow-down', index === count - 1, () => editor.move(index, index + 1))}
      <IconButton
        icon={isOpen ? 'chevron-up' : 'edit'}
        label={texts.of('plan.details', index + 1)}
        testId="plan-details-toggle"
        expanded={isOpen}
        onClick={onToggle}
      />
      {tool('remove', 'trash', false, () => editor.remove(index))}
    </div>
  );
}

/** What was chosen for a section whose details are closed. */
function Summary({ section }: { readonly section: PlanSection }) {
  const { texts, kinds } = usePanel();
  const { description, depth, sources } = section;
  const chosen = [
    ...(depth === undefined ? [] : [texts.of(`plan.depth.${depth}`)]),
    ...(sources ?? []).map((name) => shownAs(name, kinds).label),
  ];
  if (description === '' && chosen.length === 0) return null;
  return (
    <div class="plan-description quiet">
      {description !== '' && <Foreign as="p" text={description} />}
      {chosen.length > 0 && <p data-testid="plan-chosen">{texts.list(chosen)}</p>}
    </div>
  );
}

type PlanDetailsProps = Pick<PlanRowProps, 'section' | 'index' | 'basis' | 'editor'> & { readonly id: string };

function PlanDetails({ id, section, index, basis, editor }: PlanDetailsProps) {
  const { texts, locked } = usePanel();
  const all = basis?.sources ?? [];
  return (
    <div id={id} class="plan-details">
      <label class="plan-field">
        <span>{texts.of('plan.description')}</span>
        <TextBox
          testId="plan-section-description"
          rows={3}
          maxLength={longest.description}
          value={section.description}
          readOnly={locked}
          onType={(description) => editor.change(index, { description })}
        />
      </label>
      {basis && (
        <div class="plan-field">
          <label for={`${id}-depth`}>{texts.of('plan.depth')}</label>
          <Select
            id={`${id}-depth`}
            testId="plan-depth"
            options={depths}
            textOf={(depth) => texts.of(`plan.depth.${depth}`)}
            value={section.depth ?? basis.depth}
            disabled={locked}
            onChoose={(depth) => editor.change(index, { depth: depth === basis.depth ? undefined : depth })}
          />
        </div>
      )}
      {all.length > 1 && (
        <fieldset class="plan-sources">
          <legend>{texts.of('plan.sources')}</legend>
          {all.map((name) => {
            const isOn = (section.sources ?? all).includes(name);
            return (
              <SourceTick
                key={name}
                name={name}
                testId={`plan-source-${name}`}
                isOn={isOn}
                disabled={locked || (isOn && section.sources?.length === 1)}
                onTick={(ticked) => editor.change(index, { sources: withSource(section, all, name, ticked) })}
              />
            );
          })}
        </fieldset>
      )}
    </div>
  );
}
