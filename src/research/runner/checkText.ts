import type { CheckedSentence, CheckedText } from '../../protocol/ports.ts';
import { citationMarks } from '../../protocol/citationMark.ts';
import { loadTexts } from '../languages/texts.ts';
import { type Ground, nearestGround, sharesOf } from '../evidence/grounds.ts';
import type { Source } from '../evidence/source.ts';
import type { Passage } from '../evidence/statement.ts';
import { inMemoryRunFolder } from '../persistence/inMemoryRunFolder.ts';
import { readAttached } from '../run/attached.ts';
import { type RunContext, scopeOf } from '../run/runContext.ts';
import { callAll } from '../section/searchAll.ts';
import { sha256 } from '../text/digest.ts';
import { detectLanguage } from '../text/language.ts';
import { splitSentences } from '../text/sentences.ts';
import { terms } from '../text/tokenize.ts';
import { SecondReader } from '../verification/secondReader.ts';
import { createRun, type RunParts } from './createRun.ts';

/** Sentences that are judged. */
const mostSentences = 40;
/** UTF-16 units of the text that are read, and of a sentence that are sent as a query. */
const [mostText, mostQuery] = [200_000, 300];
/** Terms of a sentence that states something. */
const leastTerms = 3;
/** Searches for one sentence: on this machine, and by the source that fits it best. */
const searchesEach = 2;
/** Sources that one sentence is judged against, and the share of its terms that each has at least. */
const [mostGrounds, leastShare] = [3, 0.2];

/** The sentences of Markdown or plain text that can be judged, each once; `left` are those beyond the limit. */
export function sentencesToCheck(text: string): { readonly sentences: readonly string[]; readonly left: number } {
  const all = splitSentences(withoutCode(text.slice(0, mostText)))
    .filter((one) => !/^\s*(?:#{1,6}\s|\|)/.test(one.text))
    .map((one) =>
      one.text
        .replace(citationMarks, '')
        .replace(/^\s*(?:[-*+>]|\d{1,3}[.)])\s+/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((one) => new Set(terms(one, detectLanguage(one))).size >= leastTerms);
  const sentences = [...new Set(all)];
  return { sentences: sentences.slice(0, mostSentences), left: Math.max(0, sentences.length - mostSentences) };
}

export interface TextToCheck {
  readonly sentences: readonly string[];
  /** See `TextOptions`. */
  readonly isTyped: boolean;
  readonly ownFile?: string | undefined;
}

/** Judges each sentence against the passages that the sources have of it. Nothing is saved. */
export async function checkText(
  parts: Omit<RunParts, 'folder'>,
  { sentences, isTyped, ownFile }: TextToCheck,
  controller: AbortController,
): Promise<CheckedText> {
  const text = sentences.join(' ');
  const language = detectLanguage(text);
  await loadTexts(language);
  const created = parts.clock.now().toISOString();
  const { context } = createRun({ ...parts, folder: inMemoryRunFolder() }, 'check', created, language, controller);
  if (isTyped) parts.outgoing?.asked(text);
  const place = { path: 'check', phase: 'research', today: created.slice(0, 10), language } as const;
  const attached = await readAttached(context, parts.attached, text, language);
  const found = await searchEach(context, place, sentences);
  const grounds = sentences.map((sentence, index) =>
    groundsOf(context, [...attached, ...found[index]!], sentence, ownFile),
  );
  const others = context.registry.all().filter(({ file }) => file === undefined || file.path !== ownFile);
  const reader = new SecondReader(context, {
    ...{ texts: 1, isAlone: true, others: others.map((source) => [source.text.slice(0, 2_000)]) },
    scopeAt: (at, signal) => scopeOf(context, at, signal),
  });
  const statements = sentences.map((sentence, index) => ({
    ...{ id: sha256(sentence).slice(0, 12), section: 'check', text: sentence, isCited: true },
    passages: grounds[index]!.flatMap(({ passages }) => passages),
  }));
  await reader.judge({ ...place, phase: 'report' }, statements, 'last');
  context.signal.throwIfAborted();
  const judged = reader.outcome();
  return {
    sentences: statements.map(({ id, text, passages }): CheckedSentence => {
      const { verdict = 'unverified', correction = '' } = judged.get(id) ?? {};
      return { text, verdict, correction, passages: passages.map((one) => shown(context, one)) };
    }),
    warnings: [...new Set(context.warnings.map(({ message }) => message))],
    tokens: context.tokens.in + context.tokens.out,
  };
}

/** Ids of what the sources find for each sentence; as many sentences at a time as a run has researchers. */
function searchEach(
  run: RunContext,
  place: Parameters<typeof scopeOf>[1],
  sentences: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const queries = sentences.map((sentence) => sentence.slice(0, mostQuery));
  const dealt = run.sources.deal(queries, queries.length * searchesEach, run.tools);
  return Promise.all(
    queries.map((query, index) =>
      run.researchers.use(async () => {
        const scope = scopeOf(run, { ...place, path: `${place.path}/${index}` });
        const chosen = dealt[index]!.map(({ name }) => ({ name, args: { query } }));
        const calls = await Promise.all(callAll(run, scope, { queries: [query], focus: query }, chosen));
        return calls.flatMap(({ sources }) => sources);
      }, run.signal),
    ),
  );
}

function groundsOf(run: RunContext, ids: readonly string[], sentence: string, ownFile: string | undefined): Ground[] {
  const shareOf = sharesOf(sentence);
  const sources = [...new Set(ids.map((id) => run.registry.get(id)))];
  return sources
    .filter((source): source is Source => source !== undefined && (source.file?.path ?? '') !== (ownFile ?? '/'))
    .flatMap((source) => nearestGround(source, sentence) ?? [])
    .map((ground) => ({ ground, share: shareOf(ground) ?? leastShare }))
    .filter(({ share }) => share >= leastShare)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, mostGrounds)
    .map(({ ground }) => ground);
}

function shown({ registry }: RunContext, { source, text, place }: Passage): CheckedSentence['passages'][number] {
  const { id, kind, title, url, date, file } = registry.get(source)!;
  const [, first, last] = /^L(\d+)-L(\d+)$/.exec(place) ?? [];
  const lines = file && first && last ? { ...file, firstLine: Number(first), lastLine: Number(last) } : file;
  return {
    text,
    source: { id, kind, title, ...(url && { url }), ...(date && { date }), ...(lines && { file: lines }) },
  };
}

/** Without what is between fences. */
function withoutCode(text: string): string {
  let isCode = false;
  const kept = text.split('\n').map((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    return isFence || isCode ? '' : line;
  });
  return kept.join('\n');
}
