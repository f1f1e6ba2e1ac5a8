import { keyOf } from '../../files/statementKey.ts';
import { partsOf, referencesKey, type ReportPart } from '../../files/reportParts.ts';
import { citationMarks } from '../../protocol/citationMark.ts';
import type { RunView, SourceView } from '../../protocol/runView.ts';
import { type SourceTarget, sourceTarget } from '../reports/sourceTarget.ts';

/** Markdown, or the cited lines of a file. */
export type Piece =
  { readonly markdown: string } | { readonly file: Extract<SourceTarget, { kind: 'file' }>; readonly label: string };

/** A part of a report: what is before its first section, or a section. */
export interface GivenPart {
  readonly pieces: readonly Piece[];
  /** Sources that no part before cited. */
  readonly sources: readonly SourceView[];
  /** It was given before with other words. */
  readonly isChanged: boolean;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/**
 * A report for a place where text can only be appended: each part once, when it is complete, and again when it was changed. Citations
 * are numbered in the order in which they are given, since those of the report change until it is finished.
 */
export class ReportStream {
  readonly #workspaceFolder: string | undefined;
  /** The statements that were given, by the heading of their part. */
  readonly #given = new Map<string, ReadonlySet<string>>();
  readonly #numbers = new Map<string, number>();

  constructor(workspaceFolder: string | undefined) {
    this.#workspaceFolder = workspaceFolder;
  }

  /** The sections that are complete while the report is written: what is before them is written last. */
  written(view: Pick<RunView, 'report' | 'sources'>): GivenPart[] {
    const parts = partsOf(view.report.text);
    if (parts.some(({ key }) => key === referencesKey)) return [];
    const sections = parts.slice(1, -1);
    return sections.filter(({ key }) => !this.#given.has(key)).map((part) => this.#give(part, view));
  }

  /**
   * What of the finished report was not given yet, or was changed since: a section that says something else, not one that only lost
   * what another one says too.
   */
  finished(view: Pick<RunView, 'report' | 'sources'>): GivenPart[] {
    const parts = partsOf(view.report.text);
    const references = parts.findIndex(({ key }) => key === referencesKey);
    const shown = parts.slice(0, references < 0 ? undefined : references);
    const all = new Set(shown.flatMap(({ text }) => [...statementsOf(text)]));
    const isNews = ({ key, text }: ReportPart): boolean => {
      const given = this.#given.get(key);
      const now = statementsOf(text);
      // The title alone says nothing below the sections.
      if (given === undefined) return now.size > (this.#given.size > 0 ? 1 : 0);
      return [...now].some((one) => !given.has(one)) || [...given].some((one) => !all.has(one));
    };
    return shown.filter(isNews).map((part) => this.#give(part, view));
  }

  #give({ key, text: part }: ReportPart, view: Pick<RunView, 'report' | 'sources'>): GivenPart {
    const isChanged = this.#given.has(key);
    this.#given.set(key, statementsOf(part));
    const known = this.#numbers.size;
    const pieces: Piece[] = [];
    let text = '';
    let from = 0;
    for (const { 0: whole, 1: number, index } of part.matchAll(citationMarks)) {
      text += part.slice(from, index);
      from = index + whole.length;
      const source = sourceOf(Number(number), view);
      const target = sourceTarget(source, this.#workspaceFolder);
      if (target.kind !== 'file') text += this.#linked(source, target);
      else {
        if (text !== '') pieces.push({ markdown: text });
        text = '';
        pieces.push({ file: target, label: `${target.path.split(/[\\/]/).at(-1)}:${target.firstLine}` });
        if (source) this.#numberOf(source);
      }
    }
    pieces.push({ markdown: `${text + part.slice(from)}\n\n` });
    const added = [...this.#numbers.keys()].slice(known);
    return { pieces, sources: view.sources.filter(({ id }) => added.includes(id)), isChanged };
  }

  #numberOf({ id }: SourceView): number {
    const number = this.#numbers.get(id) ?? this.#numbers.size + 1;
    this.#numbers.set(id, number);
    return number;
  }

  #linked(source: SourceView | undefined, target: SourceTarget): string {
    if (!source) return '';
    const number = this.#numberOf(source);
    return target.kind === 'page' ? `[\\[${number}\\]](${inLink(target.url)})` : `\\[${number}\\]`;
  }
}

/** The letters and digits of its sentences. */
function statementsOf(part: string): ReadonlySet<string> {
  const sentences = part
    .replace(citationMarks, '')
    .split('\n')
    .flatMap((line) => [...segmenter.segment(line)].map(({ segment }) => keyOf(segment)));
  return new Set(sentences.filter((key) => key !== ''));
}

function sourceOf(number: number, { report, sources }: Pick<RunView, 'report' | 'sources'>): SourceView | undefined {
  const id = report.citations[number - 1];
  return sources.find((source) => source.id === id);
}

/** An address inside of a Markdown link. */
function inLink(url: string): string {
  return url.replace(/[()<>\s\\]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
