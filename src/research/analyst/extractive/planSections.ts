import { detectLanguage } from '../../text/language.ts';
import type { AnalystLimits, Plan, PlanInput, PlannedSection } from '../analyst.ts';
import { capitalised } from './capitalised.ts';
import { isGerund } from './englishVerbs.ts';
import { facetOfWord, facets, type FacetId } from './facets.ts';
import { englishOf } from './glossary.ts';
import { clarificationMark, readQuestion, type ReadQuestion } from './question.ts';
import { titleOfQuestion } from './questionOfSection.ts';
import { facetsOf } from './sectionFacets.ts';
import { subjectWords } from './subjectWords.ts';
import { fill, join, textsOf, type Texts } from './texts.ts';

const mostSections = 7;
const leastSections = 3;

/** An outline from the question's type and words: 3 to 7 sections, each to be researched alone. Pure. */
export function planSections(input: PlanInput, language: string, depth: AnalystLimits['depth']): Plan {
  const texts = textsOf(language);
  const read = readOf(input);
  const known = new Map(Object.entries(texts.facets).map(([id, title]) => [title.toLowerCase(), id as FacetId]));
  const own = input.focus.filter((focus) => focus.trim() !== '' && !known.has(focus.trim().toLowerCase()));
  // Of several questions each has a section of its own; one that names no subject has nothing else to begin with.
  const asked = read.subject === '' && read.keywords !== '' ? read.questions : read.questions.slice(1);
  const answered = new Set(asked.map((question) => readQuestion(question).facet));
  // A short outline is cut below: what the questions answer themselves leaves room for other sides.
  const isQuick = depth === 'quick' && asked.length > 0;
  const chosen = facetsOf(read, isQuick ? 'standard' : depth).filter(
    (facet) => !answered.has(facet) && (read.subject !== '' || asked.length === 0 || facet !== 'definition'),
  );
  // The user's own points come before the rest of the pattern, after the section that says what it is all about.
  const opening = read.subject === '' && asked.length > 0 ? 0 : 1;
  // Who asks for a fact, or for several things, has no use for every side of the first.
  const isNarrow = isQuick || (depth !== 'deep' && (asked.length > 1 || (opening === 0 && read.facet === undefined)));
  const drafts = [
    ...chosen.slice(0, opening).map((facet) => facetSection(facet, read, language, texts)),
    ...[
      ...asked.map(questionSection),
      ...own.slice(0, mostSections - 2).map((focus) => focusSection(focus.trim(), read)),
    ].slice(0, mostSections - opening),
    ...chosen.slice(opening).map((facet) => facetSection(facet, read, language, texts)),
  ].slice(
    0,
    Math.min(
      mostSections,
      Math.max(leastSections, own.length > 0 ? mostSections : asked.length + (isNarrow ? opening : chosen.length)),
    ),
  );
  return {
    title: titleOf(input, read),
    objective: texts.objective,
    scope: texts.scope,
    sections: drafts.map((draft, index) => ({ ...draft, id: `s${index + 1}` })),
  };
}

/** The user's own words tell the type; when they name no subject, the clarified question does. */
function readOf({ question, clarifiedQuestion, analysis }: PlanInput): ReadQuestion {
  const read = readQuestion(
    subjectWords(question).length > 0 && !clarifiedQuestion.includes(clarificationMark) ? question : clarifiedQuestion,
  );
  return { ...read, type: analysis.queryType };
}

type Draft = Omit<PlannedSection, 'id'>;

function facetSection(facet: FacetId, read: ReadQuestion, language: string, texts: Texts): Draft {
  return {
    title: facetTitle(facet, read, language, texts),
    description: fill(texts.description, {
      facet: texts.facets[facet],
      subject: read.sides.length > 0 ? join(read.sides, texts) : read.subject || read.keywords,
    }),
    queries: facetQueries(facet, read, language, texts),
  };
}

function facetTitle(facet: FacetId, read: ReadQuestion, language: string, texts: Texts): string {
  if (read.sides.length > 1) {
    const compared = texts.compared as Readonly<Partial<Record<FacetId, string>>>;
    return fill(compared[facet] ?? texts.facets[facet], { sides: join(read.sides, texts) });
  }
  if (read.subject === '') return texts.facets[facet];
  if (facet === read.facet && read.aspect !== '' && !vagueAspect.test(read.aspect)) {
    if (read.phrase !== '' && detectLanguage(read.phrase) === language.split('-')[0]) return heading(read.phrase);
    if (isSpaceless(read.aspect) || language.startsWith('en'))
      return fill(texts.aspectOf, { aspect: capitalised(read.aspect), subject: read.subject });
  }
  if (facet !== 'definition') return texts.facets[facet];
  return heading(
    fill(isPlural(read) ? (texts.whatTheyAre ?? texts.whatItIs) : texts.whatItIs, { subject: read.subject }),
  );
}

