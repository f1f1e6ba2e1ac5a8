import type { RunView, SectionView, TopicView } from '../protocol/runView.ts';
import { Disclosure, Icon, Toggle, useOpen } from './controls.tsx';
import { memo } from './memo.ts';
import { usePanel } from './panelContext.ts';
import { countDone, Section, type Stage } from './sectionList.tsx';
import { topicRounds } from './topicRounds.ts';

interface TopicTreeProps extends Stage {
  readonly topics: readonly TopicView[];
  /** The same topics, with what their researchers do. */
  readonly sections: RunView['sections'];
}

/** Strategy `supervisor`: the topics by the round in which they were delegated. */
export const TopicTree = memo(function TopicTree(props: TopicTreeProps) {
  const { topics, sections, live, working, reported, canSteer } = props;
  const { texts } = usePanel();
  const reading = working && topics.every(({ status }) => status === 'completed' || status === 'failed');
  return (
    <Disclosure
      name="topics"
      title={texts.of('topics.title')}
      note={texts.of('sections.done', countDone(topics), topics.length)}
      initially={live || !reported}
    >
      {() => (
        <>
          <ol class="sections">
            {topicRounds(topics, sections).map(({ round, topics: own }, i) => (
              // Turns in which the lead only thought delegate nothing and are not counted.
              <TopicRound key={round} round={i + 1} topics={own} live={live} canSteer={canSteer} />
            ))}
          </ol>
          {reading && (
            <p class="reading quiet" data-testid="lead-reads">
              <Icon name="loading" />
              <span>{texts.of('topics.reading')}</span>
            </p>
          )}
        </>
      )}
    </Disclosure>
  );
});

interface TopicRoundProps extends Pick<Stage, 'live' | 'canSteer'> {
  readonly round: number;
  readonly topics: readonly SectionView[];
}

function TopicRound({ round, topics, live, canSteer }: TopicRoundProps) {
  const { texts } = usePanel();
  const [open, toggle] = useOpen(`topics-${round}`, true);
  const id = `topics-${round}`;
  return (
    <li class="topic-round" data-testid="topic-round">
      <Toggle look="section-head" id={id} testId="topic-round-toggle" open={open} onToggle={toggle}>
        <span class="section-title">{texts.of('round.title', round)}</span>
        <span class="section-count">{texts.of('sections.done', countDone(topics), topics.length)}</span>
      </Toggle>
      {open && (
        <ul id={id} class="topics">
          {topics.map((topic) => (
            <Section key={topic.id} section={topic} live={live} canSteer={canSteer} gap="" testId="topic" />
          ))}
        </ul>
      )}
    </li>
  );
}
