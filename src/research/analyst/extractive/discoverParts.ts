import type { DiscoverInput, Discovery, Scope } from '../analyst.ts';
import type { Source } from '../../evidence/source.ts';
import { kindOf } from '../../text/passages.ts';
import { asksFor } from './asksFor.ts';

/** Fewer parts than this make no outline: the question is answered in one section. */
const leastParts = 3;
const mostParts = 5;
/** The answer quotes as many passages; a document with more than two of them has been quoted enough. */
const answering = 5;
const mostAnswering = 2;
/** What every project has, whatever it is about. */
const housekeeping =
  /(?:^|\/)(?:readme|change ?log|history|contributing|todo)[^/]*$|(?:^|\/)(?:meetings?|minutes|archive)\//i;

/** The parts of a broad subject, as the user's own files name them: the titles of the documents that speak most of it. */
export function discoverParts({ clarifiedQuestion, gathered }: DiscoverInput, { language, source }: Scope): Discovery {
  const parts = new Map<string, Source>();
  if (asksFor(clarifiedQuestion, language).isBroad) {
    const found = [...new Set(gathered.flatMap((call) => call.sources))].flatMap((id) => source(id) ?? []);
    const first = found.slice(0, answering).map(documentOf);
    for (const one of found) {
      const name = documentOf(one);
      const isQuoted = first.filter((other) => other === name).length > mostAnswering;
      if (name !== '' && !isQuoted && !parts.has(name)) parts.set(name, one);
    }
  }
  return {
    entities: [...(parts.size < leastParts ? [] : parts)].slice(0, mostParts).map(([name, { id }]) => ({
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

/** The title of the document that a passage stands in; "" for one without. */
function documentOf({ title, file }: Source): string {
  if (file === undefined || housekeeping.test(file.path) || !['markdown', 'text'].includes(kindOf(file.path)))
    return '';
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  return title === name ? '' : title.replace(` (${name})`, '').split(' › ')[0]!.slice(0, 90);
}
