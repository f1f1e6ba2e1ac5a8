import type { SectionView, TopicView } from '../protocol/runView.ts';

/** The topics by round, each as a section with its full text as the description. */
export function topicRounds(
  topics: readonly TopicView[],
  sections: readonly SectionView[],
): readonly { readonly round: number; readonly topics: readonly SectionView[] }[] {
  const known = new Map(sections.map((section) => [section.id, section]));
  const rounds = Map.groupBy(topics, ({ round }) => round);
  return [...rounds].map(([round, own]) => ({
    round,
    topics: own.map((topic) => asSection(topic, known.get(topic.id))),
  }));
}

function asSection(
  { id, title, topic, status, sources, error }: TopicView,
  section: SectionView | undefined,
): SectionView {
  const { attempt = 1, activity = '', thoughts = [] } = section ?? {};
  const known = { id, title, status, attempt, activity, thoughts, sources };
  return { ...known, description: topic, ...(error === undefined ? {} : { error }) };
}
