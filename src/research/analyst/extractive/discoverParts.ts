import type { DiscoverInput, Discovery, Scope } from '../analyst.ts';
import type { Source } from '../../evidence/source.ts';
import { readQuery } from '../../text/query.ts';
import { kindOf } from '../../text/passages.ts';
import { termsOf, tokensOf } from '../../text/words.ts';

/** Fewer parts than this make no outline: the question is answered in one section. */
const leastParts = 3;
const mostParts = 5;
/** A broad question has few words, and several documents are named after them. */
const fewWords = 2;

/**
 * The parts of a broad subject, as the user's own files name them: the titles of documents that are called after a word of a short
 * question. None where few are: there one passage answers.
 */
export function discoverParts({ clarifiedQuestion, gathered }: DiscoverInput, scope: Scope): Discovery {
  const sources = [...new Set(gathered.flatMap((call) => call.sources))]
    .map((id) => scope.source(id))
    .filter((source) => source?.file !== undefined) as Source[];
  const query = readQuery(clarifiedQuestion, scope.language);
  const asked = query.words.filter(({ weight }) => weight === 1);
  const terms = new Set([...asked.flatMap((word) => word.terms), ...query.extra]);
  const parts = new Map<string, Source>();
  for (const source of sources) {
    const name = nameOf(source);
    if (
      tokensOf(name)
        .flatMap(termsOf)
        .some((term) => terms.has(term)) &&
      !parts.has(name)
    )
      parts.set(name, source);
  }
  const enough = asked.length <= fewWords && parts.size >= leastParts;
  return {
    entities: [...(enough ? parts : [])].slice(0, mostParts).map(([name, { id }]) => ({
      name,
      category: '',
      brief: '',
      source: id,
      urls: [],
      priority: 'medium' as const,
    })),
    summary: '',
    coverage: '',
  };
}

/** The title of the document that a passage stands in; its file's name says less. */
function nameOf({ title, file }: Source): string {
  const name = file!.path.slice(file!.path.lastIndexOf('/') + 1);
  return title === name || kindOf(file!.path) === 'bibtex'
    ? ''
    : title.replace(` (${name})`, '').split(' › ')[0]!.slice(0, 90);
}
