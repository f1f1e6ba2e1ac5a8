import prompt from '../../../../prompts/report.md';
import { ResearchError } from '../../errors.ts';
import type { ChatAnswer, ChatMessage } from '../../ports.ts';
import { outlineReport } from '../../report/outlineReport.ts';
import { reportTexts } from '../../report/reportTexts.ts';
import { settledLength } from '../../text/sentences.ts';
import type { ReportInput, ReviewedSection, Scope } from '../analyst.ts';
import { assumptionsBlock, bestBullets, depthLine, questionValues, runValues } from './common.ts';
import { estimateTokens } from './estimateTokens.ts';
import { fencedOrNone, oneLine } from './fence.ts';
import { fillPrompt } from './fill.ts';
import { fitted } from './fitting.ts';
import { pieces } from './pieces.ts';
import { Seam } from './seam.ts';
import { sectionsText } from './sectionsText.ts';
import { roomOf } from './steps.ts';
import { formOf } from './writing.ts';

/** How often a report is continued after its connection broke, and in its last part. */
const maxContinuations = 3;
/** More material would not make a better report, in tokens. */
const enoughMaterial = 120_000;
/** With room for less than this part of what was found, the report is written section by section. */
const leastShare = 0.6;
/** Part of a continuation's material that goes to the end of what was written. */
const writtenShare = 0.3;

/**
 * Streams the report. One that reached its output limit, or broke off, continues where it stopped, with the missing sections
 * named; when that brings no further section, or the findings don't fit into one prompt, it is written section by section.
 */
export async function* writeReport(input: ReportInput, scope: Scope): AsyncGenerator<string> {
  const draft = new Draft(input);
  if (await fitsAtOnce(input, scope)) {
    if (yield* atOnce(input, scope, draft)) return;
  }
  yield* bySections(input, scope, draft);
}

/** What is written so far, and what of the plan is not. */
class Draft {
  readonly #input: ReportInput;
  text = '';

  constructor(input: ReportInput) {
    this.#input = input;
  }

  /** Sections with findings that were not begun, the one in which the text stops, and whether the conclusion is still to come. */
  get open(): {
    readonly missing: readonly ReviewedSection[];
    readonly half: string | undefined;
    readonly ends: boolean;
  } {
    const { sections, half, conclusion } = outlineReport(this.text, this.#input.sections, false);
    const missing = this.#input.sections.filter(({ id, findings, content }) => {
      return !sections.has(id) && (findings.length > 0 || content.trim() !== '');
    });
    return { missing, half, ends: conclusion === undefined };
  }
}

async function fitsAtOnce(input: ReportInput, scope: Scope): Promise<boolean> {
  if (input.sections.length < 2) return true;
  const { room } = await roomOf(scope, 'report');
  const found = estimateTokens(sectionsText(input.sections, Infinity, scope));
  return found * leastShare <= room - estimateTokens(contentOf(promptOf(input, scope, 0, [], '')));
}

// ------------------------------------------------------------------------------------------------------------- at once

/** True when the report is written; false when the rest has to be written section by section. */
async function* atOnce(input: ReportInput, scope: Scope, draft: Draft): AsyncGenerator<string, boolean> {
  let breaks = 0;
  for (let part = 0, fruitless = 0; ; part += 1) {
    const before = draft.open.missing.length;
    try {
      const { finish } = yield* oneAnswer(input, scope, draft, part);
      if (finish === 'contentFilter') return false;
      if (finish !== 'length') return true;
      // A continuation has to begin a section; in the last part it may take as long as it needs.
      fruitless = part > 0 && draft.open.missing.length >= before ? fruitless + 1 : 0;
      if (fruitless > 0 && (before > 0 || fruitless >= maxContinuations)) return false;
    } catch (error) {
      if (scope.signal.aborted) throw error;
      if (ResearchError.is(error, 'contextLength', 'contentFilter')) return false;
      const isBroken = ResearchError.is(error, 'streamBroken', 'network', 'timeout', 'rateLimit');
      if (draft.text === '' || !isBroken || breaks >= maxContinuations) throw error;
      breaks += 1;
    }
  }
}

