import * as z from 'zod';
import prompt from '../../../../prompts/distil.md';
import { ResearchError } from '../../errors.ts';
import { inputOf, type Source } from '../../evidence/source.ts';
import { unwatched } from '../../ports.ts';
import type { Distilled, DistilInput, GatheredCall, Scope } from '../analyst.ts';
import { bullets, remarksBlock, runValues, sourceIdIn } from './common.ts';
import { cutToTokens, estimateTokens } from './estimateTokens.ts';
import { fencedOrNone, fencedSource, oneLine, questionText } from './fence.ts';
import { isRecord, list, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { knownMarkers, mergedFindings, verifiedFindings } from './findings.ts';
import { bestEntries, bestSources, condensed, selectPassages, shareTokens } from './passages.ts';
import { askStructured } from './structuredOutput.ts';

/** Of a section, in characters. */
const mostContent = 30_000;

const finding = z.preprocess(
  (value) =>
    isRecord(value)
      ? { ...value, source: value['source'] ?? value['source_id'] ?? value['sources'] }
      : { claim: value },
  z.object({
    claim: text('One sentence'),
    quote: text('Words of the source, copied exactly', 600),
    source: text('Id of the source, such as S3f9a1', 40),
  }),
);

const schema = z.object({
  title: text('Title of the section', 200),
  content: text('The section in Markdown, with source ids in brackets', mostContent).refine(
    (content) => content !== '',
    'must not be empty',
  ),
  sources: list(text('Id of a source', 40), 'Ids of all sources that were used', 40),
  key_findings: list(finding, 'Five to twelve statements that matter most', 16),
});

/** What a source's line and fence take beside its passages, in tokens. */
const sourceOverhead = 60;
/** Below this a source's passages say nothing; its title alone is given then. */
const leastPassage = 25;

/** Remarks that passages are chosen by: the latest. */
const shownRemarks = 5;

/** How often sources are halved to find those that a content filter refuses. */
const mostHalvings = 3;

/**
 * Condenses what was found. Sources that the model's content filter refuses are found by halving and left out; rejects with
 * `contentFilter` when it refuses all of them.
 */
export async function distil(input: DistilInput, scope: Scope): Promise<Distilled> {
  const { distilled, refused, failure } = await withoutRefused(input, scope, 'distil', mostHalvings);
  if (distilled === undefined) throw failure ?? new ResearchError('contentFilter', 'Every source was refused.');
  if (refused > 0) scope.warn({ kind: 'passages.refused', count: refused });
  return distilled;
}

interface Halved {
  /** Undefined when all sources were refused. */
  readonly distilled?: Distilled;
  readonly refused: number;
  readonly failure?: ResearchError;
}

async function withoutRefused(input: DistilInput, scope: Scope, label: string, halvings: number): Promise<Halved> {
  try {
    return { distilled: await distilOnce(input, scope, label), refused: 0 };
  } catch (failure) {
    const { sources } = input;
    if (scope.signal.aborted || !ResearchError.is(failure, 'contentFilter')) throw failure;
    if (sources.length === 1 || halvings === 0) return { refused: sources.length, failure };
    const middle = Math.ceil(sources.length / 2);
    // What an earlier attempt had may be what is refused: it is kept by its findings.
    const { previous, ...plain } = input;
    const parts = [sources.slice(0, middle), sources.slice(middle)];
    const halves: Halved[] = [];
    for (const [index, part] of parts.entries())
      halves.push(await withoutRefused({ ...plain, sources: part }, scope, `${label}/${index}`, halvings - 1));
    const done = halves.flatMap(({ distilled }) => distilled ?? []);
    const refused = halves.reduce((sum, half) => sum + half.refused, 0);
    if (done.length === 0) return { refused, failure };
    const findings = mergedFindings(
      done.flatMap((one) => one.findings),
      previous?.findings ?? [],
    );
    const content = done.map((one) => one.content).join('\n\n');
    return { distilled: { title: input.section.title, content, findings }, refused };
  }
}

async function distilOnce(input: DistilInput, scope: Scope, label: string): Promise<Distilled> {
  const ids = new Set(input.sources.map((source) => source.id));
  const answer = await askStructured(scope, {
    label,
    step: 'distil',
    most: scope.limits.compressionTargetTokens,
    schema,
    prompt: (tokens) => promptOf(input, scope, tokens),
    complaint: (value) => complaintOf(value, input.sources, ids),
  });
  const found = verifiedFindings(answer.key_findings, input.sources);
  return {
    title: input.section.title,
    content: knownMarkers(answer.content, ids),
    findings: mergedFindings(found, input.previous?.findings ?? []),
  };
}

function promptOf(input: DistilInput, scope: Scope, tokens: number) {
  const { section, gaps, remarks = [] } = input;
  const asked = remarks.slice(-shownRemarks).map((remark) => remark.slice(0, 1_000));
  const query = [section.title, section.description, ...section.queries, ...gaps, ...asked].join(' ');
  const previous = previousText(input, query, Math.floor(tokens / 3));
  return fillPrompt(prompt, {
    ...runValues(scope),
    form: formOf(input.outputFormat),
    question: questionText(input.question, tokens / 3),
    title: oneLine(input.section.title),
    description: cutToTokens(oneLine(input.section.description), 600),
    missing: fencedOrNone(
      'missing',
      input.gaps.length === 0 ? '' : `A reviewer missed this; answer it if the sources do:\n${bullets(input.gaps)}`,
    ),
    remarks: remarksBlock(
      input.remarks,
      'The user asked for this while the section was researched. Answer it first, if the sources do:',
      tokens,
    ),
    calls: fencedOrNone('calls', callsText(input.gathered, query, Math.min(600, tokens / 6))),
    previous: fencedOrNone('previous', previous),
    sources: sourcesText(input, query, tokens - estimateTokens(previous), scope.reading),
  });
}

function formOf(format: DistilInput['outputFormat']): string {
  if (format === 'table')
    return 'Use Markdown tables where several things have the same attributes, with the ids inside the cells; prose for the rest.';
  if (format === 'list') return 'Use Markdown lists for parallel items; prose for the rest.';
  return 'Write connected paragraphs; a list or table only where it is clearly easier to read.';
}

/** What was asked of which tool: the reader of the report may want to know how thoroughly was searched. */
function callsText(gathered: readonly GatheredCall[], query: string, tokens: number): string {
  const made = gathered.filter((call) => call.call.name !== 'think' && call.call.name !== 'research_complete');
  if (made.length === 0) return '';
  const lines = made.map(
    ({ call, sources, error }) =>
      `${call.name}(${oneLine(JSON.stringify(call.args)).slice(0, 120)}): ${error === undefined ? `${sources.length} sources` : 'failed'}`,
  );
  const shown = bestEntries(lines, query, tokens).map((index) => `- ${lines[index]!}`);
  return shown.length === 0 ? '' : `The researcher made these calls:\n${shown.join('\n')}`;
}

function previousText(input: DistilInput, query: string, tokens: number): string {
  if (!input.previous || input.previous.content.trim() === '') return '';
  return `The section as it was before it was sent back. Keep what holds, and work the new in:\n\n${condensed(input.previous.content, query, tokens)}`;
}

/** The passages of all sources that bear on the section; when space is short, of those sources alone that do. */
function sourcesText(input: DistilInput, query: string, tokens: number, reading = unwatched): string {
  const shown = bestSources(input.sources, query, Math.max(1, Math.floor(tokens / (sourceOverhead + leastPassage))));
  const wanted = shown.map((source) => estimateTokens(source.text.slice(0, 60_000)));
  const shares = shareTokens(wanted, tokens - shown.length * sourceOverhead);
  // A short text is given whole, however short.
  const isTooLittle = (index: number) => shares[index]! < Math.min(leastPassage, wanted[index]!);
  const passagesOf = (source: Source, share: number): string =>
    reading.during(inputOf(source), () => selectPassages(source, query, share));
  const blocks = shown.map((source, index) =>
    fencedSource(source, isTooLittle(index) ? '' : passagesOf(source, shares[index]!)),
  );
  return blocks.join('\n\n');
}

function complaintOf(
  answer: z.output<typeof schema>,
  sources: readonly Source[],
  ids: ReadonlySet<string>,
): string | undefined {
  const cited = [...answer.content.matchAll(/\[(S[0-9a-f]{5,64})\]/gi)].map((match) => sourceIdIn(match[1]!)!);
  if (cited.length === 0)
    return '`content` cites no source. Every statement needs the id of its source in square brackets, such as [S3f9a1].';
  if (!cited.some((id) => ids.has(id)))
    return `\`content\` cites ids that no source has. The ids are: ${[...ids].slice(0, 40).join(', ')}.`;
  if (answer.key_findings.length === 0) return '`key_findings` is empty.';
  const verified = verifiedFindings(answer.key_findings, sources, { exactOnly: true });
  if (verified.length > 0) return undefined;
  return 'none of the quotes is in the text of its source. Copy them character by character from the sources, in the language of the source.';
}
