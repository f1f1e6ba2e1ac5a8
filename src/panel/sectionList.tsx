import { useState } from 'preact/hooks';
import { memo } from './memo.ts';
import type { RunView, SectionView } from '../protocol/runView.ts';
import { Disclosure, Foreign, Icon, IconButton, Toggle, useOpen } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import { headingWords } from './headingWords.ts';
import { plain } from './plain.ts';
import { SectionChanges } from './sectionChanges.tsx';
import { SectionRemarks } from './sectionRemarks.tsx';
import type { Texts } from '../protocol/texts.ts';

/** How far a run is. */
export interface Stage {
  /** It is in progress or waits for the user. */
  readonly live: boolean;
  /** It is in progress and its report not begun. */
  readonly working: boolean;
  /** There is a report below, which matters more. */
  readonly reported: boolean;
  /** The researchers accept remarks. */
  readonly canSteer: boolean;
}

interface SectionListProps extends Stage {
  readonly sections: readonly SectionView[];
  readonly review: RunView['review'];
  /** Strategy `iterative`: an attempt is a round, and the rounds show the review. */
  readonly inRounds?: boolean;
  /** Headings of sections that the report has from changes. */
  readonly added?: readonly string[];
}

const noneAdded: readonly string[] = [];

/** The sections of the plan with what their researchers do. */
export const SectionList = memo(function SectionList(props: SectionListProps) {
  const { sections, review, inRounds = false, live, canSteer, reported, added = noneAdded } = props;
  const { texts } = usePanel();
  return (
    <Disclosure
      name="sections"
      title={texts.of('sections.title')}
      note={
        sections.length === 0
          ? texts.number(added.length)
          : texts.of('sections.done', countDone(sections), sections.length)
      }
      initially={live || !reported}
    >
      {() => (
        <>
          <ul class="sections">
            {sections.map((section) => (
              <Section
                key={section.id}
                section={section}
                live={live}
                canSteer={canSteer}
                gap={gapOf(section, review, inRounds)}
                inRounds={inRounds}
              />
            ))}
            {added.map((title) => (
              <Section key={title} section={addedSection(title)} live={false} canSteer={false} gap="" />
            ))}
          </ul>
          {review && !inRounds && (
            <p class="quiet review-result" data-testid="review-result">
              {texts.of('review.result', review.score)}
              {review.retry.length > 0 && ` · ${texts.of('review.sentBack', review.retry.length)}`}
            </p>
          )}
        </>
      )}
    </Disclosure>
  );
});

function addedSection(title: string): SectionView {
  const known = { status: 'completed', attempt: 1, activity: '', sources: 0, description: '', thoughts: [] } as const;
  return { ...known, id: `added-${title}`, title };
}

export function countDone(sections: readonly Pick<SectionView, 'status'>[]): number {
  return sections.filter(({ status }) => status === 'completed').length;
}

type Look = { readonly icon: string; readonly label: string };

const icons: Readonly<Record<SectionView['status'], string>> = {
  pending: 'circle-large-outline',
  researching: 'loading',
  reviewing: 'loading',
  completed: 'pass-filled',
  failed: 'error',
};

function lookOf({ status, stopped }: SectionView, live: boolean, texts: Texts): Look {
  if (stopped && (status === 'completed' || status === 'failed'))
    return { icon: 'stop-circle', label: texts.of('section.stopped') };
  if (!live && (status === 'researching' || status === 'reviewing' || status === 'pending')) {
    return { icon: 'circle-slash', label: texts.of('section.unfinished') };
  }
  return { icon: icons[status], label: texts.of(`section.${status}`) };
}

interface SectionProps extends Pick<Stage, 'live' | 'canSteer'> {
  readonly section: SectionView;
  /** Why the review sent it back; '' when it did not. */
  readonly gap: string;
  readonly inRounds?: boolean;
  readonly testId?: 'section' | 'topic';
}

