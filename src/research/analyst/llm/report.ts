import prompt from '../../../../prompts/report.md';
import { ResearchError } from '../../errors.ts';
import type { ChatMessage } from '../../ports.ts';
import { reportTexts } from '../../report/reportTexts.ts';
import type { ReportInput, Scope } from '../analyst.ts';
import { assumptionsBlock, bullets, depthLine, materialTokens, questionValues, runValues } from './common.ts';
import { fencedOrNone, oneLine } from './fence.ts';
import { fillPrompt } from './fill.ts';
import { pieces } from './pieces.ts';
import { sectionsText } from './sectionsText.ts';

/** How often a report that stopped in the middle is continued. */
const maxContinuations = 3;
/** Shares of the material that is left after each "prompt too long". */
const shares = [1, 0.5, 0.25, 0.1] as const;

/**
 * Streams the report. An answer that reached its token limit, or stopped after it had begun, is continued exactly where it
 * stopped, three times at most; a prompt that is too long is sent again with less of the sections' text.
 */
export async function* writeReport(input: ReportInput, scope: Scope): AsyncGenerator<string> {
  const material = await materialTokens(scope, 'report', 2_000);
  let written = '';
  let less = 0;
  for (let part = 0; ;) {
    const label = `report${less === 0 ? '' : `/less/${less}`}${part === 0 ? '' : `/more/${part}`}`;
    try {
      const finish = yield* take(
        scope,
        label,
        conversation(input, scope, Math.floor(material * shares[less]!), written),
        (text) => (written += text),
      );
      if (finish !== 'length') return;
    } catch (error) {
      if (scope.signal.aborted) throw error;
      if (ResearchError.is(error, 'contextLength') && less < shares.length - 1) {
        less += 1;
        continue;
      }
      if (
        written === '' ||
        !ResearchError.is(error, 'streamBroken', 'network', 'timeout', 'rateLimit') ||
        part >= maxContinuations
      )
        throw error;
    }
    part += 1;
    if (part > maxContinuations) {
      scope.warn({ kind: 'report.tooLong' });
      return;
    }
  }
}

async function* take(
  scope: Scope,
  label: string,
  messages: readonly ChatMessage[],
  onPiece: (text: string) => void,
): AsyncGenerator<string, string> {
  const maxTokens = scope.limits.maxTokens.report;
  const stream = pieces((onText) =>
    scope.model(label, 'report', { messages, ...(maxTokens !== undefined && { maxTokens }) }, onText),
  );
  const going = messages.at(-1)!.role === 'user' && messages.length > 2;
  let streamed = false;
  let seam = going ? new Seam(messages.at(-2)!.content) : undefined;
  for (let next = await stream.next(); ; next = await stream.next()) {
    if (next.done) {
      // A port that does not stream has the text in its answer.
      const rest = streamed ? (seam?.end() ?? '') : seam ? seam.push(next.value.text) + seam.end() : next.value.text;
      if (rest !== '') {
        onPiece(rest);
        yield rest;
      }
      return next.value.finish;
    }
    streamed = true;
    const text = seam ? seam.push(next.value) : next.value;
    if (seam?.closed) seam = undefined;
    if (text === '') continue;
    onPiece(text);
    yield text;
  }
}

function conversation(input: ReportInput, scope: Scope, tokens: number, written: string): ChatMessage[] {
  const { question, original } = questionValues(input);
  const filled = fillPrompt(prompt, {
    ...runValues(scope),
    question,
    original,
    conclusion: reportTexts(scope.language).conclusion,
    form: formOf(input),
    depth: depthLine(scope, {
      quick: 'A quick answer is wanted: one or two paragraphs a section.',
      deep: 'A deep study is wanted: mechanisms, figures, conditions and limits, as far as the findings contain them.',
    }),
    title: oneLine(input.title),
    aim: fencedOrNone('aim', input.objective),
    assumptions: assumptionsBlock(input.assumptions),
    discovered: fencedOrNone(
      'discovered',
      input.discovered
        .map(
          (entity) =>
            `- ${oneLine(entity.name)} (${oneLine(entity.category)}): ${oneLine(entity.brief).slice(0, 200)} [${entity.source}]`,
        )
        .join('\n'),
    ),
    disagreements: fencedOrNone('disagreements', bullets(input.contradictions)),
    sections: sectionsText(input.sections, tokens, scope),
  });
  const begin: ChatMessage[] = [
    { role: 'system', content: filled.system },
    { role: 'user', content: filled.user },
  ];
  if (written === '') return begin;
  return [
    ...begin,
    { role: 'assistant', content: written },
    {
      role: 'user',
      content:
        'The report broke off there. Continue exactly where it stopped, in the middle of the word if necessary: repeat nothing, explain nothing, and write the rest to its end.',
    },
  ];
}

