import type { RunView } from '../protocol/runView.ts';
import { Foreign, Icon } from './controls.tsx';
import { usePanel } from './panelContext.ts';

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
        <ul class="queries" aria-label={texts.of('doing.lookUps')}>
          {lookUps.slice(0, most).map((text, i) => (
            <li key={lookUps.length - i}>
              <Icon name="search" />
              <Foreign text={text} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
