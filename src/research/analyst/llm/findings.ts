import type { Finding, Source } from '../../evidence/source.ts';
import { hasQuote } from '../../evidence/support.ts';
import { isLongEnough, normalizeForQuote } from '../../evidence/quotes.ts';
import { exactCheck } from '../../evidence/exact.ts';
import { splitSentences } from '../../text/sentences.ts';
import { detectLanguage } from '../../text/language.ts';
import { terms } from '../../text/tokenize.ts';
import { statementLine } from '../../evidence/statementLine.ts';
import { sourceIdIn } from './common.ts';
import { aboveOf, placeOf, sentencesOf, widened } from '../../evidence/surroundings.ts';

/** Share of a claim's terms that a sentence must contain to replace a quote that could not be found. */
const likeness = 0.6;
/** Of a quote, in UTF-16 units. */
export const longestQuote = 600;
const mostFindings = 30;

/**
 * Findings that can be verified: their source exists, and their quote is in its text. A quote that does not is replaced by
 * the sentence of the source that says the same (most of the claim's terms, all of its figures), or the finding is dropped; so is a
 * quote that the claim is not about, or else the claim is replaced by it.
 */
export function verifiedFindings(
  given: readonly { readonly claim: string; readonly quote: string; readonly source: string }[],
  sources: readonly Source[],
  { exactOnly = false }: { readonly exactOnly?: boolean } = {},
): Finding[] {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const findings: Finding[] = [];
  for (const entry of given) {
    const named = byId.get(sourceIdIn(entry.source) ?? '');
    const claim = entry.claim.replace(/\s{0,3}\[S[0-9a-f]{5,64}\]/gi, '').trim() || entry.quote;
    if (claim === '') continue;
    const quoted = entry.quote.length <= longestQuote && isLongEnough(entry.quote) ? entry.quote : '';
    // A right quote under a wrong id is still evidence: of the source that really has it.
    const holder =
      quoted === ''
        ? undefined
        : named && hasQuote(named, quoted)
          ? named
          : sources.find((source) => hasQuote(source, quoted));
    if (holder) {
      findings.push(stated(claim, quoted, holder, exactOnly));
      continue;
    }
    const sentence = exactOnly || !named ? undefined : sayingTheSame(claim, named);
    if (named && sentence !== undefined) findings.push({ claim, quote: sentence, source: named.id });
  }
  return mergedFindings(findings);
}

/**
 * A claim with its quote; the quote includes a neighbouring sentence that has the claim's condition. A claim that is not about any of
 * this has the sentence of the source that says the same for its quote, or else is replaced by the quote.
 */
function stated(claim: string, quote: string, source: Source, exactOnly: boolean): Finding {
  const place = placeOf(sentencesOf(source), quote);
  const choices = [quote, ...(place === undefined ? [] : widened(sentencesOf(source), place, quote))];
  const above = place === undefined ? '' : aboveOf(sentencesOf(source), place);
  const fitting = choices.find((choice) => choice.length <= longestQuote && isAbout(choice, claim, above));
  const meant = fitting ?? (exactOnly ? undefined : sayingTheSame(claim, source));
  return { claim: meant === undefined ? statementLine(quote) : claim, quote: meant ?? quote, source: source.id };
}

/**
 * Whether a quote is about what is claimed: it shares content with the claim, and it or the headings and captions above it hold the
 * claim's figures. With a claim in another language the figures alone can be compared.
 */
function isAbout(quote: string, claim: string, above: string): boolean {
  if (!exactCheck(claim, [`${quote}\n${above}`])) return false;
  const [own, other] = [detectLanguage(claim), detectLanguage(quote)];
  if (own !== other) return true;
  const held = new Set(terms(quote, other));
  return terms(claim, own).some((term) => held.has(term));
}

function sayingTheSame(claim: string, source: Source): string | undefined {
  const wanted = new Set(terms(claim));
  if (wanted.size < 3) return undefined;
  let best: { readonly text: string; readonly share: number } | undefined;
  for (const { text } of splitSentences(source.text.slice(0, 300_000))) {
    const sentence = text.trim();
    if (sentence.length < 20 || sentence.length > longestQuote) continue;
    const have = new Set(terms(sentence));
    const share = [...wanted].filter((term) => have.has(term)).length / wanted.size;
    if (share < likeness || share <= (best?.share ?? 0)) continue;
    if (exactCheck(claim, [sentence])) best = { text: sentence, share };
  }
  return best && hasQuote(source, best.text) ? best.text : undefined;
}

/** The new findings, each once, and those of an earlier attempt that they don't repeat: sending back loses nothing. */
export function mergedFindings(found: readonly Finding[], before: readonly Finding[] = []): Finding[] {
  const keyOf = ({ source, quote }: Finding): string => `${source} ${normalizeForQuote(quote)}`;
  const all = [...found, ...before];
  const first = new Map(all.map((one, index) => [keyOf(one), index] as const).toReversed());
  return all.filter((one, index) => first.get(keyOf(one)) === index).slice(0, mostFindings);
}

/** The text without markers of sources that don't exist, in any of the forms in which models write them. */
export function knownMarkers(markdown: string, ids: ReadonlySet<string>): string {
  return markdown.replace(
    /\s{0,3}\[((?:S[0-9a-f]{5,64}(?:\s{0,3}[,;]\s{0,3})?){1,200})\]/gi,
    (marker, inside: string) => {
      const known = inside.split(/[,;\s]+/).flatMap((part) => {
        const id = sourceIdIn(part);
        return id !== undefined && ids.has(id) ? [`[${id}]`] : [];
      });
      return known.length === 0 ? '' : `${/^\s/.test(marker) ? ' ' : ''}${[...new Set(known)].join('')}`;
    },
  );
}
