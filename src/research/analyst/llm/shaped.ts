import { isRecord } from '../../../protocol/json.ts';
import { looseValues } from './looseJson.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * What a model meant by a JSON value, in the names and nesting of a schema: names in another case, in another language (by their order
 * and the types of their values), JSON within strings, a list alone instead of the object that holds it, an object around the one that
 * was asked for.
 *
 * @returns `fit`: how many fields of the schema the value has; 0 when it is something else.
 */
export function shaped(value: unknown, schema: Schema): { readonly value: unknown; readonly fit: number } {
  const candidates = [value, ...(isRecord(value) ? Object.values(value) : [])]
    .map((candidate) => opened(candidate, schema))
    .map((candidate) => ({ value: inSchema(candidate, schema), fit: fitOf(candidate, schema) }));
  return candidates.reduce((best, one) => (one.fit > best.fit ? one : best));
}

/** The object of a value that may be written as a string, be alone in a list, or be the list that the object should hold. */
function opened(value: unknown, schema: Schema): unknown {
  const parsed = typeof value === 'string' ? jsonIn(value) : value;
  if (!Array.isArray(parsed)) return parsed;
  if (parsed.length === 1 && isRecord(parsed[0])) return parsed[0];
  const lists = Object.entries(propertiesOf(schema)).filter(([, property]) =>
    isRecord(itemsOf(property)['properties']),
  );
  return lists.length === 1 && parsed.length > 0 && parsed.every(isRecord) ? { [lists[0]![0]]: parsed } : parsed;
}

/** A list in the middle of a sentence is no JSON but the sentence's brackets. */
function jsonIn(text: string): unknown {
  const [found] = looseValues(text);
  return isRecord(found) || /^\s*(?:\[|`{3})/.test(text) ? (found ?? text) : text;
}

function fitOf(value: unknown, schema: Schema): number {
  return isRecord(value) ? Object.keys(named(value, schema)).filter((name) => name in propertiesOf(schema)).length : 0;
}

function inSchema(value: unknown, schema: Schema): unknown {
  if (schema['type'] === 'array') return listIn(value, itemsOf(schema));
  if (schema['type'] !== 'object') return value;
  const object = opened(value, schema);
  if (!isRecord(object)) return object;
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(named(object, schema)).map(([name, inner]) => {
      const property = properties[name];
      return [name, property === undefined ? inner : inSchema(inner, property)];
    }),
  );
}

function listIn(value: unknown, items: Schema): unknown {
  const parsed = typeof value === 'string' && /^\s*\[/.test(value) ? (looseValues(value)[0] ?? value) : value;
  return Array.isArray(parsed) ? parsed.map((one) => inSchema(one, items)) : parsed;
}

/** The fields of an object under the schema's names; what belongs to none keeps its own. */
function named(value: Readonly<Record<string, unknown>>, schema: Schema): Record<string, unknown> {
  const names = new Map(Object.keys(propertiesOf(schema)).map((name) => [plain(name), name]));
  const known = Object.keys(value).some((key) => names.has(plain(key)));
  if (known)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [names.get(plain(key)) ?? key, inner]));
  return byOrder(value, schema) ?? value;
}

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Fields under names of the model's own: in the schema's order when there are as many, of its types. */
function byOrder(value: Readonly<Record<string, unknown>>, schema: Schema): Record<string, unknown> | undefined {
  const properties = Object.entries(propertiesOf(schema));
  const entries = Object.values(value);
  if (entries.length !== properties.length || entries.length < 2) return undefined;
  const isOfType = ({ type }: Schema, entry: unknown): boolean =>
    (type === 'array') === Array.isArray(entry) && (type === 'object') === isRecord(entry);
  if (!properties.every(([, property], index) => isOfType(property, entries[index]))) return undefined;
  return Object.fromEntries(properties.map(([name], index) => [name, entries[index]]));
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  return isRecord(schema['properties']) ? (schema['properties'] as Record<string, Schema>) : {};
}

function itemsOf(schema: Schema): Schema {
  return isRecord(schema['items']) ? schema['items'] : {};
}
