import type { Setup } from '../protocol/messages.ts';
import { type Depth, depths } from '../protocol/planBounds.ts';
import { usualEstimate } from '../protocol/planEstimate.ts';
import type { PlanEstimate } from '../protocol/plan.ts';
import type { WantedStrategy } from '../protocol/strategy.ts';
import type { Texts } from '../protocol/texts.ts';
import { usePanel } from './panelContext.ts';

interface DepthChoiceProps {
  readonly setup: Setup;
  /** Names of the sources that the run searches. */
  readonly sources: readonly string[];
  readonly strategy: WantedStrategy;
  readonly value: Depth;
  readonly onChoose: (chosen: Depth) => void;
}

/** How thorough the next run is, with what each choice takes as a rule. */
export function DepthChoice({ setup, sources, strategy, value, onChoose }: DepthChoiceProps) {
  const { texts } = usePanel();
  const { analyst, bases } = setup;
  return (
    <fieldset class="depths" data-testid="depths">
      <legend class="visually-hidden">{texts.of('plan.depth')}</legend>
      {depths.map((depth) => (
        <label key={depth} class="depth">
          <input
            type="radio"
            name="depth"
            data-testid={`depth-${depth}`}
            checked={depth === value}
            onChange={() => onChoose(depth)}
          />
          <span>{texts.of(`plan.depth.${depth}`)}</span>
          <span class="depth-takes quiet">
            {bases &&
              taken(usualEstimate(strategy, { ...bases[depth], sources }), analyst, texts).map((part) => (
                <span key={part}>{part}</span>
              ))}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Time, and with a model tokens and cost. */
function taken({ tokens, minutes, cost }: PlanEstimate, analyst: Setup['analyst'], texts: Texts): readonly string[] {
  return [
    texts.of('ask.minutes', Math.max(1, Math.round(minutes))),
    ...(analyst === 'llm' ? [texts.of('plan.tokens', texts.compact(Number(tokens.toPrecision(2))))] : []),
    ...(cost === null ? [] : [texts.money(cost)]),
  ];
}