async function* oneAnswer(
  input: ReportInput,
  scope: Scope,
  draft: Draft,
  part: number,
): AsyncGenerator<string, ChatAnswer> {
  const written = draft.text;
  const { missing, half, ends } = draft.open;
  const sections =
    part === 0 ? input.sections : input.sections.filter((one) => one.id === half || missing.includes(one));
  const compose = (tokens: number): ChatMessage[] => {
    if (part === 0) return promptOf(input, scope, tokens, sections, beginning);
    const shown = lastOf(written, Math.max(400, tokens * writtenShare));
    return [
      ...promptOf(input, scope, tokens - estimateTokens(shown), sections, beginning),
      { role: 'assistant', content: shown },
      { role: 'user', content: continuation(missing, ends ? reportTexts(scope.language).conclusion : undefined) },
    ];
  };
  const label = part === 0 ? 'report' : `report/more/${part}`;
  const stream = pieces((onText) =>
    fitted(scope, { step: 'report', compose, most: enoughMaterial }, (request, role, suffix) =>
      scope.model(`${label}${suffix}`, role, request, onText),
    ),
  );
  const seam = part === 0 ? undefined : new Seam(written);
  let streamed = false;
  for (;;) {
    const next = await stream.next();
    // A port that does not stream has the text in its answer.
    const given = next.done ? (streamed ? '' : next.value.text) : next.value;
    streamed ||= !next.done;
    const text = seam ? seam.push(given) + (next.done ? seam.end() : '') : given;
    draft.text += text;
    if (text !== '') yield text;
    if (next.done) return next.value;
  }
}

const beginning = 'Write the report now, beginning with its title line.';

function continuation(missing: readonly ReviewedSection[], conclusion: string | undefined): string {
  const rest = [...missing.map(({ title }) => title), ...(conclusion === undefined ? [] : [conclusion])];
  const then =
    rest.length === 0
      ? ''
      : ` These parts are still to come: ${rest.map((title) => `"${oneLine(title)}"`).join(', ')}.`;
  return `The report stops there. Continue exactly where it stops, in the middle of the word if necessary: repeat nothing, explain nothing, and write the rest to its end.${then}`;
}

/** The end of a text, from the beginning of a line where one is near. */
function lastOf(text: string, tokens: number): string {
  // No text has more tokens than twice its characters, and prose a quarter of them.
  let shown = text.slice(-Math.floor(tokens * 4));
  while (estimateTokens(shown) > tokens && shown.length > 200) shown = shown.slice(Math.ceil(shown.length * 0.1));
  return shown.length === text.length ? text : shown.slice(Math.max(0, shown.indexOf('\n') + 1));
}

// ------------------------------------------------------------------------------------------------------- by sections

interface Part {
  readonly label: string;
  /** "" for the beginning, which writes its own title line. */
  readonly heading: string;
  readonly sections: readonly ReviewedSection[];
  readonly task: string;
}

/**
 * Each missing part by a call of its own, which gives whole sentences. One that can't be written is left out, for code to give it
 * as it was distilled; what would fail for every part alike is thrown.
 */
async function* bySections(input: ReportInput, scope: Scope, draft: Draft): AsyncGenerator<string> {
  const parts = partsOf(input, scope, draft);
  let leftOut = parts.length === 0 ? 1 : 0;
  for (const part of parts) {
    const text = await partText(input, scope, part);
    if (text === '') {
      leftOut += 1;
      continue;
    }
    const heading = part.heading === '' ? '' : `## ${part.heading}\n\n`;
    const piece = `${draft.text === '' ? '' : '\n\n'}${heading}${text}\n`;
    draft.text += piece;
    yield piece;
  }
  if (leftOut > 0) scope.warn({ kind: 'report.tooLong' });
}

