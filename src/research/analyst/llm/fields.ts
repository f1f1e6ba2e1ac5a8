import * as z from 'zod';
import { isRecord } from '../../../protocol/json.ts';
import { isOwnText, knowDescriptions } from './promptEcho.ts';

/** Characters of a field that is a sentence or two. */
const sentenceLength = 400;
/** Servers that make a grammar of the schema (llama.cpp) refuse one with 2,000 repetitions or more: longer is not limited. */
const longestInSchema = 1_900;

/**
 * Fields of structured answers. Each describes strictly what is wanted (its JSON schema) and reads leniently what arrives: missing
 * and null fields have a default, numbers and flags may be words, a single item is read as a list, what is too long is cut, what is copied from our
 * own words is empty.
 * Every text and list is bounded: a small model fills an unbounded one until its output limit.
 *
 * @param description "": its name says enough.
 * @param longest In characters; a text over 1,900 is bounded by the answer's output limit alone.
 */
export function text(description: string, longest = sentenceLength) {
  const field = description === '' ? z.string() : z.string().describe(description);
  return z.preprocess(
    (value) => withoutOwn(clipped(asText(value), longest)),
    longest > longestInSchema ? field : field.max(longest),
  );
}

/** A model that copies what a field is described by has nothing to say in it. */
const withoutOwn = (text: string): string => (isOwnText(text) ? '' : text);

function clipped(value: string, longest: number): string {
  if (value.length <= longest) return value;
  const cut = value.slice(0, longest);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

export function flag(description: string) {
  return z.preprocess(asFlag, z.boolean().describe(description));
}

/** A flag that the answer must have: what it says is shown. */
export function verdict(description: string) {
  return z.preprocess(
    (value) => (value === null || value === undefined ? value : asFlag(value)),
    z.boolean().describe(description),
  );
}

/** @param most Items. */
export function list<T extends z.ZodType>(item: T, description: string, most: number) {
  const isOwn = (one: unknown): boolean => typeof one === 'string' && isOwnText(one);
  return z.preprocess(
    (value) =>
      asList(value)
        .filter((one) => !isOwn(one))
        .slice(0, most),
    z.array(item).max(most).describe(description),
  );
}

/** A number within bounds; `standard` when there is none. Without one the answer must have it. */
export function score(min: number, max: number, standard: number | undefined, description: string) {
  return z.preprocess(
    (value) => asNumber(value, min, max, standard),
    z.number().min(min).max(max).describe(description),
  );
}

/** One of several words; `standard` when the answer names none, or more than one. Without one the answer must have it. */
export function choice<const T extends readonly [string, ...string[]]>(
  values: T,
  standard: T[number] | undefined,
  description: string,
) {
  return z.preprocess((value) => asChoice(value, values, standard), z.enum(values).describe(description));
}

/** An object whose fields all have defaults; something else than an object counts as an empty one. */
export function group<T extends z.ZodRawShape>(shape: T, description: string) {
  return z.preprocess((value) => (isRecord(value) ? value : {}), z.object(shape).describe(description));
}

/**
 * An object of a list.
 * @param main The field that something else than an object is.
 * @param aliases Other names that models give to fields.
 */
export function entry<T extends z.ZodRawShape>(
  main: keyof T & string,
  shape: T,
  aliases: Readonly<Record<string, readonly string[]>> = {},
) {
  return z.preprocess((value) => {
    if (!isRecord(value)) return { [main]: value };
    const given = { ...value };
    for (const [name, others] of Object.entries(aliases))
      given[name] ??= others.map((other) => value[other]).find((one) => one !== undefined && one !== null);
    return given;
  }, z.object(shape));
}

const jsonSchemas = new WeakMap<z.ZodType, Readonly<Record<string, unknown>>>();

/** The JSON schema of answers, strict, with every field required; of what a tool takes: `input`. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output' = 'output'): Readonly<Record<string, unknown>> {
  const { $schema: _, ...made } = jsonSchemas.get(schema) ?? z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  // What tools take may be described by others.
  if (io === 'output' && !jsonSchemas.has(schema)) knowDescriptions(made);
  jsonSchemas.set(schema, made);
  return made;
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value))
    return value
      .map(asText)
      .filter((part) => part !== '')
      .join('\n');
  if (isRecord(value))
    return asText(
      value['text'] ?? value['content'] ?? value['value'] ?? value['label'] ?? value['name'] ?? Object.values(value),
    );
  return '';
}

function asFlag(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  return typeof value === 'string' && /^\s*(?:true|yes|y|1|是|对)\s*$/i.test(value);
}

function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.filter((item) => item !== null && item !== undefined && item !== '');
  if (value === null || value === undefined || value === '') return [];
  if (typeof value === 'string') {
    const lines = value.split('\n').map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim());
    return lines.filter((line) => line !== '' && !/^(?:none|n\/a|null|无)$/i.test(line));
  }
  // {"s1": {…}, "s2": {…}} instead of a list.
  if (isRecord(value) && Object.keys(value).length > 0 && Object.values(value).every(isRecord))
    return Object.values(value);
  return [value];
}

function asNumber(value: unknown, min: number, max: number, standard: number | undefined): number | undefined {
  let number = typeof value === 'string' ? Number(/-?\d+(?:\.\d+)?/.exec(value)?.[0] ?? Number.NaN) : value;
  if (typeof value === 'string' && max === 1 && Number.isNaN(number))
    number = { high: 0.9, medium: 0.7, low: 0.4 }[value.trim().toLowerCase()];
  if (typeof number !== 'number' || !Number.isFinite(number)) return standard;
  // A share given in percent.
  if (max === 1 && number > 1 && number <= 100) number /= 100;
  return Math.min(max, Math.max(min, number));
}

/** What separates an option from what is said of it: "partial: no figures". */
const remark = /[:;.(\n–—]| - /;

/**
 * The one option that an answer is, or begins with before a comma or a remark: "not harmful" is none of `harmful`, and "sufficient, or
 * partial" neither, but "partial: figures are missing" is `partial`.
 */
function asChoice(value: unknown, values: readonly string[], standard: string | undefined): string | undefined {
  const words = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}]+/gu, ' ')
      .trim();
  const bare = (text: string): string => words(text).replaceAll(' ', '');
  const given = asText(value);
  const said = given.split(remark, 1)[0]!;
  const first = bare(said.split(',', 1)[0]!);
  const chosen = values.find((option) => [first, bare(given)].includes(bare(option)));
  const isNamed = (option: string): boolean => ` ${words(said)} `.includes(` ${words(option)} `);
  return chosen === undefined || values.some((other) => other !== chosen && isNamed(other)) ? standard : chosen;
}
