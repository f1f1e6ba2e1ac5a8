import * as z from 'zod';
import { plainText } from '../../research/evidence/metadata.ts';
import { isRecord, type Json } from '../../research/text/json.ts';

/** Limits of a schema from outside: parts in all, nesting, names of a list of choices, UTF-16 units of a text. */
const mostParts = 120;
const deepest = 5;
const mostProperties = 30;
const mostChoices = 60;
const longestChoice = 120;
const longestDescription = 300;
const plainName = /^(?!__proto__$)[\w.$-]{1,64}$/;
/** What a parameter for the words of a search is called. */
const queryNames = ['query', 'q', 'search', 'searchquery', 'search_query', 'keywords', 'keyword'];

/** What a tool from outside takes, in the form that this program checks and shows to a model. */
export interface InputSchema {
  readonly parameters: z.ZodObject;
  /** Its parameter for the words of a search; undefined when it has none, or needs more than that. */
  readonly queryName: string | undefined;
}

/**
 * Reads a JSON Schema from outside. References within the schema are followed; patterns, formats, conditions and
 * everything beyond the limits are left out: then any value is passed on, and the tool itself checks it.
 */
export function readInputSchema(schema: unknown): InputSchema {
  const root = isRecord(schema) ? schema : {};
  const budget = { parts: mostParts };
  const properties = isRecord(root['properties']) ? Object.entries(root['properties']) : [];
  const required = new Set(Array.isArray(root['required']) ? root['required'] : []);
  const shape: Record<string, z.ZodType> = {};
  for (const [name, part] of properties.slice(0, mostProperties)) {
    if (!plainName.test(name)) continue;
    const type = described(typeOf(part, root, budget, 0), part);
    shape[name] = required.has(name) ? type : type.optional();
  }
  const queryName = queryNames
    .flatMap((name) => Object.keys(shape).filter((own) => own.toLowerCase() === name))
    .find((name) => acceptsText(shape[name]!));
  const needsMore = [...required].some((name) => name !== queryName);
  return { parameters: z.object(shape), queryName: needsMore ? undefined : queryName };
}

function typeOf(part: unknown, root: Json, budget: { parts: number }, depth: number): z.ZodType {
  budget.parts -= 1;
  if (!isRecord(part) || budget.parts < 0 || depth > deepest) return z.unknown();
  const reference = part['$ref'];
  if (typeof reference === 'string') return typeOf(resolved(reference, root), root, budget, depth + 1);
  const choices = part['enum'];
  if (Array.isArray(choices)) return oneOf(choices);
  const options = [part['anyOf'], part['oneOf']].find((list) => Array.isArray(list)) as readonly unknown[] | undefined;
  if (options !== undefined) {
    const real = options.filter((option) => !(isRecord(option) && option['type'] === 'null'));
    return real.length === 1 ? typeOf(real[0], root, budget, depth + 1) : z.unknown();
  }
  const types = Array.isArray(part['type']) ? (part['type'] as readonly unknown[]) : [part['type']];
  switch (types.find((type) => type !== 'null')) {
    case 'string':
      return z.string();
    case 'integer':
    case 'number':
      return z.number();
    case 'boolean':
      return z.boolean();
    case 'array':
      return z.array(typeOf(part['items'], root, budget, depth + 1));
    case 'object': {
      if (!isRecord(part['properties'])) return z.record(z.string(), z.unknown());
      const required = new Set(Array.isArray(part['required']) ? part['required'] : []);
      const entries = Object.entries(part['properties'])
        .slice(0, mostProperties)
        .filter(([name]) => plainName.test(name))
        .map(([name, inner]): [string, z.ZodType] => {
          const type = described(typeOf(inner, root, budget, depth + 1), inner);
          return [name, required.has(name) ? type : type.optional()];
        });
      return z.object(Object.fromEntries(entries));
    }
    default:
      return z.unknown();
  }
}

function oneOf(choices: readonly unknown[]): z.ZodType {
  const texts = choices.filter(
    (choice): choice is string => typeof choice === 'string' && choice.length <= longestChoice,
  );
  const isPlain = texts.length === choices.length && texts.length <= mostChoices && texts.length > 0;
  return isPlain ? z.enum([...new Set(texts)]) : z.unknown();
}

/** `#/$defs/name`; undefined for anything else. */
function resolved(reference: string, root: Json): unknown {
  const [, place, name] = /^#\/(\$defs|definitions)\/([\w.-]{1,100})$/.exec(reference) ?? [];
  const definitions = place === undefined ? undefined : root[place];
  return isRecord(definitions) && name !== undefined && Object.hasOwn(definitions, name)
    ? definitions[name]
    : undefined;
}

function described<T extends z.ZodType>(type: T, part: unknown): T {
  const text = isRecord(part) && typeof part['description'] === 'string' ? part['description'] : '';
  const plain = plainText(text, longestDescription);
  return plain === '' ? type : type.describe(plain);
}

function acceptsText(type: z.ZodType): boolean {
  return type.safeParse('two words').success && !type.safeParse(7).success;
}
