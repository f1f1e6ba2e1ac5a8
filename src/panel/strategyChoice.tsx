import { type WantedStrategy, wantedStrategies } from '../protocol/strategy.ts';
import { Select } from './controls.tsx';
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
  return (
    <div class="strategy">
      <label for="strategy">{texts.of('strategy.label')}</label>
      <Select
        id="strategy"
        testId="strategy"
        describedBy="strategy-what"
        options={wantedStrategies}
        textOf={(wanted) => texts.of(`strategy.${wanted}`)}
        value={strategy}
        // Back to the configured one: a later change of the settings counts again.
        onChoose={(wanted) => onChoose(wanted === configured ? null : wanted)}
      />
      <p id="strategy-what" class="quiet strategy-what" data-testid="strategy-what">
        {texts.of(`strategy.what.${strategy}`)}
      </p>
    </div>
  );
}
