import type { RunView } from '../protocol/runView.ts';
import { Foreign } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { Queries } from './roundList.tsx';

/** Thoughts and look-ups that are shown of those before the first section. */
const most = 4;

/** What the run does before it has sections: what the step is for, what was looked up, and what came of it. */
export function Beginning({ view }: { readonly view: RunView }) {
  const { texts } = usePanel();
  const { phase, thoughts, lookUps = [] } = view;
  return (
    <section class="beginning quiet" data-testid="beginning">
      {phase !== null && <p>{texts.of(`doing.${phase}`)}</p>}
      {thoughts.slice(0, most).map((thought, i) => (
        <Foreign key={thoughts.length - i} as="p" data-testid="beginning-thought" text={thought} />
      ))}
      {lookUps.length > 0 && (
        <Queries label={texts.of('doing.lookUps')} queries={[...new Set(lookUps)].slice(0, most)} />
      )}
    </section>
  );
}
