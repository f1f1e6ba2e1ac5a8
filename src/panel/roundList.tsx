import type { RoundView } from '../protocol/runView.ts';
import { Disclosure, Foreign, Icon, Toggle, useOpen } from './controls.tsx';
import { memo } from './memo.ts';
import { usePanel } from './panelContext.ts';
import type { Stage } from './sectionList.tsx';
import { roundFacts } from './statusLook.ts';
import type { Texts } from '../protocol/texts.ts';

interface RoundListProps extends Stage {
  readonly rounds: readonly RoundView[];
}

/** Strategy `iterative`: what each round searched and found, and how it was rated. */
export const RoundList = memo(function RoundList({ rounds, working, reported }: RoundListProps) {
  const { texts } = usePanel();
  const last = rounds.at(-1);
  return (
    <Disclosure
      name="rounds"
      title={texts.of('rounds.title')}
      note={last && texts.of('rounds.at', last.round, last.maxRounds)}
      initially={working || !reported}
    >
      {() => (
        <ol class="sections">
          {rounds.map((round) => (
            <Round key={round.round} round={round} current={working && round === last} />
          ))}
        </ol>
      )}
    </Disclosure>
  );
});

interface RoundProps {
  readonly round: RoundView;
  /** The last one, while the rounds are in progress. */
  readonly current: boolean;
}

const Round = memo(function Round({ round, current }: RoundProps) {
  const { texts } = usePanel();
  const [open, toggle] = useOpen(`round-${round.round}`, current, 'follow');
  const { icon, label } = lookOf(round, current, texts);
  const details = `round-${round.round}`;
  const facts = roundFacts(round, texts);
  return (
    <li class="section" data-testid="round" data-status={round.status}>
      <Toggle look="section-head" id={details} testId="round-toggle" open={open} onToggle={toggle} icon={icon}>
        <span class="section-title">
          {texts.of('round.title', round.round)}
          <span class="visually-hidden">: {label}</span>
        </span>
      </Toggle>
      <div class="section-note">
        <span class="quiet" data-testid="round-facts">
          {(round.status === 'completed' ? facts : [label, ...facts]).join(' · ')}
        </span>
      </div>
      {open && (
        <div id={details} class="section-details">
          {round.queries.length === 0 && <p class="quiet">{texts.of('round.noQueries')}</p>}
          {round.queries.length > 0 && (
            <Queries label={texts.of('round.queries', round.round)} queries={round.queries} />
          )}
        </div>
      )}
    </li>
  );
});

/** What was searched for. */
export function Queries({ label, queries }: { readonly label: string; readonly queries: readonly string[] }) {
  return (
    <ul class="queries" aria-label={label}>
      {queries.map((query) => (
        <li key={query} data-testid="query">
          <Icon name="search" />
          <Foreign text={query} />
        </li>
      ))}
    </ul>
  );
}

function lookOf(
  { status }: RoundView,
  current: boolean,
  texts: Texts,
): { readonly icon: string; readonly label: string } {
  if (status === 'completed') return { icon: 'pass-filled', label: texts.of('round.completed') };
  return current
    ? { icon: 'loading', label: texts.of(`round.${status}`) }
    : { icon: 'circle-slash', label: texts.of('section.unfinished') };
}
