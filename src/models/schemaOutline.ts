import { isRecord } from '../research/text/json.ts';
import type { ChatRequest } from '../research/ports.ts';

/**
 * The schema of a structured answer in the text of the request, for models that don't see it in the response format: a type in the
 * notation of TypeScript, with the descriptions as comments ("schema as types": a third of a JSON schema's tokens). It ends the
 * rules, so that they stay a prefix.
 */
export function withOutline(request: ChatRequest): ChatRequest {
  const { json, messages } = request;
  if (json === undefined) return request;
  const text = `The object has this type:\n\n${outlineOf(json.schema, '')}`;
  const [first, ...rest] = messages;
  return {
    ...request,
    messages:
      first?.role === 'system'
        ? [{ role: 'system', content: `${first.content}\n\n${text}` }, ...rest]
        : [{ role: 'system', content: text }, ...messages],
  };
}

/** The schema without what {@link withOutline} says in words. */
export function withoutDescriptions(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const inner = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(inner) : isRecord(value) ? withoutDescriptions(value) : value;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== 'description' || typeof value !== 'string')
      .map(([key, value]) => [key, inner(value)]),
  );
}

function outlineOf(schema: unknown, indent: string): string {
  if (!isRecord(schema)) return 'any';
  const { type, enum: values, items, properties, anyOf } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(anyOf)) return anyOf.map((one) => outlineOf(one, indent)).join(' | ');
  if (type === 'array') {
    const item = outlineOf(items, indent);
    return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  if (!isRecord(properties)) return typeof type === 'string' ? type : 'any';
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(
    ([name, field]) => `${commentOn(field, inner)}${inner}${JSON.stringify(name)}: ${outlineOf(field, inner)},\n`,
  );
  return `{\n${fields.join('')}${indent}}`;
}

function commentOn(field: unknown, indent: string): string {
  if (!isRecord(field)) return '';
  const { description, maxLength, maxItems, items } = field;
  const parts = [
    description,
    isRecord(items) && items['properties'] === undefined ? items['description'] : undefined,
    typeof maxLength === 'number' ? `At most ${maxLength} characters` : undefined,
    typeof maxItems === 'number' ? `At most ${maxItems}` : undefined,
  ].filter((part): part is string => typeof part === 'string' && part !== '');
  return parts.length === 0 ? '' : `${indent}// ${parts.map((part) => part.replace(/\.$/, '')).join('. ')}.\n`;
}
