import * as z from 'zod';
import prompt from '../../../../prompts/distil.md';
import { ResearchError } from '../../errors.ts';
import { agrees, type Fit, fitsOf, isMisfit } from '../../evidence/fitting.ts';
import { normalizeForQuote } from '../../evidence/quotes.ts';
import { inputOf, type Finding, type Source } from '../../evidence/source.ts';
import { unwatched } from '../../ports.ts';
import { statementLine } from '../../evidence/statementLine.ts';
import type { Distilled, DistilInput, Scope } from '../analyst.ts';
import { mergedAsides } from '../mergedAsides.ts';
import type { Aside } from '../../stateSchema.ts';
import { bullets, remarksBlock, runValues, sourceIdIn, sourceNamed } from './common.ts';
import { cutToTokens, estimateTokens } from '../../text/estimateTokens.ts';
import { fencedOrNone, fencedSource, oneLine, questionText } from './fence.ts';
import { entry, list, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { knownMarkers, longestQuote, mergedFindings, verifiedFindings } from './findings.ts';
import { numbersIn, quotesNamed, withNumbers, withoutNumbers } from './numbered.ts';
import { bestSources, condensed, selectPassages, shareTokens } from './passages.ts';
import { askStructured } from './structuredOutput.ts';
import { placeOf, sentencesOf } from '../../evidence/surroundings.ts';

/** Of a section, in characters. */
const mostContent = 30_000;

const finding = entry(
  'claim',
  {
    source: text('Id of the source, such as S3f9a1', 40),
    quote: text('Number of the sentence that says it, such as 12; 12-13 for two', longestQuote),
    claim: text('Empty when the sentence is understood alone; else what it says, in one sentence'),
  },
  { source: ['source_id', 'sources'] },
);

/** Findings of a section. */
const mostFindings = 25;

const schema = z.object({
  off_topic: list(text('Id of a source', 40), 'Sources that are not about the question', 40),
  to_readers: list(
    text('Id of a source and numbers of its sentences, such as "S3f9a1: 4, 9-10"', 200),
    'Sentences that speak to whoever reads them, not about the subject',
    20,
  ),
  key_findings: list(finding, 'What bears on the section, the most important first', mostFindings),
  content: text('Where the sources contradict each other and what stays open; may be empty', mostContent),
});

/** Findings that are asked for, by depth. */
const wanted = { quick: 'four to eight', standard: 'ten to twenty', deep: 'fifteen to twenty-five' } as const;
/** Part of the model's window that sources may take, where the work is to be more than quick. */
const windowShare = 0.25;
/** Default of `limits.compressionTargetTokens`. */
const usualTarget = 8_000;

/** What a source's line and fence take beside its passages, in tokens. */
const sourceOverhead = 60;
/** Below this a source's passages say nothing; its title alone is given then. */
const leastPassage = 25;

/** Remarks that passages are chosen by: the latest. */
const shownRemarks = 5;

/** Of the median source's agreement: with less, a source is not even shown to the model. Of sources that are about the question, 1 in 70 has less. */
const leastAgreement = 0.25;

/** Sources that are read for what is missing, by depth. */
const readAgain = { quick: 5, standard: 8, deep: 12 } as const;

/** How often sources are halved to find those that a content filter refuses. */
const mostHalvings = 3;

/** What a model reads, and the standing of each source among all of the section. */
interface Read extends DistilInput {
  readonly fits: ReadonlyMap<string, Fit>;
}

/**
 * Condenses what was found. Sources that plainly speak of something else are not read. Those that the model's content filter refuses
 * are found by halving and left out; rejects with `contentFilter` when it refuses all of them.
 */
export async function distil(input: DistilInput, scope: Scope): Promise<Distilled> {
  const fits = fitsOf(input.sources, input.question, queryOf(input));
  const quoted = new Set(input.previous?.findings.map(({ source }) => source));
  const misfits = input.sources
    .filter(({ id }) => isMisfit(fits.get(id), leastAgreement) && !quoted.has(id))
    .map(({ id }) => id);
  const sources = input.sources.filter(({ id }) => !misfits.includes(id));
  const read = unread({ ...input, fits, sources }, scope.limits);
  const { distilled, refused, failure } = await withoutRefused(read, scope, 'distil', mostHalvings);
  if (distilled === undefined) throw failure ?? new ResearchError('contentFilter', 'Every source was refused.');
  if (refused > 0) scope.warn({ kind: 'passages.refused', count: refused });
  const offTopic = [...misfits, ...(distilled.offTopic ?? [])];
  return offTopic.length === 0 ? distilled : { ...distilled, offTopic };
}

/**
 * What an earlier attempt quotes stays with its findings: another one reads the rest, as far as it bears on what is missing, and all of
 * it when nothing else is there.
 */
function unread(input: Read, { depth }: Scope['limits']): Read {
  if (input.previous === undefined) return input;
  const quoted = new Set(input.previous.findings.map(({ source }) => source));
  const sources = input.sources.filter(({ id }) => !quoted.has(id));
  if (sources.length === 0) return input;
  return { ...input, sources: bestSources(sources, queryOf(input), readAgain[depth]) };
}

interface Halved {
  /** Undefined when all sources were refused. */
  readonly distilled?: Distilled;
  readonly refused: number;
  readonly failure?: ResearchError;
}

async function withoutRefused(input: Read, scope: Scope, label: string, halvings: number): Promise<Halved> {
  try {
    return { distilled: await distilOnce(input, scope, label), refused: 0 };
  } catch (failure) {
    const { sources } = input;
    if (scope.signal.aborted || !ResearchError.is(failure, 'contentFilter')) throw failure;
    if (sources.length === 1 || halvings === 0) return { refused: sources.length, failure };
    const middle = Math.ceil(sources.length / 2);
    // What an earlier attempt had may be what is refused: its findings stay.
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
    const asides = mergedAsides(
      done.flatMap((one) => one.asides ?? []),
      previous?.asides,
    );
    return { distilled: { title: input.section.title, content, findings, asides }, refused };
  }
}

async function distilOnce(input: Read, scope: Scope, label: string): Promise<Distilled> {
  const answer = await askStructured(scope, {
    label,
    step: 'distil',
    most: await mostMaterial(scope),
    schema,
    prompt: (tokens) => promptOf(input, scope, tokens),
    complaint: (value) => complaintOf(value, input.sources),
  });
  const offTopic = offTopicOf(answer.off_topic, input);
  const sources = input.sources.filter(({ id }) => !offTopic.includes(id));
  const before = input.previous?.findings ?? [];
  const asides = mergedAsides(asidesOf(answer, sources), input.previous?.asides);
  const findings = mergedFindings(
    verifiedFindings(named(answer.key_findings, sources, asides), sources),
    before,
  ).filter((one) => !isAside(one, asides, input.sources));
  // Continuous text that cites nothing is no statement of a source.
  const citing = /\[S[0-9a-f]{5,64}\b/i.test(answer.content) ? withoutNumbers(answer.content) : '';
  const used = new Set([...sources.map(({ id }) => id), ...before.map(({ source }) => source)]);
  return {
    title: input.section.title,
    content: withFindings(knownMarkers(citing, used), findings),
    findings,
    ...(offTopic.length > 0 ? { offTopic } : {}),
    ...(asides.length > 0 ? { asides } : {}),
  };
}

/** The findings with the ids of their sources and the words that they name by number. */
function named(
  findings: z.output<typeof schema>['key_findings'],
  sources: readonly Source[],
  asides: readonly Aside[],
) {
  return findings.flatMap(({ claim: written, quote, source: reference }) => {
    const source = sourceNamed(reference, sources);
    const claim = withoutNumbers(written);
    const id = source?.id ?? '';
    const [first = '', ...others] = quotesNamed(quote, source, source && hiddenIn(source, asides));
    // What is said in other words is said of all of them.
    if (claim !== '') return [{ claim, quote: first, source: id }];
    return [first, ...others].map((words) => ({ claim: statementLine(words), quote: words, source: id }));
  });
}

/** What a model says speaks to readers, as far as its source has such sentences. */
function asidesOf({ to_readers: named }: z.output<typeof schema>, sources: readonly Source[]): Aside[] {
  return named.flatMap((line) => {
    const id = sourceIdIn(line);
    const source = id === undefined && sources.length === 1 ? sources[0] : sources.find((one) => one.id === id);
    const known = source ? sentencesOf(source).sentences : [];
    const numbers = numbersIn(line).filter((number) => (known[number] ?? '').trim() !== '');
    return source === undefined || numbers.length === 0 ? [] : { source: source.id, sentences: numbers };
  });
}

/** Whether a quote has a sentence of an aside. */
function isAside({ source: id, quote }: Finding, asides: readonly Aside[], sources: readonly Source[]): boolean {
  const source = sources.find((one) => one.id === id);
  const own = asides.filter((aside) => aside.source === id).flatMap(({ sentences }) => sentences);
  const known = source && own.length > 0 ? sentencesOf(source) : undefined;
  return known !== undefined && (placeOf(known, quote) ?? []).some((number) => own.includes(number));
}

/** A smaller target in the settings applies; a quick look needs no more. */
async function mostMaterial(scope: Scope): Promise<number> {
  const { compressionTargetTokens: target, depth } = scope.limits;
  if (depth === 'quick' || target < usualTarget) return target;
  return Math.max(target, Math.floor((await scope.contextTokens('compression')) * windowShare));
}

/**
 * Sources that the model takes for foreign to the question, unless they agree with the others or it names most of them: a model that is
 * mistaken loses nothing.
 */
function offTopicOf(named: readonly string[], { fits, sources }: Read): string[] {
  const ids = new Set(named.map((id) => sourceIdIn(id)));
  const foreign = sources.map(({ id }) => id).filter((id) => ids.has(id));
  if (foreign.length > sources.length / 2) return [];
  return foreign.filter((id) => !agrees(fits.get(id)));
}

/** The continuous text, and the findings that it does not state: the section's text when no model writes it. */
function withFindings(content: string, findings: readonly Finding[]): string {
  const said = normalizeForQuote(content);
  const open = findings.filter(({ claim }) => !said.includes(normalizeForQuote(claim)));
  const lines = open.map(({ claim, source }) => `- ${oneLine(claim).replace(/[.。]$/, '')} [${source}].`);
  return [content.trim(), lines.join('\n')].filter((part) => part !== '').join('\n\n');
}

function promptOf(input: DistilInput, scope: Scope, tokens: number) {
  const query = queryOf(input);
  const previous = previousText(input, query, Math.floor(tokens / 3));
  return fillPrompt(prompt, {
    ...runValues(scope),
    wanted: wanted[scope.limits.depth],
    example: input.sources[0] === undefined ? '' : ` A citation looks like this: [${input.sources[0].id}].`,
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
    previous: fencedOrNone('previous', previous),
    sources: sourcesText(input, query, tokens - estimateTokens(previous), scope.reading),
  });
}

/** What passages are chosen by. */
function queryOf({ section, gaps, remarks = [] }: DistilInput): string {
  const asked = remarks.slice(-shownRemarks).map((remark) => remark.slice(0, 1_000));
  return [section.title, section.description, ...section.queries, ...gaps, ...asked].join(' ');
}

function previousText(input: DistilInput, query: string, tokens: number): string {
  if (!input.previous || input.previous.content.trim() === '') return '';
  return `What was found before the section was sent back. It stays: take out what it lacks, and what corrects it.\n\n${condensed(input.previous.content, query, tokens)}`;
}

/** The passages of all sources that bear on the section; when space is short, of those sources alone that do. */
function sourcesText(input: DistilInput, query: string, tokens: number, reading = unwatched): string {
  const shown = bestSources(input.sources, query, Math.max(1, Math.floor(tokens / (sourceOverhead + leastPassage))));
  const wanted = shown.map((source) => estimateTokens(source.text.slice(0, 60_000)));
  const shares = shareTokens(wanted, tokens - shown.length * sourceOverhead);
  // A short text is given whole, however short.
  const isTooLittle = (index: number) => shares[index]! < Math.min(leastPassage, wanted[index]!);
  const passagesOf = (source: Source, share: number): string =>
    reading.during(inputOf(source), () =>
      withNumbers(source, selectPassages(source, query, share), hiddenIn(source, input.previous?.asides)),
    );
  const blocks = shown.map((source, index) =>
    fencedSource(source, isTooLittle(index) ? '' : passagesOf(source, shares[index]!)),
  );
  return blocks.join('\n\n');
}

function hiddenIn({ id }: Source, asides: readonly Aside[] = []): ReadonlySet<number> {
  return new Set(asides.filter(({ source }) => source === id).flatMap(({ sentences }) => sentences));
}

function complaintOf(answer: z.output<typeof schema>, sources: readonly Source[]): string | undefined {
  const cited = [...answer.content.matchAll(/\[(S[0-9a-f]{5,64})\]/gi)].map((match) => sourceIdIn(match[1]!)!);
  const ids = sources.map(({ id }) => id);
  if (cited.length > 0 && !cited.some((id) => ids.includes(id)))
    return `\`content\` cites ids that no source has. The ids are: ${ids.slice(0, 40).join(', ')}.`;
  if (answer.key_findings.length === 0)
    return '`key_findings` is empty. Give what the sources say about the section, each with a quote and the id of its source.';
  const verifiedBeside = (asides: readonly Aside[]) =>
    verifiedFindings(named(answer.key_findings, sources, asides), sources, { exactOnly: true }).filter(
      (one) => !isAside(one, asides, sources),
    );
  if (verifiedBeside(asidesOf(answer, sources)).length > 0) return undefined;
  if (verifiedBeside([]).length > 0)
    return 'every quoted sentence is in `to_readers` too. That is for sentences that speak to whoever reads them; what says something about a subject belongs to `key_findings` alone.';
  return 'no `quote` names a sentence of its source. Give the number in braces that stands before the sentence, and the id of that source.';
}
