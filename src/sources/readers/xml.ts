import { XMLParser } from 'fast-xml-parser';

export type XmlNode = Readonly<Record<string, unknown>>;

/**
 * A parser of feeds: attributes begin with `@`, and namespaces are left out, since prefixes differ where local names don't.
 * @param lists Names of elements that are lists, also where there is one.
 * @param maxExpandedLength Of expanded character references, in UTF-16 units.
 */
export function feedParser(lists: readonly string[], maxExpandedLength: number): XMLParser {
  return new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
    // A paper is titled "0", another may be titled "1e5".
    parseTagValue: false,
    parseAttributeValue: false,
    htmlEntities: true,
    // Character references alone: what a document defines is not expanded.
    processEntities: { enabled: true, maxTotalExpansions: 1_000_000, maxExpandedLength },
    isArray: (name) => lists.includes(name),
  });
}

export function nodeOf(value: unknown): XmlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as XmlNode) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
}

/** Text of an element, with or without attributes; of the first when it is repeated. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return textOf(value[0]);
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim();
  const text = nodeOf(value)['#text'];
  return typeof text === 'string' ? text.trim() : '';
}
