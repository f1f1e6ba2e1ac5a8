import { type WantedStrategy, wantedStrategies } from '../protocol/strategy.ts';
import { Icon } from './controls.tsx';
import { usePanel } from './panelContext.ts';

interface StrategyChoiceProps {
  /** What the settings say. */
  readonly configured: WantedStrategy;
  /** Null: as the settings say. */
  readonly chosen: WantedStrategy | null;
  readonly onChoose: (chosen: WantedStrategy | null) => void;
}

/** The strategy for the next run, with a line on what it means. */
export function StrategyChoice({ configured, chosen, onChoose }: StrategyChoiceProps) {
  const { texts } = usePanel();
  const strategy = chosen ?? configured;
  const choose = (value: string) => {
    const wanted = wantedStrategies.find((known) => known === value);
    // Back to what the settings say: a later change of them counts again.
    if (wanted) onChoose(wanted === configured ? null : wanted);
  };
  return (
    <div class="strategy">
      <label for="strategy">{texts.of('strategy.label')}</label>
      <span class="select">
        <select
          id="strategy"
          data-testid="strategy"
          value={strategy}
          aria-describedby="strategy-what"
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {wantedStrategies.map((wanted) => (
            <option key={wanted} value={wanted} selected={wanted === strategy}>
              {texts.of(`strategy.${wanted}`)}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
      <p id="strategy-what" class="quiet strategy-what" data-testid="strategy-what">
        {texts.of(`strategy.what.${strategy}`)}
      </p>
    </div>
  );
}
