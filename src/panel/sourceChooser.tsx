import type { DocumentKind, Setup } from '../protocol/messages.ts';
import { Chooser } from './chooser.tsx';
import { Icon } from './controls.tsx';
import { usePanel } from './panelContext.ts';

interface SourceChooserProps {
  readonly sources: Setup['sources'];
  /** Names of the sources that are left out. */
  readonly off: readonly string[];
  readonly onChange: (off: readonly string[]) => void;
}

/** Which kinds of sources the next run searches: one line that opens to a list. */
export function SourceChooser({ sources, off, onChange }: SourceChooserProps) {
  const { texts } = usePanel();
  const chosen = chosenSources(sources, off);
  const toggle = (name: string, isOn: boolean) => onChange(isOn ? off.filter((one) => one !== name) : [...off, name]);
  if (sources.length < 2) return null;
  const title =
    chosen.length === sources.length
      ? texts.of('chooser.all')
      : texts.of('chooser.some', chosen.length, sources.length);
  return (
    <Chooser name="sources" title={title}>
      <fieldset data-testid="sources-list">
        <legend class="visually-hidden">{texts.of('chooser.title')}</legend>
        {sources.map(({ name, label }) => (
          <SourceTick
            key={name}
            {...{ name, label }}
            testId={`source-${name}`}
            isOn={!off.includes(name)}
            onTick={(isOn) => toggle(name, isOn)}
          />
        ))}
      </fieldset>
    </Chooser>
  );
}

interface SourceTickProps {
  readonly name: string;
  /** Absent: that of its kind. */
  readonly label?: string | undefined;
  readonly testId: string;
  readonly isOn: boolean;
  readonly disabled?: boolean;
  readonly onTick: (isOn: boolean) => void;
}

/** One source of a list, to be ticked. */
export function SourceTick({ name, label, testId, isOn, disabled, onTick }: SourceTickProps) {
  const { kinds } = usePanel();
  const known = shownAs(name, kinds);
  return (
    <label class="chooser-item">
      <input
        type="checkbox"
        data-testid={testId}
        checked={isOn}
        disabled={disabled}
        onChange={(event) => onTick(event.currentTarget.checked)}
      />
      <Icon name={known.icon} />
      <span>{label ?? known.label}</span>
    </label>
  );
}

/** The sources of a setup that are not left out. */
export function chosenSources(sources: Setup['sources'], off: readonly string[]): Setup['sources'] {
  return sources.filter(({ name }) => !off.includes(name));
}

/** Names of the sources that a run searches; null: as the settings say. */
export function wantedSources(sources: Setup['sources'], off: readonly string[]): string[] | null {
  const chosen = chosenSources(sources, off);
  return chosen.length === sources.length || chosen.length === 0 ? null : chosen.map(({ name }) => name);
}

/** How a source is named and drawn. */
export function shownAs(name: string, kinds: readonly DocumentKind[]): Pick<DocumentKind, 'label' | 'icon'> {
  return kinds.find((kind) => kind.name === name) ?? { label: name, icon: 'plug' };
}
