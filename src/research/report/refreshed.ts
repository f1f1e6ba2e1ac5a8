import { citationMark, signs as allSigns } from '../../protocol/citationMark.ts';
import { type SourceChange, sourceSigns } from '../../protocol/followUp.ts';
import { fillText } from '../../protocol/fillText.ts';
import { textsIn } from '../languages/texts.ts';
import type { Refreshed, SourceLook } from '../ports.ts';
import type { RunContext } from '../run/runContext.ts';
import { inertLine } from '../evidence/neutralize.ts';
import { writeInlines } from '../../markdown/writeInlines.ts';
import { hasEvidence } from '../section/hasEvidence.ts';
import type { ResearchStateType } from '../state.ts';

type Noted = SourceLook & { readonly change: Exclude<SourceChange, 'back'> };

/**
 * What a refresh does to a report: the list of what is news since it was looked at last, the signs behind citations and the notes in the
 * references. `isNews`: otherwise nothing of the report changes.
 */
export function refreshedBy(
  { looks = [], parent, registry }: RunContext,
  { sections, today, language }: ResearchStateType,
): Refreshed & { readonly isNews: boolean } {
  const texts = textsIn(language, 'report').refresh;
  const { since } = parent!.refresh!;
  const found = new Set(sections.filter(hasEvidence).map(({ title }) => title));
  const noted = looks.filter((look): look is Noted => look.change in sourceSigns);
  // A source whose words were written again is as new as its text.
  const standing = noted.filter(({ change, lost }) => change !== 'changed' || lost.some((title) => !found.has(title)));
  const isKnown = ({ change, detail, reference }: Noted) => reference.includes(signed(texts, change, detail));
  const before = ({ reference }: SourceLook) => note.exec(reference)?.[0];
  const notes = new Map<number, string>();
  for (const look of standing)
    notes.set(look.number, (isKnown(look) && before(look)) || `${signed(texts, look.change, look.detail)} (${today})`);
  const unread = looks.filter(({ change }) => change === 'unread');
  for (const look of unread) if (before(look) !== undefined) notes.set(look.number, before(look)!);
  const signs = [...notes].map(([number, words]) => {
    const { change, lost } = looks.find((look) => look.number === number)!;
    return {
      number,
      sign: words.slice(0, 1),
      ...(change === 'changed' && { sections: lost.filter((title) => !found.has(title)) }),
    };
  });
  const back = looks.filter((look) => look.change === 'same' && before(look) !== undefined);
  const cite = (cited: readonly SourceLook[]) =>
    cited.map(({ number, source }) => `${plain(registry.get(source)?.title ?? '')} ${citationMark(number)}`).join('; ');
  const news = noted.filter((look) => !isKnown(look));
  const items = [
    ...news.map((look) => `${signed(texts, look.change, look.detail)}: ${cite([look])}`),
    ...(back.length > 0 ? [`${texts.changes.back}: ${cite(back)}`] : []),
    ...titled(
      texts.rewritten,
      [...found].filter((title) => noted.some(({ lost }) => lost.includes(title))),
    ),
    ...titled(
      texts.found,
      [...found].filter((title) => !noted.some(({ lost }) => lost.includes(title))),
    ),
  ];
  const isNews = items.length > 0;
  const said = isNews ? texts.since : texts.nothing;
  const beginning = fillText(said, { since, today, count: looks.length - unread.length });
  if (unread.length > 0) items.push(`${texts.unread}: ${cite(unread)}`);
  const lines = items.map((item) => `- ${item}`).join('\n');
  return { list: `## ${texts.heading}\n\n${beginning}\n\n${lines}`.trimEnd(), notes, signs, isNews };
}

/** "↑ Newer version, v1 → v2". */
function signed(
  texts: { readonly changes: Readonly<Record<SourceChange, string>> },
  change: Noted['change'],
  detail: string,
) {
  return `${sourceSigns[change]} ${texts.changes[change]}${detail === '' ? '' : `, ${detail}`}`;
}

const note = new RegExp(String.raw`(?<= )[${allSigns}] [^${allSigns}]{1,200}\(\d{4}-\d\d-\d\d\)$`, 'u');

const plain = (title: string): string => writeInlines([{ type: 'text', text: inertLine(title) }], 'start');

function titled(text: string, titles: readonly string[]): readonly string[] {
  return titles.length === 0 ? [] : [fillText(text, { titles: titles.join('; ') })];
}
