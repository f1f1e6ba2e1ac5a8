import type { DistilInput, Distilled, GatheredCall } from '../analyst.ts';
import { fitsOf, isMisfit } from '../../evidence/fitting.ts';
import { withoutNames } from '../../evidence/namedIn.ts';
import { quoteBlock } from '../../evidence/verbatim.ts';
import type { Source } from '../../evidence/source.ts';
import { attachedKind, type Reading } from '../../ports.ts';
import type { Texts } from '../../languages/texts.ts';
import { fillText } from '../../../protocol/fillText.ts';
import { textsIn } from '../../languages/texts.ts';
import { kindOf } from '../../text/passages.ts';
import { otherLanguage } from '../../text/otherLanguage.ts';
import { readQuery } from '../../text/query.ts';
import { fold } from '../../text/tokenize.ts';
import type { WordFate } from '../../text/wordFates.ts';
import { judge, type Judged } from './answered.ts';
import { englishSubject } from './englishSubject.ts';
import { askedBy } from './planSections.ts';
import { type Chosen, choosePassages } from './choosePassages.ts';

/** Remarks that are answered, the latest ones, by so many passages each, and what is read of one, in UTF-16 units. */
const ofRemark = 2;
const mostRemarks = 3;
const longestRemark = 500;
/** A passage that lacks more than this share of the words is not an answer but near to one. */
const mostLacking = 0.5;
/** Of the median source's agreement: a source with less is not quoted. */
const leastAgreement = 0.4;
/** Words that are named as missing. */
const mostNamed = 8;
/** Sources that are quoted from their beginning. What a document begins with is a paragraph from this length on, in UTF-16 units. */
const mostBeginnings = 5;
const shortestParagraph = 50;

/** The best passages word for word, best first, after what no passage speaks of. Pure. */
export function distilSection(input: DistilInput, language: string, reading?: Reading): Distilled {
  const { section, gathered, remarks = [] } = input;
  // A search of the folder knows nothing of what other sources say, but for documents that the user gave.
  const isFound = input.sources.some(({ file, kind }) => file === undefined && kind !== attachedKind);
  const fits = fitsOf(isFound ? input.sources : [], input.question, `${section.title} ${section.description}`);
  const sources = input.sources.filter(({ id }) => !isMisfit(fits.get(id), leastAgreement));
  const asked = withoutNames(askedBy(section, input.question));
  const query = readQuery(asked, language);
  const own = choosePassages(query, sources, reading, fits);
  // The same in English, where a search has said what the subject is called there.
  const english = englishSubject(gathered, asked);
  const quoted = new Set(own.map(({ source }) => source));
  const others = sources.filter((source) => source.file === undefined && !quoted.has(source));
  const found = [...own, ...(english === undefined ? [] : choosePassages(readQuery(english, 'en'), others, reading))];
  const fates = isFound ? [] : fatesOf(gathered, found);
  const judged = judge(query, fates, found, language);
  const answering = remarks.slice(-mostRemarks).flatMap((remark) => {
    const wanted = readQuery(remark.slice(0, longestRemark), language);
    const fitting = choosePassages(wanted, sources, reading).filter(
      ({ lacks }) => lacks.length < wanted.words.length * mostLacking,
    );
    return fitting.slice(0, ofRemark);
  });
  const fitting = [...new Map([...answering, ...judged.quoted].map((one) => [one.text, one])).values()];
  const meant = withNamed(fitting, sources);
  const chosen = meant.length === 0 && input.chosen ? beginnings(sources) : meant;
  // Names in code and records are of many languages.
  const prose = chosen.filter(({ source }) => ['markdown', 'text'].includes(kindOf(source.file?.path ?? 'page.md')));
  const isAnswer = judged.answered === 'answer' || chosen.length === 0;
  const foreign = isAnswer ? [] : otherLanguage(prose.map(({ text }) => text).join('\n'), asked, language);
  // Words of another language are in no text, whatever it answers.
  const answered = judged.answered === 'notFound' && foreign.length > 0 ? 'nearest' : judged.answered;
  const lines = linesOf({ ...judged, answered }, textsIn(language, 'digest'));
  const parts = [...lines, ...foreign, ...chosen.map(({ source, text }) => quoteBlock(source.id, text))];
  return {
    title: section.title,
    content: chosen.length === 0 ? '' : parts.join('\n\n'),
    answered,
    quoted: true,
    findings: chosen.map(({ source, text }) => ({ claim: text, quote: text, source: source.id })),
  };
}

/** What the folder knows of the question's words. A search of it knows nothing of what other sources say. */
function fatesOf(gathered: readonly GatheredCall[], all: readonly Chosen[]): readonly WordFate[] {
  const isSaid = (word: string): boolean => all.some(({ lacks }) => !lacks.some((one) => fold(one) === fold(word)));
  return gathered.flatMap((call) => call.words ?? []).filter(({ word, fate }) => fate !== 'missing' || !isSaid(word));
}

/** What is said before the quotes. */
function linesOf({ answered, missing, spelled, lacks }: Judged, texts: Texts['digest']): readonly string[] {
  const named = (word: string): string =>
    fillText(texts.quoted, { text: word.replace(/[[\]<>|`*\\]/g, '').slice(0, 60) });
  const list = (words: readonly string[]): string => words.slice(0, mostNamed).map(named).join(texts.comma);
  const nearest = lacks.length === 0 ? texts.nearest : fillText(texts.nearestLacks, { words: list(lacks) });
  const elsewhere = lacks.length === 0 ? texts.notHere : fillText(texts.notHereLacks, { words: list(lacks) });
  return [
    ...(answered === 'notFound' ? [elsewhere] : []),
    ...(missing.length === 0 ? [] : [fillText(texts.missing, { words: list(missing) })]),
    ...spelled.map(({ word, read }) => fillText(texts.spelled, { word: named(word), read: named(read) })),
    ...(answered === 'nearest' ? [nearest] : []),
  ];
}

/** "Summarise this page" has no word that a passage could have: what the user named is quoted all the same. */
function withNamed(fitting: readonly Chosen[], sources: readonly Source[]): readonly Chosen[] {
  const named = sources.filter(({ isGiven }) => isGiven === true);
  const isQuoted = (one: Source): boolean => fitting.some(({ source }) => source.id === one.id);
  const silent = beginnings(named.filter((one) => !isQuoted(one)));
  return named.some(isQuoted) ? [...fitting, ...silent] : [...silent, ...fitting];
}

/** A source that was chosen by reading is quoted from its beginning, where no passage fits by its words. */
function beginnings(sources: readonly Source[]): Chosen[] {
  const ofEach = Math.max(1, Math.floor(mostBeginnings / sources.length));
  return sources.slice(0, mostBeginnings).flatMap((source) => {
    const paragraphs = source.text.split(/\n\s*\n/).filter((part) => /\p{L}/u.test(part));
    const whole = paragraphs.filter((part) => !part.startsWith('#') && part.length >= shortestParagraph);
    return (whole.length > 0 ? whole.slice(0, ofEach) : paragraphs.slice(0, 1)).map((paragraph) => ({
      source,
      text: paragraph.slice(0, 900),
      lacks: [],
    }));
  });
}
