import type { Frame, WrittenSection } from '../analyst/analyst.ts';
import type { CitableEvidence } from '../evidence/checker.ts';
import type { SectionState } from '../state.ts';
import { arranged } from '../analyst/arrange.ts';
import { isConclusionHeading, isReferenceHeading } from '../languages/headings.ts';
import { textsIn } from '../languages/texts.ts';
import { sectionText } from './sectionText.ts';
import { bareWords } from '../text/tokenize.ts';

/** A report of written sections, as the renderer takes it. */
export interface WrittenReport {
  /** Markdown with source ids as markers. */
  readonly raw: string;
  /** The sections of the report: those of the plan, joined, split and reordered as the frame says. */
  readonly sections: readonly SectionState[];
  /** Sections of the plan that those which were joined are made of. */
  readonly from: ReadonlyMap<string, readonly string[]>;
}

export interface Writing {
  /** Shows a draft of the whole report. */
  readonly show: (draft: WrittenReport) => Promise<void>;
  readonly evidence: CitableEvidence;
  /** Text whose figures need no source. */
  readonly given: string;
}

/** What a report by sections is made of. */
export interface Draft {
  readonly written: readonly WrittenSection[];
  readonly frame: Frame | undefined;
}

/**
 * Puts the written sections into their frame. Each section has its heading even when nothing was written of it, for the renderer to
 * give it as it was found.
 */
export function writtenReport(
  written: readonly WrittenSection[],
  frame: Frame | undefined,
  state: { readonly sections: readonly SectionState[]; readonly title: string; readonly language: string },
): WrittenReport {
  const texts = textsIn(state.language, 'report');
  const parts = arranged(written, frame?.order ?? []);
  const given = new Set<string>();
  const joinedFrom = new Map<string, readonly string[]>();
  const sections = parts.map(({ title, from }, index): SectionState => {
    const own = state.sections.filter(({ id }) => from.includes(id));
    const whole = own.filter(({ id }) => !given.has(id));
    for (const { id } of own) given.add(id);
    const section = joined(own, whole, title, `p${index + 1}`);
    if (own.length > 1)
      joinedFrom.set(
        section.id,
        whole.map(({ id }) => id),
      );
    return section;
  });
  const titles = new Set(parts.map(({ title }) => bareWords(title)));
  const inside = (text: string): string => withoutTitles(text, titles);
  const framed = (heading: string, text: string): string[] => {
    const body = inside(sectionText(heading, text));
    return body === '' ? [] : [`## ${heading}`, body];
  };
  const raw = [
    `# ${oneLine(frame?.title || state.title)}`,
    inside(sectionText('', frame?.summary ?? '')),
    ...parts.flatMap(({ title, text }) => [`## ${oneLine(title)}`, inside(text)]),
    ...framed(texts.analysis, frame?.analysis ?? ''),
    ...framed(texts.conclusion, frame?.conclusion ?? ''),
  ];
  return { raw: `${raw.filter((part) => part.trim() !== '').join('\n\n')}\n`, sections, from: joinedFrom };
}

/** @param whole Sections that no earlier part contains: their findings are given here. */
function joined(own: readonly SectionState[], whole: readonly SectionState[], title: string, id: string): SectionState {
  const first = own[0]!;
  if (own.length === 1 && whole.length === 1) return { ...first, title };
  const { distilled: _, ...rest } = first;
  const found = whole.flatMap(({ distilled }) => distilled ?? []);
  return {
    ...rest,
    id,
    title,
    status: own.every(({ status }) => status === 'failed') ? 'failed' : 'completed',
    sourceIds: [...new Set(own.flatMap(({ sourceIds }) => sourceIds))],
    searched: [...new Set(own.flatMap(({ searched }) => searched))],
    ...(found.length === 0
      ? {}
      : {
          distilled: {
            title,
            content: found.map(({ content }) => content).join('\n\n'),
            findings: found.flatMap(({ findings }) => findings),
          },
        }),
  };
}

/** Sub-headings that the renderer would take for a section's, the conclusion's or a list of references become bold lines. */
function withoutTitles(text: string, titles: ReadonlySet<string>): string {
  return text.replace(/^ {0,3}#{1,4}[^\S\n]+(\S[^\n]*)$/gm, (line, words: string) => {
    const heading = words.trim();
    const isTaken = titles.has(bareWords(heading)) || isConclusionHeading(heading) || isReferenceHeading(heading);
    return isTaken ? `**${heading}**` : line;
  });
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