function partsOf(input: ReportInput, scope: Scope, draft: Draft): Part[] {
  const { missing, ends } = draft.open;
  const { conclusion } = reportTexts(scope.language);
  const others = `The other parts (${input.sections.map(({ title }) => `"${oneLine(title)}"`).join(', ')}) are written separately.`;
  const first: Part = {
    label: 'first',
    heading: '',
    sections: input.sections,
    task: `Write only the title line and the summary now, nothing else. ${others}`,
  };
  const last: Part = {
    label: 'last',
    heading: conclusion,
    sections: input.sections,
    task: `Write only the text of "${conclusion}" now, without its heading. ${others}`,
  };
  return [
    ...(draft.text === '' ? [first] : []),
    ...missing.map((section) => ({
      label: section.id,
      heading: oneLine(section.title),
      sections: [section],
      task: `Write only the text of the section "${oneLine(section.title)}" now, without its heading. ${others}`,
    })),
    ...(ends ? [last] : []),
  ];
}

/** The text of one part without headings of the first two levels; "" when it can't be written. */
async function partText(input: ReportInput, scope: Scope, part: Part): Promise<string> {
  const compose = (tokens: number) => promptOf(input, scope, tokens, part.sections, part.task);
  try {
    const answer = await fitted(scope, { step: 'report', compose, most: enoughMaterial }, (request, role, suffix) =>
      scope.model(`report/part/${part.label}${suffix}`, role, request),
    );
    if (answer.finish === 'contentFilter') return '';
    const text = answer.finish === 'length' ? answer.text.slice(0, settledLength(answer.text)) : answer.text;
    return part.heading === '' ? titleAndSummary(text) : sectionBody(text, input, part.heading);
  } catch (error) {
    if (scope.signal.aborted) throw error;
    const isOnlyThis = ResearchError.is(
      error,
      'contextLength',
      'contentFilter',
      'badAnswer',
      'streamBroken',
      'timeout',
    );
    if (!isOnlyThis) throw error;
    return '';
  }
}

/** Up to the second heading: a model may write the whole report all the same. */
function titleAndSummary(text: string): string {
  const lines = text.trim().split('\n');
  const end = lines.findIndex((line, index) => index > 0 && /^#{1,6} /.test(line));
  return lines
    .slice(0, end < 0 ? undefined : end)
    .join('\n')
    .trim();
}

/**
 * A section's text: without a heading of its own, up to where another part of the plan begins, other headings below the
 * section's.
 */
function sectionBody(text: string, input: ReportInput, heading: string): string {
  const titles = new Set(input.sections.map(({ title }) => plain(title)));
  const body: string[] = [];
  for (const line of text.trim().split('\n')) {
    const title = /^#{1,6} (.*)$/.exec(line)?.[1];
    const isOwn = title !== undefined && plain(title) === plain(heading);
    const isOther = title !== undefined && !isOwn && titles.has(plain(title));
    if (isOwn || (body.length === 0 && line.trim() === '')) continue;
    if (isOther && body.length > 0) break;
    if (isOther || (title !== undefined && body.length === 0)) continue;
    body.push(title === undefined ? line : line.replace(/^#{1,2} /, '### '));
  }
  return body.join('\n').trim();
}

const plain = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

// -------------------------------------------------------------------------------------------------------------- prompt

/** @param tokens Of the material: all of it is condensed by what it is about. */
function promptOf(
  input: ReportInput,
  scope: Scope,
  tokens: number,
  sections: readonly ReviewedSection[],
  task: string,
): ChatMessage[] {
  const { question, original } = questionValues(input, tokens / 4);
  const about = [input.clarifiedQuestion, ...sections.map(({ title }) => title)].join(' ');
  const discovered = bestBullets(
    input.discovered.map(
      ({ name, category, brief, source }) => `${name} (${category}): ${brief.slice(0, 200)} [${source}]`,
    ),
    about,
    tokens * 0.15,
  );
  const disagreements = bestBullets(input.contradictions, about, tokens * 0.1);
  const left =
    tokens - [question, original, discovered, disagreements].reduce((sum, text) => sum + estimateTokens(text), 0);
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
    discovered: fencedOrNone('discovered', discovered),
    disagreements: fencedOrNone('disagreements', disagreements),
    sections: sectionsText(sections, Math.max(0, left), scope),
    task,
  });
  return [
    { role: 'system', content: filled.system },
    { role: 'user', content: filled.user },
  ];
}

const contentOf = (messages: readonly ChatMessage[]) => messages.map(({ content }) => content).join('\n');