function formOf(input: ReportInput): string {
  if (input.analysis.outputFormat === 'table')
    return 'Compare in Markdown tables: one row a thing, one column an attribute, with the ids inside the cells; add a few sentences on what the table shows.';
  if (input.analysis.outputFormat === 'list')
    return 'Give parallel items as Markdown lists, each item with its ids; add a few sentences on what they have in common.';
  return 'Write connected prose; a table or list only where it is clearly easier to read.';
}

/** Characters at the end of the written text in which a repetition is looked for. */
const seamLength = 400;

/** Text at the end that may be half a word, or a citation that is not closed. */
const openEnd = /(?:\[[^\]\s]*|[\p{L}\p{N}]+)$/u;
/** A continuation that begins with this much of the beginning, in characters, was restarted by the model. */
const sameStart = 24;

/** Removes what a model repeats when it continues: the end of what it had written, or all of it. */
class Seam {
  readonly #written: string;
  readonly #before: string;
  #held = '';
  closed = false;

  constructor(written: string) {
    this.#written = written;
    this.#before = written.slice(-seamLength);
  }

  push(text: string): string {
    if (this.closed) return text;
    this.#held += text;
    // A restarted text has to reach the length of the old one before it is known where it continues.
    const wanted = this.#restarts() ? this.#written.length + seamLength : seamLength;
    return this.#held.length < wanted ? '' : this.end();
  }

  end(): string {
    if (this.closed) return '';
    this.closed = true;
    if (this.#restarts()) return this.#afterCommonPassage();
    const head = this.#held.replace(/^(?:\.{3}|…)/, '');
    const most = Math.min(this.#before.length, head.length);
    for (let length = most; length >= 12; length -= 1) {
      if (this.#before.endsWith(head.slice(0, length))) return head.slice(length);
    }
    return withoutOpenEnd(this.#before, head);
  }

  #restarts(): boolean {
    const start = this.#written.trimStart().slice(0, sameStart);
    return start.length === sameStart && this.#held.trimStart().startsWith(start);
  }

  /** What follows the latest passage that both have, so that nothing appears twice. */
  #afterCommonPassage(): string {
    for (let length = Math.min(80, this.#before.length); length >= 12; length -= 1) {
      const at = this.#held.lastIndexOf(this.#before.slice(-length));
      if (at >= 0) return this.#held.slice(at + length);
    }
    // The wording differs. Only sections that were not begun yet are new.
    const known = new Set(headingsOf(this.#written).map(({ title }) => title));
    const next = headingsOf(this.#held).find(({ title }) => !known.has(title));
    return next ? `\n\n${this.#held.slice(next.at)}` : '';
  }
}

/** The half word, or half marker, before the break is often repeated as a whole. */
function withoutOpenEnd(before: string, head: string): string {
  const open = openEnd.exec(before)?.[0] ?? '';
  if (open.length > 1 && head.startsWith(open)) return head.slice(open.length);
  // A heading needs a line of its own.
  return /^#{1,6} /.test(head) && !before.endsWith('\n') ? `\n\n${head}` : head;
}

function headingsOf(text: string): { readonly title: string; readonly at: number }[] {
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map((match) => ({
    title: match[1]!.trim().toLowerCase(),
    at: match.index,
  }));
}
