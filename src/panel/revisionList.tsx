import type { RunView } from '../protocol/runView.ts';
import { Disclosure, Foreign } from './controls.tsx';
import { usePanel } from './panelContext.ts';

interface RevisionListProps {
  readonly revision: NonNullable<RunView['revision']>;
  readonly live: boolean;
}

/** What a critic of the draft asked for, by section, and which parts were written again. */
export function RevisionList({ revision, live }: RevisionListProps) {
  const { texts } = usePanel();
  const { points, changed, done, round } = revision;
  const parts = [...new Set(points.map(({ section }) => section))];
  const pending = live && !done;
  const note = pending ? texts.of('revision.pending') : texts.of('revision.changed', changed.length);
  return (
    // Keyed by its round and state: it opens while its section is revised, and closes once the revision is in the report.
    <Disclosure
      key={`${round}-${pending}`}
      name={pending ? 'revision' : 'revised'}
      title={texts.of('revision.title')}
      note={note}
      icon={pending ? 'edit' : 'check'}
      initially={pending}
    >
      {() => (
        <ul class="revision-points" data-testid="revision-points">
          {parts.map((part) => (
            <li key={part}>
              <Foreign
                class="gap-section"
                text={points.find(({ section }) => section === part)?.title || texts.of('revision.frame')}
              />
              {changed.includes(part) && <span class="quiet"> · {texts.of('revision.part')}</span>}
              {points
                .filter(({ section }) => section === part)
                .map(({ point }) => (
                  <Foreign key={point} as="p" class="quiet" text={point} />
                ))}
            </li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
}
