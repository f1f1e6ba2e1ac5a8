import answerPrompt from '../../../../prompts/answer.md';
import reportPrompt from '../../../../prompts/report.md';
import { ResearchError } from '../../errors.ts';
import type { ChatAnswer, ChatMessage } from '../../ports.ts';
import { outlineReport } from './outlineReport.ts';
import { textsIn } from '../../languages/texts.ts';
import type { ReportInput, ReviewedSection, Scope } from '../analyst.ts';
import { estimateTokens } from '../../text/estimateTokens.ts';
import { oneLine } from './fence.ts';
import { fillPrompt, messagesOf } from './fill.ts';
import { askFreely, fitted } from './fitting.ts';
import { Seam } from './seam.ts';
import { sectionsText } from './sectionsText.ts';
import { besideSections, exampleOf, lengthOf, radiusOf, writingValues } from './writing.ts';

/** How often a report is continued after its connection broke, and in its last part. */
const maxContinuations = 3;
/** More material would not make a better report, in tokens. */
const enoughMaterial = 120_000;
/** Part of a continuation's material that goes to the end of what was written. */
const writtenShare = 0.3;

/**
 * Streams a report that is written at once. One that reached its output limit, or broke off, continues where it stopped, with the
 * missing sections named, as long as that brings further sections; what is missing then is given as it was found.
 */
export async function* writeReport(input: ReportInput, scope: Scope): AsyncGenerator<string> {
  const isWhole = yield* atOnce(input, scope, { text: '' });
  if (!isWhole) scope.warn({ kind: 'report.tooLong' });
}

/** What is written so far. */
interface Draft {
  text: string;
}

/** Sections with findings that were not begun, the one in which the text stops, and whether the conclusion is still to come. */
function openIn({ text }: Draft, { sections: planned, isAnswer }: ReportInput) {
  const { sections, half, conclusion } = outlineReport(text, planned, false);
  const missing = planned.filter(
    ({ id, findings, content }) => !sections.has(id) && (findings.length > 0 || content.trim() !== ''),
  );
  return { missing, half, ends: conclusion === undefined && !isAnswer };
}

/** False when the rest is missing. */
async function* atOnce(input: ReportInput, scope: Scope, draft: Draft): AsyncGenerator<string, boolean> {
  let breaks = 0;
  for (let part = 0, fruitless = 0; ; part += 1) {
    const before = openIn(draft, input).missing.length;
    try {
      const { finish } = yield* oneAnswer(input, scope, draft, part);
      if (finish === 'contentFilter') return false;
      if (finish !== 'length') return true;
      // A continuation has to begin a section; in the last part it may take as long as it needs.
      fruitless = part > 0 && openIn(draft, input).missing.length >= before ? fruitless + 1 : 0;
      if (fruitless > 0 && (before > 0 || fruitless >= maxContinuations)) return false;
    } catch (error) {
      if (scope.signal.aborted) throw error;
      if (ResearchError.is(error, 'contextLength', 'contentFilter')) return false;
      if (draft.text !== '' && ResearchError.is(error, 'badAnswer')) return false;
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
  const { missing, half, ends } = openIn(draft, input);
  const sections =
    part === 0 ? input.sections : input.sections.filter((one) => one.id === half || missing.includes(one));
  const compose = (tokens: number): ChatMessage[] => {
    if (part === 0) return promptOf(input, scope, tokens, sections, beginning);
    const shown = lastOf(written, Math.max(400, tokens * writtenShare));
    return [
      ...promptOf(input, scope, tokens - estimateTokens(shown), sections, beginning),
      { role: 'assistant', content: shown },
      { role: 'user', content: continuation(missing, ends ? textsIn(scope.language, 'report').conclusion : undefined) },
    ];
  };
  const label = part === 0 ? 'report' : `report/more/${part}`;
  const stream = pieces((onText) =>
    fitted(scope, { step: 'report', compose, most: enoughMaterial }, (request, role, suffix) =>
      askFreely(scope, `${label}${suffix}`, role, request, onText),
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

/** @param tokens Of the material: all of it is condensed by what it is about. */
function promptOf(
  input: ReportInput,
  scope: Scope,
  tokens: number,
  sections: readonly ReviewedSection[],
  task: string,
): ChatMessage[] {
  const values = writingValues(input, scope, tokens);
  const about = [input.clarifiedQuestion, ...sections.map(({ title }) => title)].join(' ');
  const { discovered, disagreements } = besideSections(input, about, tokens);
  const used = [...Object.values(values), discovered, disagreements];
  const left = tokens - used.reduce((sum, text) => sum + estimateTokens(text), 0);
  const { title, form, ...asked } = values;
  const material = {
    ...asked,
    disagreements,
    sections: sectionsText(sections, Math.max(0, left), scope, radiusOf(scope)),
    task,
    example: exampleOf(sections),
  };
  const filled = input.isAnswer
    ? fillPrompt(answerPrompt, material)
    : fillPrompt(reportPrompt, {
        ...{ ...material, title, form },
        length: lengthOf(scope),
        conclusion: textsIn(scope.language, 'report').conclusion,
        discovered,
      });
  return messagesOf(filled);
}

/**
 * Turns a call that reports its text piece by piece into a generator of the pieces, whose return value is the call's. It
 * throws what the call rejects with, after all pieces that came before. Left early, it stops listening; the call continues until
 * it ends or is aborted, and its failure is ignored then.
 */
async function* pieces<T>(call: (onText: (text: string) => void) => Promise<T>): AsyncGenerator<string, T> {
  const waiting: string[] = [];
  let wake = (): void => undefined;
  let ended = false;
  const result = call((text) => {
    waiting.push(text);
    wake();
  }).finally(() => {
    ended = true;
    wake();
  });
  result.catch(() => undefined);
  for (;;) {
    while (waiting.length > 0) yield waiting.splice(0).join('');
    if (ended) return await result;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (waiting.length > 0 || ended) resolve();
    });
  }
}
