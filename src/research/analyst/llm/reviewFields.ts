import type * as z from 'zod';
import type { ReviewedSection, ReviewInput } from '../analyst.ts';
import type { Contradiction } from '../../stateSchema.ts';
import { bullets, sourceIdIn } from './common.ts';
import { fencedOrNone } from './fence.ts';
import { entry, list, score, text, verdict } from './fields.ts';

/** More findings than this would not change a review, in tokens. */
export const enoughToReview = 40_000;

/** What a section lacks, as models write it: an object by any of these names, or only the sentence. */
const gap = entry(
  'gap',
  { section: text('Id of the section', 40), gap: text('What is missing, in one sentence') },
  { section: ['section_id', 'id'], gap: ['description', 'missing', 'text'] },
);

const value = entry(
  'text',
  {
    text: text('What it says, with its figures and conditions'),
    sources: list(text('Id of a source', 40), 'Ids of the sources that say it', 6),
  },
  { text: ['value', 'says'], sources: ['source', 'ids'] },
);

/** Sources that exclude each other: an object, or only the sentence. */
const contradiction = entry(
  'topic',
  {
    topic: text('What they disagree on, in a few words'),
    values: list(value, 'What each side says', 4),
  },
  { topic: ['subject'], values: ['statements'] },
);

const contradictions = list(contradiction, 'Where sources contradict each other', 10);

/** What every review of findings says. */
export const judged = {
  gaps: list(gap, 'What is missing, by section', 20),
  contradictions,
  reasoning: text('Whether the findings are good enough and why, in two or three sentences', 600),
  is_sufficient: verdict('The findings are good enough for the report'),
  overall_score: score(1, 10, undefined, 'From 1 to 10'),
};

/** With the ids that are written into a text beside those that are listed. */
export function contradictionsIn(given: z.output<typeof contradictions>): Contradiction[] {
  return given
    .filter(({ topic }) => topic !== '')
    .map(({ topic, values }) => ({
      topic,
      values: values
        .filter((one) => one.text !== '')
        .map((one) => {
          const listed = [...one.sources, ...(one.text.match(/\bS[0-9a-f]{5,64}\b/gi) ?? [])];
          const ids = new Set(listed.flatMap((id) => sourceIdIn(id) ?? []));
          return {
            text: one.text.replace(/\s?\[(?:S[0-9a-f]{5,64}[\s,;]{0,3}){1,20}\]/gi, '').trim(),
            sources: [...ids],
          };
        }),
    }));
}

/** Sections that an earlier round judged and that did not change since. */
export function settledText(sections: ReviewInput['settled'] = []): string {
  const lines = sections.map(({ title, description }) => `${title}: ${description.slice(0, 160)}`);
  return fencedOrNone(
    'others',
    lines.length === 0 ? '' : `These sections were reviewed before and are sufficient:\n${bullets(lines)}`,
  );
}

/** Gaps with the ids of their sections; "" where the model named none that there is. */
export function gapsIn(
  gaps: readonly z.output<typeof gap>[],
  sections: readonly Pick<ReviewedSection, 'id' | 'title'>[],
): { section: string; gap: string }[] {
  return gaps
    .filter((entry) => entry.gap !== '')
    .map((entry) => ({ section: idIn(entry.section, sections) ?? '', gap: entry.gap }));
}

/** The id of a section that a model named by its id, its number or its title. */
export function idIn(named: string, sections: readonly Pick<ReviewedSection, 'id' | 'title'>[]): string | undefined {
  const plain = named.trim().toLowerCase();
  if (plain === '') return undefined;
  return (
    sections.find((section) => section.id.toLowerCase() === plain) ??
    sections.find((section) => section.title.toLowerCase() === plain) ??
    sections.find((section) => new RegExp(`(?:^|[^a-z0-9])${section.id.toLowerCase()}(?:$|[^a-z0-9])`).test(plain)) ??
    (/^(?:section )?\d+$/.test(plain) ? sections[Number(plain.split(' ').at(-1)) - 1] : undefined)
  )?.id;
}
