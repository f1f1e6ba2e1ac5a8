import { jsonrepair } from 'jsonrepair';

/** Texts longer than this are not searched for JSON. In UTF-16 units. */
const maxLength = 2_000_000;
/** So many spans of braces are tried before giving up on prose that is full of them. */
const maxSpans = 40;
/** So many of them are mended. */
const mostMended = 3;
/** Longer ones aren't: mending takes time that is quadratic in the text. In UTF-16 units. */
const longestMended = 50_000;

type Loose = Record<string, unknown> | unknown[];

/**
 * Finds the JSON in a model's answer: bare, in a code fence, or with prose around it; with single quotes, trailing commas,
 * comments, missing brackets and the like mended. The largest object or array first: what is valid before what had to be mended.
 * Total: no text makes it throw.
 */
export function looseValues(text: string): readonly Loose[] {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '' || trimmed.length > maxLength) return [];
  // Text that is valid as a whole comes first: a string in it may contain a fence, which would split it.
  const whole = strict(trimmed);
  if (whole !== undefined) return [whole];
  const spans = bracedSpans(trimmed);
  const valid = new Map<string, Loose>();
  for (const part of spans) {
    const value = strict(part);
    if (value !== undefined) valid.set(part, value);
  }
  const broken = spans.slice(0, mostMended).filter((part) => !valid.has(part));
  const mendedOnes = broken.map(mended);
  return [...valid.values(), ...mendedOnes.filter((value) => value !== undefined)];
}

/** The object in a model's answer; an array around one object is opened. */
export function parseLooseObject(text: string): Record<string, unknown> | undefined {
  const [value] = looseValues(text);
  if (!Array.isArray(value)) return value;
  const only = value.length === 1 ? value[0] : undefined;
  return isContainer(only) && !Array.isArray(only) ? only : undefined;
}

function strict(text: string): Loose | undefined {
  try {
    let value: unknown = JSON.parse(text);
    // Some models put the JSON into a JSON string.
    if (typeof value === 'string' && /^\s*[{[]/.test(value)) value = JSON.parse(value);
    return isContainer(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function mended(text: string): Loose | undefined {
  if (text.length > longestMended) return undefined;
  try {
    return strict(jsonrepair(text));
  } catch {
    return undefined;
  }
}

function isContainer(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null;
}

/** Balanced spans of braces or brackets, longest first; one that is never closed reaches to the end. */
function bracedSpans(text: string): string[] {
  const spans: string[] = [];
  let at = nextBrace(text, 0);
  while (at >= 0 && spans.length < maxSpans) {
    const end = spanEnd(text, at);
    spans.push(text.slice(at, end));
    at = nextBrace(text, end);
  }
  return spans.sort((a, b) => b.length - a.length);
}

function nextBrace(text: string, from: number): number {
  const found = /[{[]/g;
  found.lastIndex = from;
  return found.exec(text)?.index ?? -1;
}

function spanEnd(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}