/** Words that say less than the facet's own heading. */
const vagueAspect = /^(?:问题|問題|課題|문제|과제|problems?|issues?)$/iu;

/** A single word in front may be a name that is written small ("pgvector"). */
function heading(text: string): string {
  return /^\S+\s+\p{L}/u.test(text) ? capitalised(text) : text;
}

function isPlural({ subject, aspect }: ReadQuestion): boolean {
  // "Evaluating answers" is one thing; what stands before "models" in "embedding models" does not count them.
  const first = subject.split(' ')[0]!;
  if (isGerund(first) && (aspect !== '' || facetOfWord(first) !== undefined)) return false;
  const head = subject
    .split(/ (?:for|in|of|with|on|to|from|at|by|under|against|without|based) /i)[0]!
    .split(' ')
    .at(-1)!;
  return /^[\p{L}-]*\p{Ll}{2}s$/u.test(head) && !/(?:ss|us|is|ics|sis)$/.test(head);
}

function facetQueries(facet: FacetId, read: ReadQuestion, language: string, texts: Texts): string[] {
  const [first, second] = facets[facet].queries;
  if (read.sides.length > 1) {
    const each = read.sides.slice(0, 3).map((side) => `${side} ${first}`);
    return distinct([`${read.sides.slice(0, 3).join(' ')} ${facet === 'choice' ? 'comparison' : first}`, ...each]);
  }
  const about = read.keywords || read.subject;
  // Papers and repositories are described in English, the user's files in the user's language.
  const local = language.startsWith('en')
    ? []
    : [`${about} ${texts.facets[facet].replace(/[,、،]| (?:und|et|y|и) |与|と/gu, ' ').replace(/\s+/g, ' ')}`];
  const asked = facet === read.facet && read.aspect !== '' ? [`${about} ${read.aspect}`] : [];
  const english = englishOf(about);
  if (english !== '')
    return distinct([...(asked.length > 0 ? asked : local), `${english} ${first}`, `${english} ${second}`]);
  return distinct([...asked, `${about} ${first}`, ...local, `${about} ${second}`]).slice(0, 3);
}

function focusSection(focus: string, read: ReadQuestion): Draft {
  const title = capitalised(focus.replace(/\s+/g, ' ').slice(0, 120));
  return { title, description: focus, queries: distinct([`${read.keywords} ${focus}`, focus]) };
}

function questionSection(question: string): Draft {
  const { keywords, facet } = readQuestion(question);
  const about = keywords || question;
  return {
    title: titleOfQuestion(question),
    description: question,
    queries: distinct([about, `${englishOf(about) || about} ${facets[facet ?? 'choice'].queries[0]}`]),
  };
}

function titleOf({ question, clarifiedQuestion }: PlanInput, read: ReadQuestion): string {
  if (read.sides.length > 1)
    return read.sides[0]!.includes(' ') ? capitalised(read.sides.join(' vs. ')) : read.sides.join(' vs. ');
  const whole = (subjectWords(question).length > 0 ? question : clarifiedQuestion)
    .split(clarificationMark)[0]!
    .replace(/\s+/g, ' ')
    .trim();
  const asked = [whole, read.questions.join(' ')].find(({ length }) => length <= 110) ?? read.questions[0]!;
  // "What are the main techniques for X?" is titled "Main techniques for X".
  const noun =
    /^(?:(?:what|which) (?:are|is|were|was)|list|enumerate|name) (?:the |some |all |a |an )?(.+?)[?.!\s]*$/iu.exec(
      asked,
    )?.[1];
  const title =
    noun !== undefined && read.subject !== '' && !/[?.!,;]/u.test(noun) ? noun : asked.replace(/[\s?？!！.。؟]+$/u, '');
  if (title.length <= 110 && title !== '') return capitalised(title);
  return capitalised(read.subject || read.keywords.slice(0, 110) || title.slice(0, 110));
}

function isSpaceless(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
}

function distinct(queries: readonly string[]): string[] {
  const trimmed = queries
    .map((query) => query.replace(/\s+/g, ' ').trim().slice(0, 200))
    .filter((query) => query !== '');
  return [...new Map(trimmed.map((query) => [query.toLowerCase(), query])).values()];
}
