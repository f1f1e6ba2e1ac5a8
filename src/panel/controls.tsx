import type { ComponentChildren, Ref, TextareaHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import { plain } from './plain.ts';
import { useRunState } from './runState.ts';

/** A codicon; decorative, so the text beside it has to say the same. */
export function Icon({ name }: { readonly name: string }) {
  return <span class={`codicon codicon-${name}${name === 'loading' ? ' spin' : ''}`} aria-hidden="true" />;
}

interface ButtonProps {
  readonly onClick: () => void;
  readonly children: ComponentChildren;
  readonly icon?: string;
  readonly look?: 'primary' | 'secondary' | 'link';
  readonly title?: string | undefined;
  readonly testId: string;
  readonly disabled?: boolean;
  /** Of one among several that exclude each other. */
  readonly pressed?: boolean;
}

/** Disabled buttons keep the focus and can be read (`aria-disabled`), but do nothing. */
export function Button(props: ButtonProps) {
  const { onClick, children, icon, look = 'secondary', title, testId, disabled = false, pressed } = props;
  return (
    <button
      type="button"
      class={`button ${look}`}
      data-testid={testId}
      title={title}
      aria-disabled={disabled || undefined}
      aria-pressed={pressed}
      onClick={disabled ? undefined : onClick}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

interface IconButtonProps {
  readonly icon: string;
  /** Accessible name and tooltip. */
  readonly label: string;
  readonly onClick: () => void;
  readonly testId: string;
  readonly disabled?: boolean;
  /** Of a button that opens something. */
  readonly expanded?: boolean;
}

export function IconButton({ icon, label, onClick, testId, disabled = false, expanded }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      data-testid={testId}
      title={label}
      aria-label={label}
      aria-expanded={expanded}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

interface TextBoxProps extends Omit<TextareaHTMLAttributes, 'value' | 'onInput' | 'ref'> {
  readonly box?: Ref<HTMLTextAreaElement>;
  readonly testId: string;
  readonly value: string;
  readonly onType: (text: string) => void;
  /** Enter alone, which makes no line then; one that ends a composition (Chinese, Japanese, Korean) chooses a word. */
  readonly onEnter?: () => void;
}

/** A box for a text of several lines, in the direction of what is typed. */
export function TextBox({ box, testId, class: look = '', onType, onEnter, onKeyDown, ...rest }: TextBoxProps) {
  return (
    <textarea
      ref={box}
      class={`input ${look as string}`.trim()}
      data-testid={testId}
      dir="auto"
      {...rest}
      onInput={(event) => onType(event.currentTarget.value)}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (!onEnter || event.defaultPrevented || event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        onEnter();
      }}
    />
  );
}

interface SelectProps<T extends string> {
  readonly class?: string;
  readonly id?: string;
  readonly testId: string;
  /** Accessible name, where no `label` names it. */
  readonly label?: string;
  readonly describedBy?: string;
  readonly options: readonly T[];
  readonly textOf: (option: T) => string;
  /** Shown while nothing is chosen. */
  readonly placeholder?: string;
  readonly value?: T;
  readonly disabled?: boolean;
  readonly onChoose: (chosen: T) => void;
}

/** The browser's own list, with the editor's colours. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { id, testId, label, describedBy, options, textOf, placeholder, value, disabled, onChoose } = props;
  return (
    <span class={props.class === undefined ? 'select' : `select ${props.class}`}>
      <select
        id={id}
        data-testid={testId}
        value={value ?? ''}
        disabled={disabled}
        aria-label={label}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => {
          const chosen = options.find((option) => option === currentTarget.value);
          if (chosen !== undefined) onChoose(chosen);
        }}
      >
        {placeholder !== undefined && (
          <option value="" selected>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option} value={option} selected={option === value}>
            {textOf(option)}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </span>
  );
}

interface ForeignProps {
  readonly text: string;
  readonly as?: 'span' | 'p';
  readonly class?: string;
  readonly title?: string;
  readonly 'data-testid'?: string;
}

/** An untrusted text, in its own direction and without characters that hide or reorder. */
export function Foreign({ text, as: Tag = 'span', ...rest }: ForeignProps) {
  return (
    <Tag dir="auto" {...rest}>
      {plain(text)}
    </Tag>
  );
}

/**
 * Whether a disclosure is open: as the user left it in this run, else `initially`, as it was when first drawn or, with
 * `follow`, as it is now.
 */
export function useOpen(
  name: string,
  initially: boolean,
  how: 'stay' | 'follow' = 'stay',
): readonly [boolean, () => void] {
  const [chosen, setOpen] = useRunState<boolean | undefined>(`open/${name}`, undefined);
  const [first] = useState(initially);
  const open = chosen ?? (how === 'follow' ? initially : first);
  return [open, () => setOpen(!open)];
}

interface DisclosureProps {
  readonly name: string;
  readonly title: string;
  /** Right of the title. */
  readonly note?: ComponentChildren;
  readonly icon?: string;
  /** Default: closed. */
  readonly initially?: boolean;
  readonly children: () => ComponentChildren;
}

/** A heading that opens and closes what is below it; closed content is not in the document. */
export function Disclosure({ name, title, note, icon, initially = false, children }: DisclosureProps) {
  const [open, toggle] = useOpen(name, initially);
  const id = `part-${name}`;
  return (
    <section class="disclosure" data-testid={name}>
      <h2>
        <Toggle id={id} testId={`${name}-toggle`} open={open} onToggle={toggle}>
          {icon && <Icon name={icon} />}
          <span class="disclosure-title">{title}</span>
          {note !== undefined && <span class="disclosure-note">{note}</span>}
        </Toggle>
      </h2>
      {open && <div id={id}>{children()}</div>}
    </section>
  );
}

interface ToggleProps {
  readonly look?: 'disclosure-head' | 'section-head';
  /** Of what it opens. */
  readonly id: string;
  readonly testId: string;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** Absent: an arrow that shows whether it is open. */
  readonly icon?: string;
  readonly children: ComponentChildren;
}

/** A button that opens and closes something below it. */
export function Toggle({ look = 'disclosure-head', id, testId, open, onToggle, icon, children }: ToggleProps) {
  return (
    <button type="button" class={look} aria-expanded={open} aria-controls={id} data-testid={testId} onClick={onToggle}>
      <Icon name={icon ?? (open ? 'chevron-down' : 'chevron-right')} />
      {children}
    </button>
  );
}