/** One section, or topic, that opens to what its researcher does. */
export const Section = memo(function Section(props: SectionProps) {
  const { section, live, canSteer, testId = 'section' } = props;
  const { texts } = usePanel();
  const [open, toggle] = useOpen(`section-${section.id}`, false);
  const [wanted, setWanted] = useState(0);
  const { icon, label } = lookOf(section, live, texts);
  const details = `section-${section.id}`;
  return (
    <li
      class={`section ${live ? section.status : `ended ${section.status}`}`}
      data-testid={testId}
      data-status={section.status}
    >
      <div class="section-row">
        <Toggle look="section-head" id={details} testId={`${testId}-toggle`} open={open} onToggle={toggle} icon={icon}>
          <span class="visually-hidden">{label}: </span>
          <Foreign class="section-title" text={headingWords(section.title)} />
          {section.sources > 0 && <SourceCount sources={section.sources} />}
        </Toggle>
        {canSteer && !section.stopped && (
          <IconButton
            icon="comment"
            label={texts.of('remark.open', headingWords(section.title))}
            testId="open-remark"
            onClick={() => {
              if (!open) toggle();
              setWanted(wanted + 1);
            }}
          />
        )}
      </div>
      <SectionNote {...props} />
      {open && (
        <div id={details} class="section-details">
          <SectionDetails {...props} wanted={wanted} />
        </div>
      )}
    </li>
  );
});

function SourceCount({ sources }: { readonly sources: number }) {
  const { texts } = usePanel();
  const counted = texts.of('section.sources', sources);
  return (
    <span class="section-count" title={counted}>
      <Icon name="library" />
      <span class="short" aria-hidden="true">
        {texts.number(sources)}
      </span>
      <span class="long">{counted}</span>
    </span>
  );
}

/** How often it was sent back, the remarks that wait, and what its researcher does or why it failed. */
function SectionNote({ section, live, inRounds = false }: SectionProps) {
  const { texts } = usePanel();
  const busy = live && (section.status === 'researching' || section.status === 'reviewing');
  const stopped = section.stopped ? texts.of(busy ? 'section.isStopping' : 'section.stoppedNote') : undefined;
  const note = section.error ?? stopped ?? (busy ? section.activity : '');
  const waiting = (section.remarks ?? []).filter(({ state }) => state === 'waiting').length;
  if (!busy && note === '' && section.attempt <= 1 && waiting === 0) return null;
  return (
    <div class="section-note">
      {section.attempt > 1 && (
        <span class="badge attempt" data-testid="attempt">
          {texts.of(inRounds ? 'section.inRound' : 'section.sentBack', section.attempt)}
        </span>
      )}
      {waiting > 0 && (
        <span class="badge" data-testid="remarks-waiting">
          {texts.of('remark.waitingCount', waiting)}
        </span>
      )}
      {/* Always one line while busy, even an empty one: the list below must not jump with every activity. */}
      {(busy || note !== '') && (
        <Foreign
          class={section.error === undefined ? 'activity' : 'section-error'}
          data-testid="activity"
          title={plain(note)}
          text={note || '\u00a0'}
        />
      )}
    </div>
  );
}

interface SectionDetailsProps extends SectionProps {
  /** How often the user asked for the box for remarks. */
  readonly wanted: number;
}

function SectionDetails({ section, live, canSteer, gap, inRounds = false, wanted }: SectionDetailsProps) {
  const { texts, thread } = usePanel();
  const words = headingWords(section.title);
  const heading = live ? undefined : thread?.sections.find((one) => headingWords(one) === words);
  return (
    <>
      {section.description !== '' && <Foreign as="p" text={section.description} />}
      {gap !== '' && (
        <Foreign as="p" class="quiet" text={texts.of(inRounds ? 'section.missing' : 'section.gap', gap)} />
      )}
      <SectionRemarks section={section} canSteer={canSteer} wanted={wanted} />
      {heading !== undefined && <SectionChanges section={heading} />}
      {section.thoughts.length > 0 && <Thoughts thoughts={section.thoughts} />}
      {section.description === '' && gap === '' && section.thoughts.length === 0 && heading === undefined && (
        <p class="quiet">{texts.of('section.nothingYet')}</p>
      )}
    </>
  );
}

/** Thoughts, latest first. */
export function Thoughts({ thoughts }: { readonly thoughts: readonly string[] }) {
  const { texts } = usePanel();
  return (
    <ul class="thoughts" aria-label={texts.of('section.thoughts')}>
      {thoughts.map((thought, i) => (
        // The latest is the first: counted from the end, the key of a thought never changes.
        <li key={thoughts.length - i}>
          <Foreign as="p" text={thought} />
        </li>
      ))}
    </ul>
  );
}

function gapOf(section: SectionView, review: RunView['review'], inRounds: boolean): string {
  if (!inRounds && section.attempt < 2 && section.status !== 'pending') return '';
  return (
    review?.gaps
      .filter((gap) => gap.section === section.id)
      .map((gap) => gap.gap)
      .join(' ') ?? ''
  );
}
