import type { Frame, WrittenSection } from '../analyst/analyst.ts';
import type { CitableEvidence } from '../evidence/checker.ts';
import { isConclusionHeading, isReferenceHeading } from '../languages/headings.ts';
import { textsIn } from '../languages/texts.ts';
import { sectionText } from './sectionText.ts';
import { bareWords } from '../text/tokenize.ts';

export interface Writing {
  /** Shows a draft of the whole report, Markdown with source ids as markers. */
  readonly show: (raw: string) => Promise<void>;
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
 * Puts the written sections into their frame, as Markdown with source ids as markers. Each section has its heading even when nothing was
 * written of it, for the renderer to give it as it was found.
 */
export function writtenReport(
  written: readonly WrittenSection[],
  frame: Frame | undefined,
  { title, language }: { readonly title: string; readonly language: string },
): string {
  const texts = textsIn(language, 'report');
  const titles = new Set(written.map((section) => bareWords(section.title)));
  const inside = (text: string): string => withoutTitles(text, titles);
  const framed = (heading: string, text: string): string[] => {
    const body = inside(sectionText(heading, text));
    return body === '' ? [] : [`## ${heading}`, body];
  };
  const raw = [
    `# ${oneLine(frame?.title || title)}`,
    inside(sectionText('', frame?.summary ?? '')),
    ...written.flatMap((section) => [`## ${oneLine(section.title)}`, inside(section.text)]),
    ...framed(texts.analysis, frame?.analysis ?? ''),
    ...framed(texts.conclusion, frame?.conclusion ?? ''),
  ];
  return `${raw.filter((part) => part.trim() !== '').join('\n\n')}\n`;
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
