import { entityKey } from '../evidence/entityKey.ts';
import { oneLine } from '../../markdown/hidden.ts';
import type { DiscoveredEntity } from '../../protocol/events.ts';
import { longest, maxEntities, maxSections } from '../../protocol/planBounds.ts';
import type { WantedEntity } from '../../protocol/ports.ts';
import type { Plan, PlannedSection } from '../analyst/analyst.ts';
import type { ResearchStateType } from '../state.ts';

/** The entities that the report is about, and the names of those that were taken out. Names that mean the same are one. */
export function wantedEntities(
  found: readonly DiscoveredEntity[],
  wanted: readonly WantedEntity[],
): Pick<ResearchStateType, 'discoveredItems' | 'leftOut'> {
  const known = new Map(found.map((entity) => [entity.name, entity]));
  const taken = new Set<string>();
  const kept = new Map<string, DiscoveredEntity>();
  for (const { name, from } of wanted.slice(0, maxEntities)) {
    const parts = [...new Set(from)].filter((one) => !taken.has(one)).flatMap((one) => known.get(one) ?? []);
    for (const part of parts) taken.add(part.name);
    const shown =
      oneLine(name.slice(0, 10 * longest.entity))
        .slice(0, longest.entity)
        .trim() || parts[0]?.name;
    if (shown === undefined || (from.length > 0 && parts.length === 0)) continue;
    const key = entityKey(shown);
    const before = kept.get(key);
    kept.set(key, before ? one(before.name, [before, ...parts]) : one(shown, parts));
  }
  const names = new Set([...kept.values()].flatMap(({ name, also = [] }) => [name, ...also]));
  return {
    discoveredItems: [...kept.values()],
    leftOut: found.map(({ name }) => name).filter((name) => !taken.has(name) && !names.has(name)),
  };
}

/** One entity of several that are the same; of none, the one that the user named. */
function one(name: string, parts: readonly DiscoveredEntity[]): DiscoveredEntity {
  const [first] = parts;
  if (!first) return { name, category: '', brief: '', source: '', urls: [], priority: 'high', added: true };
  const also = parts.flatMap((part) => [part.name, ...(part.also ?? [])]).filter((other) => other !== name);
  const brief = parts.map((part) => part.brief).reduce((a, b) => (b.length > a.length ? b : a));
  const urls = [...new Set(parts.flatMap((part) => part.urls))];
  return { ...first, name, brief, urls, ...(also.length === 0 ? {} : { also: [...new Set(also)] }) };
}

/**
 * The plan with what the user decided about the entities: a section that is about one that was taken out goes, as long as others are
 * left, and one that the user added and no section speaks of gets a section.
 */
export function withEntities<P extends Pick<Plan, 'sections'>>(
  plan: P,
  { discoveredItems, leftOut }: Pick<ResearchStateType, 'discoveredItems' | 'leftOut'>,
): P {
  const out = new Set(leftOut.map(entityKey));
  const others = plan.sections.filter(({ title }) => !out.has(entityKey(title)));
  const kept = others.length > 0 ? others : plan.sections;
  const spoken = kept.map((section) =>
    `${section.title} ${section.description} ${section.queries.join(' ')}`.toLowerCase(),
  );
  const added = discoveredItems
    .filter(({ name, added: isAdded }) => isAdded && !spoken.some((text) => text.includes(name.toLowerCase())))
    .map(({ name }): PlannedSection => ({ id: name, title: name, description: name, queries: [name] }));
  // What the user named comes in, whatever else has to go.
  const room = Math.max(0, maxSections - added.length);
  return { ...plan, sections: [...kept.slice(0, room), ...added].slice(0, maxSections) };
}
