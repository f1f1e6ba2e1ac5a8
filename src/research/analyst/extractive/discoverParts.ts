import type { DiscoveredEntity } from '../../../protocol/events.ts';
import type { DiscoverInput, Discovery, Scope } from '../analyst.ts';
import type { Source } from '../../evidence/source.ts';
import { findLanguage } from '../../languages/languages.ts';
import { questionKindsOf } from '../../policy/questionKinds.ts';
import { kindOf } from '../../text/passages.ts';
import { type Query, readQuery } from '../../text/query.ts';
import { splitSentences } from '../../text/sentences.ts';
import { termsOf, tokensOf } from '../../text/tokenize.ts';

/** Fewer parts than this make no outline: the question is answered in one section. */
const leastParts = 3;
const mostParts = 5;
/** The answer quotes as many passages; a document with more than two of them has been quoted enough. */
const answering = 5;
const mostAnswering = 2;
const mostThings = 12;
/** The beginning of a text says what it is about. In UTF-16 units. */
const describing = 1_500;
/** What every project has, whatever it is about. */
const housekeeping =
  /(?:^|\/)(?:readme|change ?log|history|contributing|todo)[^/]*$|(?:^|\/)(?:meetings?|minutes|archive)\//i;

/**
 * What a question asks for several of: the parts of a broad subject, as the user's own files name them (titles of the documents
 * that speak most of it), and for a list the projects and models that were found outside.
 */
export function discoverParts({ clarifiedQuestion, gathered }: DiscoverInput, { language, source }: Scope): Discovery {
  const found = [...new Set(gathered.flatMap((call) => call.sources))].flatMap((id) => source(id) ?? []);
  const query = readQuery(clarifiedQuestion, language);
  const parts = isBroad(query) ? partsOf(found) : [];
  const things = query.wantsList && asksForThings(clarifiedQuestion) ? thingsIn(found, query).map(entityOf) : [];
  return { entities: [...parts, ...things], summary: '', coverage: '' };
}

/** Whether a question wants a survey of a subject. */
export function isBroad({ asking, language }: Query): boolean {
  const { broadWords } = findLanguage(language) ?? {};
  return broadWords !== undefined && new RegExp(`(?<!\\p{L})(?:${broadWords})`, 'iu').test(asking);
}

function partsOf(found: readonly Source[]): DiscoveredEntity[] {
  const parts = new Map<string, Source>();
  const first = found.slice(0, answering).map(documentOf);
  for (const one of found) {
    const name = documentOf(one);
    const isQuoted = first.filter((other) => other === name).length > mostAnswering;
    if (name !== '' && !isQuoted && !parts.has(name)) parts.set(name, one);
  }
  return [...(parts.size < leastParts ? [] : parts)]
    .slice(0, mostParts)
    .map(([name, { id }]) => ({ name, category: '', brief: '', source: id, urls: [], priority: 'medium' }));
}

/** Projects and models that say of themselves what the question asks for, best found first. */
function thingsIn(found: readonly Source[], { words }: Query): readonly Source[] {
  // "Project" and "open-source" say what kind of thing is wanted: no repository says so of itself.
  const subject = words.filter(({ word }) => !asksForThings(word));
  const wanted = subject.length > 0 ? subject : words;
  const fits = ({ identity, title, text }: Source): boolean => {
    const own = new Set(tokensOf(`${title} ${text.slice(0, describing)}`).flatMap(termsOf));
    return (
      isThing(identity) && wanted.filter(({ terms }) => terms.some((term) => own.has(term))).length * 2 >= wanted.length
    );
  };
  return found.filter(fits).slice(0, mostThings);
}

function entityOf({ id, title, text, kind, url }: Source): DiscoveredEntity {
  return {
    name: title,
    category: kind,
    brief: (splitSentences(text.slice(0, describing))[0]?.text ?? '').trim().slice(0, 300),
    source: id,
    urls: url === undefined ? [] : [url],
    priority: 'medium',
  };
}

/** Whether words ask for programs or models, which have pages of their own. */
function asksForThings(text: string): boolean {
  const kinds = questionKindsOf(text);
  return kinds.has('software') || kinds.has('models');
}

/** A repository or a model as a whole, not an issue or a file of it. */
function isThing(identity: string): boolean {
  return /^(?:github|hf):[^#@!]+$/.test(identity);
}

/** The title of the document that a passage stands in; "" for one without. */
function documentOf({ title, file }: Source): string {
  if (file === undefined || housekeeping.test(file.path) || !['markdown', 'text'].includes(kindOf(file.path)))
    return '';
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  return title === name ? '' : title.replace(` (${name})`, '').split(' › ')[0]!.slice(0, 90);
}
