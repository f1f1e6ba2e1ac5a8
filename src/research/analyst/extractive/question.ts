import type { OutputFormat, QueryType } from '../analyst.ts';
import { splitSentences } from '../../text/sentences.ts';
import { terms } from '../../text/tokenize.ts';
import { isVerb } from './englishVerbs.ts';
import { isGeneral } from './expandSubject.ts';
import { facetOfWord, type FacetId } from './facets.ts';
import { comparison, sidesOf } from './questionSides.ts';
import { bareAspectQuestion, requests, subjectOf } from './questionSubject.ts';
import { keywordsOf, readLength, subjectWords } from './subjectWords.ts';

/** What can be read off a question without understanding it: its kind, its subject, what it asks of the subject. */
export interface ReadQuestion {
  readonly type: QueryType;
  readonly format: OutputFormat;
  /** The noun phrase that the question is about, for headings ("retrieval-augmented generation"); "" when none stands out. */
  readonly subject: string;
  /** Words to search for, in the question's order; empty when there is no subject at all. */
  readonly keywords: string;
  /** What is asked of the subject ("techniques"), in the question's words; "" when the subject stands alone. */
  readonly aspect: string;
  /** Aspect and subject as the question joins them ("techniques for retrieval-augmented generation"); "" when it does not. */
  readonly phrase: string;
  readonly facet: FacetId | undefined;
  /** "What is X?" and nothing more. */
  readonly asksForMeaning: boolean;
  /** The things that are compared, two to five; empty when the question compares nothing. */
  readonly sides: readonly string[];
  /**
   * What is asked, sentence by sentence, without the background that was told with it; at least one. All of the above is read
   * off the first, the kind and format off the whole.
   */
  readonly questions: readonly string[];
}

/** Stands between a question and the answers that made it clear. */
export const clarificationMark = ' — ';

const deepDive =
  /\bin (?:more |great |full )?(?:detail|depth)\b|\bin-depth\b|\bdeep[- ]dive\b|\bdetailed\b|\bthorough(?:ly)?\b|\bcomprehensive(?:ly)?\b|深入|详细|詳細|詳しく|徹底|자세히|심층|상세|بالتفصيل|بعمق|подробно|детально|глубок|ausführlich|im detail|detailliert|en détail|approfondi|en detalle|a fondo|detallad|em detalhe|in dettaglio/iu;
const list =
  /^\W*(?:please\s+)?(?:list|enumerate|name)\b|\b(?:list|lists|catalogue|round-?up) of\b|^\W*which\b(?! (?:one )?is\b)|\bwhat (?:are|were) (?:the|some|all|popular|common|good|examples)\b|\bwhat (?:kinds?|types?|sorts?) of\b|\b(?:best|top \d+|top) (?:\p{L}+ ){0,3}(?:tools|libraries|frameworks|models|papers|methods|techniques)\b|有哪些|哪些|盘点|盤點|列出|列举|种类|種類|類型|一覧|どのような.*ありますか|どんな|종류|목록|어떤 .*있|أنواع|قائمة|ما هي (?:أهم |أبرز |أفضل )?(?:تقنيات|طرق|أساليب|أدوات|أنواع|مكتبات)|주요 .*무엇|(?:^|\s)какие(?:\s|$)|список|перечисл|^\W*welche[rns]?\b|\bliste\b|quel(?:le)?s sont|cuáles son|lista de|quais são|quali sono/iu;
const wantsTable = /\btable\b|\btabular\b|表格|표로|таблиц|tabelle|tableau|\btabla\b|جدول/iu;
const wantsList = /\bbullet(?:s| points)?\b|\bas a list\b|列表|箇条書き|목록으로/iu;

