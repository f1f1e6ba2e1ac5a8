import * as z from 'zod';
import type { DiscoveredEntity } from '../../../protocol/events.ts';
import prompt from '../../../../prompts/discover.md';
import type { Source } from '../../evidence/source.ts';
import { interleave } from '../../policy/interleave.ts';
import type { DiscoverInput, Discovery, Scope } from '../analyst.ts';
import { questionValues, runValues, sourceIdIn } from './common.ts';
import { estimateTokens } from '../../text/estimateTokens.ts';
import { fencedSource, oneLine } from './fence.ts';
import { choice, entry, list, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { bestSources, selectPassages, shareTokens } from './passages.ts';
import { askStructured } from './structuredOutput.ts';

const maxEntities = 30;
const sourceOverhead = 60;
/** More passages would not name more members, only cost more. In tokens. */
const enoughMaterial = 24_000;

const entity = entry(
  'name',
  {
    name: text('Its usual name', 120),
    category: text('One to three words', 60),
    brief: text('One sentence'),
    source: text('Id of the source that says most about it, such as S3f9a1', 40),
    urls: list(text('A URL', 200), 'Always empty', 1),
    priority: choice(['high', 'medium', 'low'], 'medium', 'How much a list would lack without it'),
  },
  { source: ['source_id', 'sources'] },
);

const schema = z.object({
  entities: list(entity, 'The members of the list, most important first', maxEntities),
  summary: text('What was found', 800),
  search_coverage: text('What the search may have missed'),
});

export async function discover(input: DiscoverInput, scope: Scope): Promise<Discovery> {
  // The best of each search first.
  const ids = new Set(interleave(input.gathered.map(({ sources: found }) => found)));
  const sources = [...ids].flatMap((id) => scope.source(id) ?? []);
  const answer = await askStructured(scope, {
    label: 'discover',
    step: 'discover',
    most: enoughMaterial,
    schema,
    prompt: (tokens) =>
      fillPrompt(prompt, {
        ...runValues(scope),
        limit: String(maxEntities),
        question: questionValues(input, tokens).question,
        target: oneLine(input.target),
        sources: sourcesText(sources, input, tokens),
      }),
    complaint: (value) =>
      value.entities.length === 0 && sources.length > 0
        ? 'No entity was extracted, though sources were found.'
        : undefined,
  });
  const entities = answer.entities.flatMap((found) => entityOf(found, sources)).slice(0, maxEntities);
  return { entities, summary: answer.summary, coverage: answer.search_coverage };
}

function sourcesText(sources: readonly Source[], input: DiscoverInput, tokens: number): string {
  const query = `${input.target} ${input.clarifiedQuestion}`;
  const shown = bestSources(sources, query, Math.max(1, Math.floor(tokens / (sourceOverhead + 20))));
  const shares = shareTokens(
    shown.map((source) => Math.min(1_500, estimateTokens(source.text.slice(0, 60_000)))),
    tokens - shown.length * sourceOverhead,
  );
  return shown.map((source, index) => fencedSource(source, selectPassages(source, query, shares[index]!))).join('\n\n');
}

/** An entity with a source that was really fetched: the named one, else one that speaks of it; none is no entity. */
function entityOf(found: z.output<typeof entity>, sources: readonly Source[]): DiscoveredEntity[] {
  if (found.name === '') return [];
  const named = sources.find((source) => source.id === sourceIdIn(found.source));
  const name = found.name.toLowerCase();
  const source =
    named ??
    sources.find((candidate) => candidate.title.toLowerCase().includes(name)) ??
    sources.find((candidate) => candidate.text.toLowerCase().includes(name));
  if (!source) return [];
  return [
    {
      name: oneLine(found.name).slice(0, 120),
      category: oneLine(found.category).slice(0, 60),
      brief: found.brief,
      source: source.id,
      urls: source.url === undefined ? [] : [source.url],
      priority: found.priority,
    },
  ];
}