/** Reads a question in any language; total on any text, the same for the same text. */
export function readQuestion(question: string): ReadQuestion {
  const whole = question.slice(0, readLength).normalize('NFC').replace(/\s+/g, ' ').trim();
  // What clarification added stands behind a dash and asks something of the subject before it.
  const [asked = '', ...added] = whole.split(clarificationMark);
  const told = asked.replace(ownWork, ' ').trim();
  const questions = questionsOf(told);
  const text = questions[0];
  const type = typeOf(text, told);
  const sides = type === 'comparison' ? sidesOf(text) : [];
  const { subject, aspect, phrase: joined, isPhrase } = subjectOf(text);
  const shown = sides.length > 0 ? sides.join(' / ') : subject;
  const facet = facetOfWord(added.join(' ')) ?? facetOfWord(aspect) ?? facetOfWord(text);
  return {
    type,
    format: formatOf(told, type),
    subject: isPhrase || sides.length > 0 ? shown : '',
    keywords: keywordsOf(sides.length > 0 ? sides.join(' ') : subject),
    aspect,
    phrase: isPhrase ? joined : '',
    facet,
    asksForMeaning: type === 'general' && aspect === '' && isPhrase && meaning.test(text),
    sides,
    questions,
  };
}

const pronoun = /(?<![\p{L}\p{N}])(?:it|they|them|(its|their))(?![\p{L}\p{N}'’])|它们?|それら?/iu;

/** The sentences of a text that ask, where some end in a question mark; else all of it. Later ones speak of "it": the first one's subject. */
function questionsOf(text: string): readonly [string, ...string[]] {
  const sentences = splitSentences(text).map((sentence) => sentence.text.trim());
  if (sentences.length < 2 || !sentences.some(isAsked)) return [text];
  const [first, ...others] = sentences.filter(
    (sentence) =>
      (isAsked(sentence) || requests.some((request) => request.test(sentence))) && subjectWords(sentence).length > 0,
  );
  if (first === undefined) return [text];
  const { subject, isPhrase } = subjectOf(first);
  const telling = keywordsOf(subject)
    .split(' ')
    .filter((word) => terms(word).some((term) => !isGeneral(term) && !isVerb(term)));
  const sides = typeOf(first, first) === 'comparison' ? sidesOf(first) : [];
  const meant = sides.length > 0 ? sides.join(' and ') : isPhrase ? subject : telling.slice(0, 3).join(' ');
  const withSubject = (other: string): string =>
    other
      .replace(bareAspectQuestion, (_, asks: string, aspect: string) => `${asks}the ${aspect} of ${meant}?`)
      .replace(pronoun, (_, ofIt?: string) => (ofIt === undefined ? meant : `${meant}'s`));
  const named = others.map((other) => (meant === '' ? other : withSubject(other)));
  const kept = named.filter(
    (other) => other !== first && subjectWords(other).some((word) => terms(word).some((term) => !isGeneral(term))),
  );
  return [first, ...new Set(kept)];
}

function isAsked(sentence: string): boolean {
  return /[?？؟]["'”’»)）」』]{0,3}$/u.test(sentence);
}

const meaning =
  /^\W*(?:what(?:'s| is| are)|define|who is)\b|什么是|是什么|とは|무엇|ما هو|ما هي|что такое|was (?:ist|sind)|qu'est-ce|c'est quoi|qué (?:es|son)|o que (?:é|são)|cos'è/iu;

/** "In our project: …" says where the question comes from, not what it is about. */
const ownWork =
  /^\W*(?:(?:in|for|regarding|about)\s+)?(?:our|my|this)\s+(?:own\s+|current\s+)?(?:project|repo(?:sitory)?|code ?base|workspace|app(?:lication)?|package|library)\s*[:,–—-]\s*|\s+(?:in|for|of)\s+(?:our|my|this)\s+(?:own\s+|current\s+)?(?:project|repo(?:sitory)?|code ?base|workspace|app(?:lication)?|package|library)\b/giu;

function typeOf(text: string, told: string): QueryType {
  if (comparison.test(text) && !isListOfDifferences(text)) return 'comparison';
  if (deepDive.test(told)) return 'deep_dive';
  return list.test(text) ? 'list' : 'general';
}

/** "Which libraries compare strings" asks for libraries. */
function isListOfDifferences(text: string): boolean {
  return /^\W*(?:which|what) (?:\p{L}+ )?(?:tools|libraries|packages|frameworks|algorithms|methods|metrics) (?:that )?compare\b/iu.test(
    text,
  );
}

function formatOf(text: string, type: QueryType): OutputFormat {
  if (wantsTable.test(text)) return 'table';
  if (wantsList.test(text)) return 'list';
  if (type === 'comparison') return 'table';
  return type === 'list' ? 'list' : 'prose';
}
